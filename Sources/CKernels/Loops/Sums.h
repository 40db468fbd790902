// Sums of rows, each a product and then a sum: the same numbers on every processor.

#define STRIP INGOT_STRIP_WIDTH

static void strip_sums(
  const float *strip, const int *order, const float *factors, const int *starts, long count,
  float *sums
) {
#pragma clang fp contract(off)
  for (long one = 0; one < count; one++, sums += STRIP) {
    vec total[STRIP / LANES] = {};
    for (int place = starts[one]; place < starts[one + 1]; place++) {
      const float *row = strip + (long)order[place] * STRIP;
      vec factor = all(factors[place]);
      for (int v = 0; v < STRIP / LANES; v++) {
        vec product = factor * load(row + v * LANES);
        total[v] = total[v] + product;
      }
    }
    for (int v = 0; v < STRIP / LANES; v++) store(sums + v * LANES, total[v]);
  }
}

static void add_scaled(float factor, const float *x, float *y, long count) {
#pragma clang fp contract(off)
  long i = 0;
  for (; i + LANES <= count; i += LANES) {
    vec product = all(factor) * load(x + i);
    store(y + i, load(y + i) + product);
  }
  for (; i < count; i++) {
    float product = factor * x[i];
    y[i] = y[i] + product;
  }
}

#undef STRIP
