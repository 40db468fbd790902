// exp, erf, tanh and what is made of them.
//
// Approach: exp by reduction to |r| <= ln 2 / 2 with ln 2 split in two (Cody and Waite), then a
// polynomial; tanh by an odd polynomial near 0 and by exp elsewhere; erf as x P(x²) / Q(x²) up to
// where it rounds to 1. The coefficients were fitted for this file: least squares in Chebyshev
// points, reweighted until the relative error is level (Lawson), then rounded to float.
// Errors, held by the tests against double: exp 2 units in the last place, tanh 2.5, erf 7.5 (that
// is 4.5e-7); gelu 1e-6.

HELPER vec vexp(vec x) {
  // Below, the result rounds to 0; above, to infinity. NaN passes both comparisons.
  x = choose(x < all(-104.0f), all(-104.0f), x);
  x = choose(x > all(89.0f), all(89.0f), x);
  // Adding 1.5 · 2²³ leaves the nearest integer in the low bits.
  vec shifted = x * all(1.44269504f) + all(12582912.0f);
  vec n = shifted - all(12582912.0f);
  vec r = x - n * all(0.693359375f);
  r = r - n * all(-2.12194440e-4f);
  vec p = all(1.3951717e-3f);
  p = p * r + all(8.369599e-3f);
  p = p * r + all(4.1666187e-2f);
  p = p * r + all(0.16666512f);
  p = p * r + all(0.5f);
  p = p * (r * r) + r;
  p = p + all(1.0f);
  // Times 2ⁿ in two steps, so that subnormal results are right.
  ivec exponent = (ivec)shifted - (ivec)all(12582912.0f);
  ivec half = exponent >> 1, rest = exponent - half;
  return p * (vec)((half + 127) << 23) * (vec)((rest + 127) << 23);
}

HELPER vec verf(vec x) {
  vec bounded = choose(x > all(3.92f), all(3.92f), x);
  bounded = choose(x < all(-3.92f), all(-3.92f), bounded);
  vec u = bounded * bounded;
  vec p = all(2.050086e-6f);
  p = p * u + all(2.8488372e-4f);
  p = p * u + all(3.7656473e-3f);
  p = p * u + all(5.2748818e-2f);
  p = p * u + all(0.19040713f);
  p = p * u + all(1.1283791f);
  vec q = all(3.8091755e-5f);
  q = q * u + all(1.1625435e-3f);
  q = q * u + all(1.4969277e-2f);
  q = q * u + all(0.11410939f);
  q = q * u + all(0.5020767f);
  q = q * u + all(1.0f);
  vec y = bounded * p / q;
  // Exactly 1 at the end, so that what is multiplied by 1 - erf vanishes.
  y = choose((x > all(3.92f)) | (y > all(1.0f)), all(1.0f), y);
  return choose((x < all(-3.92f)) | (y < all(-1.0f)), all(-1.0f), y);
}

HELPER vec vtanh(vec x) {
  vec magnitude = (vec)((ivec)x & 0x7fffffff);
  vec u = x * x;
  vec p = all(-5.717037e-3f);
  p = p * u + all(2.0650579e-2f);
  p = p * u + all(-5.3743497e-2f);
  p = p * u + all(0.13331491f);
  p = p * u + all(-0.33333284f);
  vec near_zero = x * (u * p) + x;
  vec far = all(1.0f) - all(2.0f) / (vexp(magnitude + magnitude) + all(1.0f));
  far = (vec)((ivec)far | ((ivec)x & (int)0x80000000));
  return choose(magnitude < all(0.625f), near_zero, far);
}

HELPER vec vsigmoid(vec x) { return all(1.0f) / (all(1.0f) + vexp(-x)); }

// x held between 0 and a bound; NaN passes both comparisons.
HELPER vec between(vec x, float most) {
  x = choose(x < all(0.0f), all(0.0f), x);
  return choose(x > all(most), all(most), x);
}

HELPER vec vhard_sigmoid(vec x) { return between(x * all(1.0f / 6.0f) + all(0.5f), 1.0f); }

// `function` is a constant wherever this is called, so no branch is left.
HELPER vec apply(ingot_function function, vec x) {
  switch (function) {
  case INGOT_IDENTITY: return x;
  case INGOT_RELU: return choose(x < all(0.0f), all(0.0f), x);
  case INGOT_SIGMOID: return vsigmoid(x);
  case INGOT_TANH: return vtanh(x);
  case INGOT_GELU_EXACT: {
    vec half = x * all(0.5f);
    return half + half * verf(x * all(0.70710678f));
  }
  case INGOT_GELU_TANH: {
    vec half = x * all(0.5f);
    vec inner = all(0.79788456f) * (x + all(0.044715f) * (x * x * x));
    return half + half * vtanh(inner);
  }
  case INGOT_GELU_SIGMOID: return x * vsigmoid(x * all(1.702f));
  case INGOT_EXP: return vexp(x);
  case INGOT_ERF: return verf(x);
  case INGOT_SQRT: return __builtin_elementwise_sqrt(x);
  case INGOT_SILU: return x * vsigmoid(x);
  case INGOT_HARD_SIGMOID: return vhard_sigmoid(x);
  case INGOT_HARD_SWISH: return x * vhard_sigmoid(x);
  case INGOT_RELU6: return between(x, 6.0f);
  }
  return x;
}
