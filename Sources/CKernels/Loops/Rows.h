// Loops over rows: functions, bias, normalisation, softmax.

HELPER void map_one(ingot_function function, const float *x, float *y, long count) {
  long i = 0;
  for (; i + LANES <= count; i += LANES) store(y + i, apply(function, load(x + i)));
  if (i < count) store_part(y + i, apply(function, load_part(x + i, count - i)), count - i);
}

HELPER void bias_map_one(
  ingot_function function, float *x, const float *bias, long rows, long width
) {
  for (long row = 0; row < rows; row++, x += width) {
    long i = 0;
    for (; i + LANES <= width; i += LANES) {
      store(x + i, apply(function, load(x + i) + load(bias + i)));
    }
    if (i < width) {
      vec v = load_part(x + i, width - i) + load_part(bias + i, width - i);
      store_part(x + i, apply(function, v), width - i);
    }
  }
}

#define EACH_FUNCTION(CALL) \
  switch (function) { \
  case INGOT_IDENTITY: CALL(INGOT_IDENTITY); break; \
  case INGOT_RELU: CALL(INGOT_RELU); break; \
  case INGOT_SIGMOID: CALL(INGOT_SIGMOID); break; \
  case INGOT_TANH: CALL(INGOT_TANH); break; \
  case INGOT_GELU_EXACT: CALL(INGOT_GELU_EXACT); break; \
  case INGOT_GELU_TANH: CALL(INGOT_GELU_TANH); break; \
  case INGOT_GELU_SIGMOID: CALL(INGOT_GELU_SIGMOID); break; \
  case INGOT_EXP: CALL(INGOT_EXP); break; \
  case INGOT_ERF: CALL(INGOT_ERF); break; \
  case INGOT_SQRT: CALL(INGOT_SQRT); break; \
  }

static void map(ingot_function function, const float *x, float *y, long count) {
#define MAP(F) map_one(F, x, y, count)
  EACH_FUNCTION(MAP)
#undef MAP
}

static void bias_map(
  ingot_function function, float *x, const float *bias, long rows, long width
) {
  if (!bias) {
    if (function != INGOT_IDENTITY) map(function, x, x, rows * width);
    return;
  }
#define BIAS_MAP(F) bias_map_one(F, x, bias, rows, width)
  EACH_FUNCTION(BIAS_MAP)
#undef BIAS_MAP
}

// Writes v = x + bias + residual to y and returns its sum.
HELPER float gather_row(
  const float *x, const float *bias, const float *residual, float *y, long width
) {
  vec total = {};
  long i = 0;
  for (; i + LANES <= width; i += LANES) {
    vec v = load(x + i);
    if (bias) v = v + load(bias + i);
    if (residual) v = v + load(residual + i);
    store(y + i, v);
    total = total + v;
  }
  if (i < width) {
    vec v = load_part(x + i, width - i);
    if (bias) v = v + load_part(bias + i, width - i);
    if (residual) v = v + load_part(residual + i, width - i);
    store_part(y + i, v, width - i);
    total = total + v;
  }
  return sum(total);
}

HELPER float squares(const float *y, float mean, long width) {
  vec total = {}, m = all(mean);
  long i = 0;
  for (; i + LANES <= width; i += LANES) {
    vec d = load(y + i) - m;
    total = total + d * d;
  }
  float result = sum(total);
  for (; i < width; i++) result += (y[i] - mean) * (y[i] - mean);
  return result;
}

static void norm(
  const float *x, const float *bias, const float *residual, const float *gamma, const float *beta,
  float epsilon, float *y, long rows, long width
) {
  for (long row = 0; row < rows; row++, x += width, y += width) {
    float mean = gather_row(x, bias, residual, y, width) / (float)width;
    float variance = squares(y, mean, width) / (float)width;
    float scale = 1.0f / __builtin_sqrtf(variance + epsilon);
    vec m = all(mean), s = all(scale);
    long i = 0;
    for (; i + LANES <= width; i += LANES) {
      store(y + i, (load(y + i) - m) * s * load(gamma + i) + load(beta + i));
    }
    for (; i < width; i++) y[i] = (y[i] - mean) * scale * gamma[i] + beta[i];
    if (residual) residual += width;
  }
}

static void rms_norm(
  const float *x, const float *gain, float share, float epsilon, float *y, long rows, long width
) {
  for (long row = 0; row < rows; row++, x += width, y += width) {
    float scale = 1.0f / __builtin_sqrtf(squares(x, 0, width) * share + epsilon);
    vec s = all(scale);
    long i = 0;
    for (; i + LANES <= width; i += LANES) store(y + i, load(x + i) * s * load(gain + i));
    for (; i < width; i++) y[i] = x[i] * scale * gain[i];
  }
}

// NaN may be passed over here: exp keeps it.
HELPER float row_greatest(const float *x, long width) {
  vec most = all(-__builtin_inff());
  long i = 0;
  for (; i + LANES <= width; i += LANES) most = greater(load(x + i), most);
  float result = greatest(most);
  for (; i < width; i++) result = x[i] > result ? x[i] : result;
  return result;
}

static void softmax(const float *x, float *y, long rows, long width) {
  for (long row = 0; row < rows; row++, x += width, y += width) {
    vec most = all(row_greatest(x, width)), total = {};
    long i = 0;
    for (; i + LANES <= width; i += LANES) {
      vec e = vexp(load(x + i) - most);
      store(y + i, e);
      total = total + e;
    }
    if (i < width) {
      vec e = vexp(load_part(x + i, width - i) - most);
      store_part(y + i, e, width - i);
      total = total + load_part(y + i, width - i);
    }
    float scale = 1.0f / sum(total);
    for (i = 0; i + LANES <= width; i += LANES) store(y + i, load(y + i) * all(scale));
    for (; i < width; i++) y[i] *= scale;
  }
}
