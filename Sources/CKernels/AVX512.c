// The loops for x86-64 processors with AVX-512: 16 lanes, 32 registers.
#if defined(__x86_64__)

#define KERNELS ingot_kernels_avx512
#define KERNELS_NAME "avx512"
#define LANES 16
#define SCORE_ROWS 6
#define SCORE_VECTORS 4
#define VALUE_ROWS 6
#define VALUE_VECTORS 2

#pragma clang attribute push(__attribute__((target("avx512f"))), apply_to = function)
#include "Loops/Kernels.h"
#pragma clang attribute pop

#endif
