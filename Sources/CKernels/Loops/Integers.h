// Exact products of rows of 16-bit integers, and the places of large ones.

#define PANEL INGOT_INTEGER_PANEL

// As wide as the instruction that multiplies 16-bit integers and adds neighbours; AVX-512 F alone has
// it for no more lanes than AVX2. Sums of PRODUCT_ROWS rows fill most of 16 registers; of 32 with VNNI
// half, as many as its latency needs.
#if defined(VNNI)
#define PRODUCT_LANES 16
#define PRODUCT_ROWS 16
#elif LANES >= 8
#define PRODUCT_LANES 8
#define PRODUCT_ROWS 6
#else
#define PRODUCT_LANES 4
#define PRODUCT_ROWS 2
#endif
#define PRODUCT_VECTORS (PANEL / PRODUCT_LANES)

typedef int pvec __attribute__((vector_size(4 * PRODUCT_LANES)));
typedef int pvec_in_memory __attribute__((vector_size(4 * PRODUCT_LANES), aligned(4), may_alias));
typedef unsigned upvec __attribute__((vector_size(4 * PRODUCT_LANES)));
typedef short svec __attribute__((vector_size(4 * PRODUCT_LANES)));

HELPER pvec load_integers(const int *p) { return *(const pvec_in_memory *)p; }

// Each lane holds two integers: a sum with the products of both.
HELPER pvec with_products(pvec sum, pvec a, pvec b) {
#if defined(VNNI)
  return (pvec)_mm512_dpwssd_epi32((__m512i)sum, (__m512i)a, (__m512i)b);
#elif defined(__x86_64__) && PRODUCT_LANES == 8
  return sum + (pvec)__builtin_ia32_pmaddwd256((svec)a, (svec)b);
#elif defined(__x86_64__)
  return sum + (pvec)__builtin_ia32_pmaddwd128((svec)a, (svec)b);
#else
  // Shifted up as a whole and down with its sign, the lower integer is alone.
  pvec a_low = (pvec)((upvec)a << 16) >> 16, b_low = (pvec)((upvec)b << 16) >> 16;
  return sum + a_low * b_low + (a >> 16) * (b >> 16);
#endif
}

// Some rows, from `first` on, by a panel of others.
HELPER void panel_products(
  const int *rows, long first, int count, const int *columns, int *products, long stride, long pairs
) {
  const int *left[PRODUCT_ROWS];
  for (int r = 0; r < count; r++) {
    left[r] = rows + (first + r) / PANEL * pairs * PANEL + (first + r) % PANEL;
  }
  pvec sums[PRODUCT_ROWS][PRODUCT_VECTORS] = {};
  for (long pair = 0; pair < pairs; pair++) {
    pvec right[PRODUCT_VECTORS];
    for (int v = 0; v < PRODUCT_VECTORS; v++) {
      right[v] = load_integers(columns + pair * PANEL + v * PRODUCT_LANES);
    }
    for (int r = 0; r < count; r++) {
      pvec one = left[r][pair * PANEL] - (pvec){};
      for (int v = 0; v < PRODUCT_VECTORS; v++) sums[r][v] = with_products(sums[r][v], one, right[v]);
    }
  }
  for (int r = 0; r < count; r++) {
    int *row = products + (first + r) * stride;
    for (int v = 0; v < PRODUCT_VECTORS; v++) {
      *(pvec_in_memory *)(row + v * PRODUCT_LANES) = sums[r][v];
    }
  }
}

static void integer_products(
  const int *rows, const int *columns, int *products, long row_panels, long column_panels,
  long pairs
) {
  long stride = column_panels * PANEL, count = row_panels * PANEL;
  for (long c = 0; c < column_panels; c++) {
    const int *right = columns + c * pairs * PANEL;
    int *output = products + c * PANEL;
    long r = 0;
    for (; r + PRODUCT_ROWS <= count; r += PRODUCT_ROWS) {
      panel_products(rows, r, PRODUCT_ROWS, right, output, stride, pairs);
    }
    // A panel has an even number of rows.
    for (; r < count; r += 2) panel_products(rows, r, 2, right, output, stride, pairs);
  }
}

static int integer_product(const short *row, const short *other, long count) {
  long i = 0;
  int sum = 0;
#if defined(VNNI)
  __m512i sums[2] = {};
  for (; i + 64 <= count; i += 64) {
    for (int v = 0; v < 2; v++) {
      __m512i left = _mm512_loadu_si512(row + i + 32 * v);
      sums[v] = _mm512_dpwssd_epi32(sums[v], left, _mm512_loadu_si512(other + i + 32 * v));
    }
  }
  sum = _mm512_reduce_add_epi32(_mm512_add_epi32(sums[0], sums[1]));
#endif
  for (; i < count; i++) sum += row[i] * other[i];
  return sum;
}

