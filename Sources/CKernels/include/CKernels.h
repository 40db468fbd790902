#ifndef INGOT_CKERNELS_H
#define INGOT_CKERNELS_H

// Vectorised loops of the executor, compiled once per instruction set; all matrices are row-major,
// all counts and strides are numbers of floats. Loops never read or write past a count, need no
// alignment, and pass NaN and infinities on as IEEE arithmetic does.

#include "Trees.h"

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
  /// x · sigmoid(x)
  INGOT_SILU = 10,
  /// min(max(x / 6 + ½, 0), 1)
  INGOT_HARD_SIGMOID = 11,
  /// x · min(max(x / 6 + ½, 0), 1)
  INGOT_HARD_SWISH = 12,
  /// min(max(x, 0), 6)
  INGOT_RELU6 = 13,
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

/// Most columns of the window of a depthwise convolution.
#define INGOT_DEPTHWISE_COLUMNS 64

/// Convolution of each plane of an image with windows of its own, zeros around it:
/// y[c] = function((x[c / multiplier] * weight[c]) · scale[c] + shift[c]).
typedef struct {
  /// [channels / multiplier, height, width]
  const float *x;
  /// [channels, window_height, window_width]; at most INGOT_DEPTHWISE_COLUMNS columns
  const float *weight;
  /// [channels]
  const float *scale, *shift;
  /// [channels, out_height, out_width]
  float *y;
  /// Memory for ingot_depthwise_scratch() floats.
  float *scratch;
  long channels, multiplier, height, width, window_height, window_width, out_height, out_width;
  /// Zeros above and to the left; those below and to the right follow from the size of y.
  long top, left;
  /// From one place of the window to the next, and from one element of it to the next.
  long down, across, dilation_down, dilation_across;
  ingot_function function;
} ingot_depthwise;

/// Rows of integers that lie together.
#define INGOT_INTEGER_PANEL 16

/// Columns of a strip of a matrix.
#define INGOT_STRIP_WIDTH 32

/// The loops for one instruction set.
typedef struct {
  /// "avx512vnni", "avx512", "avx2" or "baseline"
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
  /// x[c, i] = function(x[c, i] · scale[c] + shift[c]) in place; channels are stride apart.
  void (*channel_map)(
    ingot_function function, float *x, const float *scale, const float *shift, long channels,
    long width, long stride);
  /// All planes of one image.
  void (*depthwise)(const ingot_depthwise *planes);
  /// products[r, c] = Σ rows[r, i] · columns[c, i], of 16-bit integers, exact where every sum of some of
  /// the terms fits 32 bits. Rows and columns lie in panels [pairs, INGOT_INTEGER_PANEL], each element
  /// two integers of one row.
  void (*integer_products)(
    const int *rows, const int *columns, int *products, long row_panels, long column_panels,
    long pairs);
  /// Σ row[i] · other[i], of 16-bit integers, exact where every sum of some of the terms fits 32 bits.
  int (*integer_product)(const short *row, const short *other, long count);
  /// products[r, c] = (Σ rows[r, i] · columns[c, i]) · row_scales[r] · column_scales[c], without its
  /// fraction; the integers have 8 bits from −127 to 127, and there are at most 2¹⁶ in a row. They lie
  /// in panels [quads, INGOT_INTEGER_PANEL], each element four integers of one row. Null where this is
  /// no faster than products of 16-bit integers.
  void (*_Nullable byte_products)(
    const int *rows, const int *columns, const float *row_scales, const float *column_scales,
    int *products, long row_panels, long column_panels, long quads);
  /// Writes each i with values[i] > floor or values[i] > floors[i], in order, and returns how many
  /// there are; count is a multiple of INGOT_INTEGER_PANEL.
  long (*large_places)(
    const int *values, const int *floors, int floor, long count, int *places);
  /// For each of `count` runs sums[run, i] = Σ factors[k] · strip[order[k], i] over k from starts[run] to
  /// starts[run + 1], in order; strip and sums have INGOT_STRIP_WIDTH columns.
  void (*strip_sums)(
    const float *strip, const int *order, const float *factors, const int *starts, long count,
    float *sums);
  /// y[i] = y[i] + factor · x[i].
  void (*add_scaled)(float factor, const float *x, float *y, long count);
} ingot_kernels;

/// The fastest loops that this processor runs.
const ingot_kernels *ingot_kernels_best(void);

/// The loops of an instruction set by name, null when this processor does not run them.
const ingot_kernels *_Nullable ingot_kernels_named(const char *name);

/// Floats of scratch memory one head of attention needs.
long ingot_attention_scratch(long key_count, long width);

/// Floats of scratch memory a depthwise convolution needs.
long ingot_depthwise_scratch(const ingot_depthwise *planes);

/// Rows of the padded plane that are read.
long ingot_depthwise_rows(const ingot_depthwise *planes);

/// Floats that hold every `across`th column of a padded row, with room for a vector of 16.
long ingot_depthwise_pitch(const ingot_depthwise *planes);

/// Sets how many threads the calling thread's OpenMP regions use, where OpenMP is loaded.
void ingot_set_openmp_threads(int count);

#pragma clang assume_nonnull end

#ifdef __cplusplus
}
#endif

#endif
