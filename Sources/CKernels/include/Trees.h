#ifndef INGOT_TREES_H
#define INGOT_TREES_H

// Rows through decision trees.

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma clang assume_nonnull begin

/// A node of a tree whose features are floats: x ≤ threshold goes to `left`, other rows to `right`.
/// Both are places in the tree's nodes. A leaf leads to itself.
typedef struct {
  float threshold;
  /// Twice the feature, and 1 where a missing value goes left.
  uint32_t feature;
  int32_t left, right;
} ingot_float_node;

/// The same of features that are doubles.
typedef struct {
  double threshold;
  uint32_t feature;
  int32_t left, right;
} ingot_double_node;

/// The nodes that rows reach from the first, which are leaves.
///
/// `rows` are `stride` numbers apart; `has_missing` says whether one of their numbers may be NaN.
void ingot_float_leaves(
    const ingot_float_node *nodes, const float *rows, long stride, long count, int has_missing,
    int32_t *leaves);

void ingot_double_leaves(
    const ingot_double_node *nodes, const double *rows, long stride, long count, int has_missing,
    int32_t *leaves);

#pragma clang assume_nonnull end

#ifdef __cplusplus
}
#endif

#endif
