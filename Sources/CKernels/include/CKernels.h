#ifndef INGOT_CKERNELS_H
#define INGOT_CKERNELS_H
#endif