#if defined(VNNI)
// Row panels whose sums are kept at a time.
#define CHUNK 16

// The instruction multiplies unsigned by signed integers: 128 is added to those of columns, and 128 times
// the sum of each row is taken from the products.
HELPER __m512i raised(void) { return _mm512_set1_epi8((char)0x80); }

// For each row of a panel 128 times the sum of its integers.
HELPER __m512i raised_sums(const int *rows, long quads) {
  __m512i sums[4] = {};
  long quad = 0;
  for (; quad + 4 <= quads; quad += 4) {
    for (int v = 0; v < 4; v++) {
      __m512i row = _mm512_loadu_si512(rows + (quad + v) * PANEL);
      sums[v] = _mm512_dpbusd_epi32(sums[v], raised(), row);
    }
  }
  for (; quad < quads; quad++) {
    sums[0] = _mm512_dpbusd_epi32(sums[0], raised(), _mm512_loadu_si512(rows + quad * PANEL));
  }
  __m512i left = _mm512_add_epi32(sums[0], sums[1]), right = _mm512_add_epi32(sums[2], sums[3]);
  return _mm512_add_epi32(left, right);
}

// A panel of rows by a panel of others.
HELPER void panel_byte_products(
  const int *rows, const int *columns, const int *more, const float *row_scales,
  const float *column_scales, int *products, long stride, long quads
) {
  __m512i sums[PANEL] = {};
  for (long quad = 0; quad < quads; quad++) {
    __m512i right = _mm512_xor_si512(_mm512_loadu_si512(columns + quad * PANEL), raised());
    for (int r = 0; r < PANEL; r++) {
      sums[r] = _mm512_dpbusd_epi32(sums[r], right, _mm512_set1_epi32(rows[quad * PANEL + r]));
    }
  }
  __m512 scales = _mm512_loadu_ps(column_scales);
#pragma unroll
  for (int r = 0; r < PANEL; r++) {
    __m512i sum = _mm512_sub_epi32(sums[r], _mm512_set1_epi32(more[r]));
    __m512 scaled = _mm512_mul_ps(_mm512_cvtepi32_ps(sum), _mm512_set1_ps(row_scales[r]));
    _mm512_storeu_si512(products + r * stride, _mm512_cvttps_epi32(_mm512_mul_ps(scaled, scales)));
  }
}

static void byte_products(
  const int *rows, const int *columns, const float *row_scales, const float *column_scales,
  int *products, long row_panels, long column_panels, long quads
) {
  long size = quads * PANEL, stride = column_panels * PANEL;
  for (long first = 0; first < row_panels; first += CHUNK) {
    long count = row_panels - first < CHUNK ? row_panels - first : CHUNK;
    int more[CHUNK * PANEL];
    for (long r = 0; r < count; r++) {
      _mm512_storeu_si512(more + r * PANEL, raised_sums(rows + (first + r) * size, quads));
    }
    for (long c = 0; c < column_panels; c++) {
      for (long r = 0; r < count; r++) {
        long row = (first + r) * PANEL;
        panel_byte_products(
          rows + row * quads, columns + c * size, more + r * PANEL, row_scales + row,
          column_scales + c * PANEL, products + row * stride + c * PANEL, stride, quads);
      }
    }
  }
}
#endif

static long large_places(
  const int *values, const int *floors, int floor, long count, int *places
) {
  long found = 0;
  for (long i = 0; i < count; i += PRODUCT_LANES) {
    pvec v = load_integers(values + i);
#if defined(VNNI)
    __m512i vector = (__m512i)v;
    __mmask16 is_large = _mm512_cmpgt_epi32_mask(vector, _mm512_set1_epi32(floor))
      | _mm512_cmpgt_epi32_mask(vector, _mm512_loadu_si512(floors + i));
    for (unsigned rest = is_large; rest; rest &= rest - 1) {
      places[found++] = (int)i + __builtin_ctz(rest);
    }
#else
    pvec is_large = (v > floor) | (v > load_integers(floors + i));
    if (!__builtin_reduce_or(is_large)) continue;
    for (int lane = 0; lane < PRODUCT_LANES; lane++) {
      if (is_large[lane]) places[found++] = (int)i + lane;
    }
#endif
  }
  return found;
}
