// All loops, for one instruction set: included once by each of the files that name one, with
// LANES floats per vector and the tile sizes of attention set for its registers.
#include "../include/CKernels.h"

#include "Vector.h"

#include "Functions.h"

#include "Rows.h"

#include "Attention.h"

#include "Images.h"

#include "Integers.h"

#include "Sums.h"

extern const ingot_kernels KERNELS;

const ingot_kernels KERNELS = {
  .name = KERNELS_NAME,
  .map = map,
  .bias_map = bias_map,
  .norm = norm,
  .rms_norm = rms_norm,
  .softmax = softmax,
  .attention = attention,
  .channel_map = channel_map,
  .depthwise = depthwise,
  .integer_products = integer_products,
  .integer_product = integer_product,
#if defined(VNNI)
  .byte_products = byte_products,
#endif
  .large_places = large_places,
  .strip_sums = strip_sums,
  .add_scaled = add_scaled,
};
