#ifndef INGOT_CKERNELS_H
#define INGOT_CKERNELS_H

// Vectorised loops of the executor, compiled once per instruction set; all matrices are row-major,
// all counts and strides are numbers of floats. Loops never read or write past a count, need no
// alignment, and pass NaN and infinities on as IEEE arithmetic does.

#ifdef __cplusplus
extern "C" {
#endif

#pragma clang assume_nonnull begin

/// What is applied to one float.
typedef enum {
  INGOT_IDENTITY = 0,
  INGOT_RELU = 1,
  INGOT_SIGMOID = 2,
  INGOT_TANH = 3,
  /// x Φ(x), with the error function
  INGOT_GELU_EXACT = 4,
  /// ½x(1 + tanh(√(2/π)(x + 0.044715x³)))
  INGOT_GELU_TANH = 5,
  /// x · sigmoid(1.702x)
  INGOT_GELU_SIGMOID = 6,
  INGOT_EXP = 7,
  INGOT_ERF = 8,
  INGOT_SQRT = 9,
} ingot_function;

/// One head of attention: softmax(query · keyᵀ · scale + mask) · value.
typedef struct {
  /// [query_count, width], rows query_stride apart
  const float *query;
  /// [key_count, width], rows key_stride apart
  const float *key;
  /// [key_count, width], rows value_stride apart
  const float *value;
  /// [query_count, width], rows output_stride apart
  float *output;
  /// Element (q, k) lies at q · mask_row_stride + k · mask_column_stride; a stride may be 0. No mask
  /// is null.
  const float *_Nullable mask;
  /// Memory for ingot_attention_scratch(key_count, width) floats.
  float *scratch;
  long query_stride, key_stride, value_stride, output_stride;
  long mask_row_stride, mask_column_stride;
  long query_count, key_count, width;
  float scale;
} ingot_attention;

/// The loops for one instruction set.
typedef struct {
  /// "avx512", "avx2" or "baseline"
  const char *name;
  /// y[i] = function(x[i]); x may be y.
  void (*map)(ingot_function function, const float *x, float *y, long count);
  /// x[r, i] = function(x[r, i] + bias[i]) in place; no bias is null.
  void (*bias_map)(
    ingot_function function, float *x, const float *_Nullable bias, long rows, long width);
  /// y[r, i] = (v − mean(v)) / √(variance(v) + epsilon) · gamma[i] + beta[i], where v is
  /// x[r, i] + bias[i] + residual[r, i]; bias and residual may be null, x and residual may be y.
  void (*norm)(
    const float *x, const float *_Nullable bias, const float *_Nullable residual,
    const float *gamma, const float *beta, float epsilon, float *y, long rows, long width);
  /// y[r, i] = x[r, i] / √(share · Σ x[r]² + epsilon) · gain[i]; x may be y.
  void (*rms_norm)(
    const float *x, const float *gain, float share, float epsilon, float *y, long rows, long width);
  /// Softmax of each row; the greatest element is subtracted first. x may be y.
  void (*softmax)(const float *x, float *y, long rows, long width);
  /// One head of attention; query may be output.
  void (*attention)(const ingot_attention *head);
} ingot_kernels;

/// The fastest loops that this processor runs.
const ingot_kernels *ingot_kernels_best(void);

/// The loops of an instruction set by name, null when this processor does not run them.
const ingot_kernels *_Nullable ingot_kernels_named(const char *name);

/// Floats of scratch memory one head of attention needs.
long ingot_attention_scratch(long key_count, long width);

/// Sets how many threads the calling thread's OpenMP regions use, where OpenMP is loaded.
void ingot_set_openmp_threads(int count);

#pragma clang assume_nonnull end

#ifdef __cplusplus
}
#endif

#endif
