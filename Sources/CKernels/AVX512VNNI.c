// The loops for x86-64 processors with AVX-512 and its products of integers (VNNI): 16 lanes, 32
// registers.
#if defined(__x86_64__)

#define KERNELS ingot_kernels_avx512vnni
#define KERNELS_NAME "avx512vnni"
#define LANES 16
#define SCORE_ROWS 6
#define SCORE_VECTORS 4
#define VALUE_ROWS 6
#define VALUE_VECTORS 2
#define VNNI 1

#include <immintrin.h>

#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512vnni"))), apply_to = function)
#include "Loops/Kernels.h"
#pragma clang attribute pop

#endif
