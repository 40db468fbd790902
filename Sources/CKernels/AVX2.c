// The loops for x86-64 processors with AVX2 and FMA: 8 lanes, 16 registers.
#if defined(__x86_64__)

#define KERNELS ingot_kernels_avx2
#define KERNELS_NAME "avx2"
#define LANES 8
#define SCORE_ROWS 3
#define SCORE_VECTORS 4
#define VALUE_ROWS 6
#define VALUE_VECTORS 2

#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#include "Loops/Kernels.h"
#pragma clang attribute pop

#endif
