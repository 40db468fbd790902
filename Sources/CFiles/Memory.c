#include "CFiles.h"

#include <sys/resource.h>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

int64_t ingot_address_space_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return -1;
  return limit.rlim_cur > INT64_MAX ? -1 : (int64_t)limit.rlim_cur;
}

void ingot_give_back_blocks_of(int bytes) {
#if defined(__GLIBC__)
  // Set by hand, the limit no longer grows to the size of the largest block that was freed.
  mallopt(M_MMAP_THRESHOLD, bytes);
#else
  (void)bytes;
#endif
}

void ingot_give_back_free_memory(void) {
#if defined(__GLIBC__)
  malloc_trim(0);
#endif
}
