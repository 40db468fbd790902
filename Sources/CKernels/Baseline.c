// The loops for every processor: 4 lanes, what the compiler's default target has.
#define KERNELS ingot_kernels_baseline
#define KERNELS_NAME "baseline"
#define LANES 4
#define SCORE_ROWS 2
#define SCORE_VECTORS 4
#define VALUE_ROWS 4
#define VALUE_VECTORS 2

#include "Loops/Kernels.h"
