#include "Trees.h"

// Eight rows go down a tree together, each a level at a time: no branch of the program depends on a
// comparison, and the loads of one row are in flight while those of another arrive. Rows that have
// reached their leaf stay there until the last one has.
#define LANES 8

static inline int32_t float_step(const ingot_float_node *nodes, const float *row, int32_t at) {
  const ingot_float_node *node = nodes + at;
  int32_t left = node->left, right = node->right;
  return row[node->feature >> 1] <= node->threshold ? left : right;
}

static inline int32_t float_step_missing(
    const ingot_float_node *nodes, const float *row, int32_t at) {
  const ingot_float_node *node = nodes + at;
  int32_t left = node->left, right = node->right;
  float x = row[node->feature >> 1];
  return (x <= node->threshold) | ((x != x) & (node->feature & 1)) ? left : right;
}

static inline int32_t double_step(const ingot_double_node *nodes, const double *row, int32_t at) {
  const ingot_double_node *node = nodes + at;
  int32_t left = node->left, right = node->right;
  return row[node->feature >> 1] <= node->threshold ? left : right;
}

static inline int32_t double_step_missing(
    const ingot_double_node *nodes, const double *row, int32_t at) {
  const ingot_double_node *node = nodes + at;
  int32_t left = node->left, right = node->right;
  double x = row[node->feature >> 1];
  return (x <= node->threshold) | ((x != x) & (node->feature & 1)) ? left : right;
}

#define LEAVES(NAME, NUMBER, STEP)                                                          \
  static void NAME(                                                                         \
      const ingot_##NUMBER##_node *nodes, const NUMBER *rows, long stride, long count,      \
      int32_t *leaves) {                                                                    \
    long row = 0;                                                                           \
    for (; row + LANES <= count; row += LANES) {                                            \
      const NUMBER *first = rows + row * stride;                                            \
      int32_t at[LANES] = {0};                                                              \
      int32_t moved;                                                                        \
      do {                                                                                  \
        moved = 0;                                                                          \
        _Pragma("clang loop unroll(full)") for (int lane = 0; lane < LANES; lane++) {       \
          int32_t next = STEP(nodes, first + lane * stride, at[lane]);                      \
          moved |= next ^ at[lane];                                                         \
          at[lane] = next;                                                                  \
        }                                                                                   \
      } while (moved);                                                                      \
      for (int lane = 0; lane < LANES; lane++) leaves[row + lane] = at[lane];               \
    }                                                                                       \
    for (; row < count; row++) {                                                            \
      int32_t at = 0, next;                                                                 \
      while ((next = STEP(nodes, rows + row * stride, at)) != at) at = next;                \
      leaves[row] = at;                                                                     \
    }                                                                                       \
  }

LEAVES(float_leaves, float, float_step)
LEAVES(float_leaves_missing, float, float_step_missing)
LEAVES(double_leaves, double, double_step)
LEAVES(double_leaves_missing, double, double_step_missing)

void ingot_float_leaves(
    const ingot_float_node *nodes, const float *rows, long stride, long count, int has_missing,
    int32_t *leaves) {
  (has_missing ? float_leaves_missing : float_leaves)(nodes, rows, stride, count, leaves);
}

void ingot_double_leaves(
    const ingot_double_node *nodes, const double *rows, long stride, long count, int has_missing,
    int32_t *leaves) {
  (has_missing ? double_leaves_missing : double_leaves)(nodes, rows, stride, count, leaves);
}
