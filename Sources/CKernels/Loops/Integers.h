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

static long large_places(
  const int *values, const int *floors, int floor, long count, int *places
) {
  long found = 0;
  for (long i = 0; i < count; i += PRODUCT_LANES) {
    pvec v = load_integers(values + i);
    pvec is_large = (v > floor) | (v > load_integers(floors + i));
    if (!__builtin_reduce_or(is_large)) continue;
    for (int lane = 0; lane < PRODUCT_LANES; lane++) {
      if (is_large[lane]) places[found++] = (int)i + lane;
    }
  }
  return found;
}
