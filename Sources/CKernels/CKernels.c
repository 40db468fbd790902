#define _GNU_SOURCE
#include "CKernels.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

extern const ingot_kernels ingot_kernels_baseline;
#if defined(__x86_64__)
extern const ingot_kernels ingot_kernels_avx2;
extern const ingot_kernels ingot_kernels_avx512;
extern const ingot_kernels ingot_kernels_avx512vnni;
#endif

static int runs(const ingot_kernels *kernels) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (kernels == &ingot_kernels_avx512vnni) {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")
      && __builtin_cpu_supports("avx512vnni");
  }
  if (kernels == &ingot_kernels_avx512) return __builtin_cpu_supports("avx512f") != 0;
  if (kernels == &ingot_kernels_avx2) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  }
#endif
  return kernels == &ingot_kernels_baseline;
}

// Fastest first.
static const ingot_kernels *const all[] = {
#if defined(__x86_64__)
  &ingot_kernels_avx512vnni,
  &ingot_kernels_avx512,
  &ingot_kernels_avx2,
#endif
  &ingot_kernels_baseline,
};

const ingot_kernels *ingot_kernels_best(void) {
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    if (runs(all[i])) return all[i];
  }
  return &ingot_kernels_baseline;
}

const ingot_kernels *ingot_kernels_named(const char *name) {
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    if (strcmp(all[i]->name, name) == 0 && runs(all[i])) return all[i];
  }
  return NULL;
}

long ingot_attention_scratch(long key_count, long width) {
  // Up to 16 lanes per vector, up to 8 rows of scores, one row of the mask.
  long keys = (key_count + 15) / 16 * 16, columns = (width + 15) / 16 * 16;
  return keys * width + key_count * columns + 9 * keys;
}

long ingot_depthwise_rows(const ingot_depthwise *d) {
  return (d->out_height - 1) * d->down + (d->window_height - 1) * d->dilation_down + 1;
}

long ingot_depthwise_pitch(const ingot_depthwise *d) {
  // Columns in whole vectors of up to 16 lanes, and the window's reach.
  long reach = (d->window_width - 1) * d->dilation_across / d->across + 1;
  return (d->out_width + 15) / 16 * 16 + reach;
}

long ingot_depthwise_scratch(const ingot_depthwise *d) {
  return ingot_depthwise_rows(d) * ingot_depthwise_pitch(d) * d->across;
}

// Looked up at run time: which OpenMP library there is depends on how oneDNN was built.
void ingot_set_openmp_threads(int count) {
  void (*set)(int);
  *(void **)&set = dlsym(RTLD_DEFAULT, "omp_set_num_threads");
  if (set) set(count);
}
