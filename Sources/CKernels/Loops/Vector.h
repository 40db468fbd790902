// Vectors of LANES floats, in clang's vector extension.

// Helpers pass vectors by value, which is only defined between functions of one target; all of
// them are inlined.
#pragma clang diagnostic ignored "-Wpsabi"
#define HELPER static inline __attribute__((always_inline))

typedef float vec __attribute__((vector_size(4 * LANES)));
typedef int ivec __attribute__((vector_size(4 * LANES)));
// The same in memory, at any address.
typedef float vec_in_memory __attribute__((vector_size(4 * LANES), aligned(4), may_alias));

HELPER vec load(const float *p) { return *(const vec_in_memory *)p; }
HELPER void store(float *p, vec v) { *(vec_in_memory *)p = v; }
HELPER vec all(float x) { return x - (vec){}; }

// The first `count` lanes; the others are 0.
HELPER vec load_part(const float *p, long count) {
  vec v = {};
  for (long i = 0; i < count; i++) v[i] = p[i];
  return v;
}

HELPER void store_part(float *p, vec v, long count) {
  for (long i = 0; i < count; i++) p[i] = v[i];
}

// a where the mask is all ones, else b.
HELPER vec choose(ivec mask, vec a, vec b) {
  return (vec)((mask & (ivec)a) | (~mask & (ivec)b));
}

// The greater of both; b where either is NaN.
HELPER vec greater(vec a, vec b) { return choose(a > b, a, b); }

// Lanes added pairwise, halves first, always in this order.
HELPER float sum(vec v) {
  float lanes[LANES];
  store(lanes, v);
  for (int width = LANES / 2; width >= 1; width /= 2) {
    for (int i = 0; i < width; i++) lanes[i] += lanes[i + width];
  }
  return lanes[0];
}

HELPER float greatest(vec v) {
  float result = v[0];
  for (int i = 1; i < LANES; i++) result = v[i] > result ? v[i] : result;
  return result;
}
