// One head of attention, whole rows of scores at a time.
//
// Keys are laid out transposed, and values in rows of whole vectors unless they lie so already,
// both padded with zeros, so that the two products are plain outer-product tiles held in
// registers. A padded score gets −∞
// from the mask and counts for nothing. Each row's arithmetic is the same in every tile size, so a
// result does not depend on which rows stand beside it.

typedef struct {
  float *keys;          // [width, padded_keys]
  const float *values;  // [key_count, padded_width], rows value_stride apart
  float *scores;        // [VALUE_ROWS, padded_keys]
  float *mask;          // [padded_keys]
  long padded_keys, padded_width, value_stride;
} workspace;

HELPER long padded(long count) { return (count + LANES - 1) / LANES * LANES; }

HELPER workspace lay_out(const ingot_attention *head) {
  workspace w = {
    .padded_keys = padded(head->key_count), .padded_width = padded(head->width)
  };
  w.keys = head->scratch;
  float *values = w.keys + w.padded_keys * head->width;
  w.scores = values + head->key_count * w.padded_width;
  w.mask = w.scores + 8 * w.padded_keys;
  int is_whole = w.padded_width == head->width;
  w.values = is_whole ? head->value : values;
  w.value_stride = is_whole ? head->value_stride : w.padded_width;
  return w;
}

static void pack_values(const ingot_attention *head, workspace w) {
  float *row = w.keys + w.padded_keys * head->width;
  for (long k = 0; k < head->key_count; k++, row += w.padded_width) {
    const float *value = head->value + k * head->value_stride;
    for (long d = 0; d < head->width; d++) row[d] = value[d];
    for (long d = head->width; d < w.padded_width; d++) row[d] = 0;
  }
}

static void pack_keys(const ingot_attention *head, workspace w) {
  for (long k = 0; k < head->key_count; k++) {
    const float *key = head->key + k * head->key_stride;
    for (long d = 0; d < head->width; d++) w.keys[d * w.padded_keys + k] = key[d];
  }
  for (long d = 0; d < head->width; d++) {
    for (long k = head->key_count; k < w.padded_keys; k++) w.keys[d * w.padded_keys + k] = 0;
  }
}

static void read_mask(const ingot_attention *head, workspace w, long row) {
  if (head->mask) {
    const float *mask = head->mask + row * head->mask_row_stride;
    for (long k = 0; k < head->key_count; k++) w.mask[k] = mask[k * head->mask_column_stride];
  } else {
    for (long k = 0; k < head->key_count; k++) w.mask[k] = 0;
  }
  for (long k = head->key_count; k < w.padded_keys; k++) w.mask[k] = -__builtin_inff();
}

// scores[r, k] = query[r] · key[k] for `rows` rows and `vectors` vectors of keys from `first` on.
HELPER void score_tile(
  const ingot_attention *head, workspace w, const float *query, float *scores, long first,
  const int rows, const int vectors
) {
  vec tile[SCORE_ROWS][SCORE_VECTORS] = {};
  for (long d = 0; d < head->width; d++) {
    const float *keys = w.keys + d * w.padded_keys + first;
    for (int r = 0; r < rows; r++) {
      vec q = all(query[r * head->query_stride + d]);
      for (int v = 0; v < vectors; v++) tile[r][v] += q * load(keys + v * LANES);
    }
  }
  for (int r = 0; r < rows; r++) {
    for (int v = 0; v < vectors; v++) {
      store(scores + r * w.padded_keys + first + v * LANES, tile[r][v]);
    }
  }
}

HELPER void score_rows(
  const ingot_attention *head, workspace w, const float *query, float *scores, const int rows
) {
  long k = 0;
  for (; k + SCORE_VECTORS * LANES <= w.padded_keys; k += SCORE_VECTORS * LANES) {
    score_tile(head, w, query, scores, k, rows, SCORE_VECTORS);
  }
  for (; k < w.padded_keys; k += LANES) score_tile(head, w, query, scores, k, rows, 1);
}

// Turns a row of scores into exponentials; returns one over their sum.
HELPER float weigh(const ingot_attention *head, workspace w, float *scores) {
  vec scale = all(head->scale), most = all(-__builtin_inff()), total = {};
  for (long k = 0; k < w.padded_keys; k += LANES) {
    vec s = load(scores + k) * scale + load(w.mask + k);
    store(scores + k, s);
    most = greater(s, most);
  }
  most = all(greatest(most));
  for (long k = 0; k < w.padded_keys; k += LANES) {
    vec e = vexp(load(scores + k) - most);
    store(scores + k, e);
    total = total + e;
  }
  return 1.0f / sum(total);
}

// output[r] = Σ scores[r, k] · value[k] · scale[r], for `vectors` vectors of the width.
HELPER void value_tile(
  const ingot_attention *head, workspace w, const float *scores, const float *scale, float *output,
  long first, const int rows, const int vectors
) {
  vec tile[VALUE_ROWS][VALUE_VECTORS] = {};
  for (long k = 0; k < head->key_count; k++) {
    const float *values = w.values + k * w.value_stride + first;
    for (int r = 0; r < rows; r++) {
      vec s = all(scores[r * w.padded_keys + k]);
      for (int v = 0; v < vectors; v++) tile[r][v] += s * load(values + v * LANES);
    }
  }
  for (int r = 0; r < rows; r++) {
    for (int v = 0; v < vectors; v++) {
      float *out = output + r * head->output_stride + first + v * LANES;
      long left = head->width - first - v * LANES;
      vec result = tile[r][v] * all(scale[r]);
      if (left >= LANES) store(out, result); else store_part(out, result, left);
    }
  }
}

HELPER void value_rows(
  const ingot_attention *head, workspace w, const float *scores, const float *scale, float *output,
  const int rows
) {
  long d = 0;
  for (; d + VALUE_VECTORS * LANES <= w.padded_width; d += VALUE_VECTORS * LANES) {
    value_tile(head, w, scores, scale, output, d, rows, VALUE_VECTORS);
  }
  for (; d < w.padded_width; d += LANES) value_tile(head, w, scores, scale, output, d, rows, 1);
}

// VALUE_ROWS rows of queries (or fewer at the end) from scores to output.
static void attend(const ingot_attention *head, workspace w, long first, long count) {
  const float *query = head->query + first * head->query_stride;
  float scale[VALUE_ROWS];
  long r = 0;
  for (; r + SCORE_ROWS <= count; r += SCORE_ROWS) {
    score_rows(
      head, w, query + r * head->query_stride, w.scores + r * w.padded_keys, SCORE_ROWS);
  }
  for (; r < count; r++) {
    score_rows(head, w, query + r * head->query_stride, w.scores + r * w.padded_keys, 1);
  }
  for (r = 0; r < count; r++) {
    if (head->mask_row_stride) read_mask(head, w, first + r);
    scale[r] = weigh(head, w, w.scores + r * w.padded_keys);
  }
  float *output = head->output + first * head->output_stride;
  if (count == VALUE_ROWS) {
    value_rows(head, w, w.scores, scale, output, VALUE_ROWS);
  } else {
    for (r = 0; r < count; r++) {
      value_rows(
        head, w, w.scores + r * w.padded_keys, scale + r, output + r * head->output_stride, 1);
    }
  }
}

static void attention(const ingot_attention *head) {
  workspace w = lay_out(head);
  pack_keys(head, w);
  if (w.values != head->value) pack_values(head, w);
  read_mask(head, w, 0);
  for (long q = 0; q < head->query_count; q += VALUE_ROWS) {
    long left = head->query_count - q;
    attend(head, w, q, left < VALUE_ROWS ? left : VALUE_ROWS);
  }
}
