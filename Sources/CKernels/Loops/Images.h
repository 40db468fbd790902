// Loops over the channels of images: scale, shift and function, and depthwise convolution.

HELPER void channel_map_one(
  ingot_function function, float *x, const float *scale, const float *shift, long channels,
  long width, long stride
) {
  for (long channel = 0; channel < channels; channel++, x += stride) {
    vec s = all(scale[channel]), b = all(shift[channel]);
    long i = 0;
    for (; i + LANES <= width; i += LANES) store(x + i, apply(function, load(x + i) * s + b));
    if (i < width) {
      store_part(x + i, apply(function, load_part(x + i, width - i) * s + b), width - i);
    }
  }
}

static void channel_map(
  ingot_function function, float *x, const float *scale, const float *shift, long channels,
  long width, long stride
) {
#define CHANNEL_MAP(F) channel_map_one(F, x, scale, shift, channels, width, stride)
  EACH_FUNCTION(CHANNEL_MAP)
#undef CHANNEL_MAP
}

// The padded plane is held as `across` planes of its own, one for each remainder of the column: then
// the pixels under one weight lie side by side for every stride.
typedef struct {
  // Floats from one column remainder to the next, and from one padded row to the next.
  long pitch, row;
  // Where each column of the window begins in a row.
  long columns[INGOT_DEPTHWISE_COLUMNS];
} depthwise_layout;

HELPER depthwise_layout depthwise_layout_of(const ingot_depthwise *d) {
  depthwise_layout layout;
  layout.pitch = ingot_depthwise_pitch(d);
  layout.row = layout.pitch * d->across;
  for (long j = 0; j < d->window_width; j++) {
    long column = j * d->dilation_across;
    layout.columns[j] = column % d->across * layout.pitch + column / d->across;
  }
  return layout;
}

// Copies one plane into the middle of the padded one, whose border stays zero.
static void depthwise_copy(
  const ingot_depthwise *d, const depthwise_layout *layout, const float *x, float *padded
) {
  long rows = ingot_depthwise_rows(d), width = layout->pitch * d->across;
  for (long y = 0; y < d->height && y + d->top < rows; y++) {
    float *row = padded + (y + d->top) * layout->row;
    const float *source = x + y * d->width;
    long count = d->width < width - d->left ? d->width : width - d->left;
    if (d->across == 1) {
      __builtin_memcpy(row + d->left, source, (unsigned long)(count > 0 ? count : 0) * sizeof(float));
      continue;
    }
    for (long phase = 0; phase < d->across; phase++) {
      // The first pixel of this remainder.
      long first = (phase - d->left % d->across + d->across) % d->across;
      float *target = row + phase * layout->pitch + (first + d->left) / d->across;
      for (long i = first; i < count; i += d->across) *target++ = source[i];
    }
  }
}

// `rows` rows of one vector of columns.
HELPER void depthwise_block(
  const ingot_depthwise *d, const depthwise_layout *layout, const float *padded,
  const float *weight, vec scale, vec shift, float *y, long first, long column, int rows
) {
  vec sums[4] = {};
  const float *base = padded + first * d->down * layout->row + column;
  long step = d->down * layout->row;
  for (long i = 0; i < d->window_height; i++) {
    const float *line = base + i * d->dilation_down * layout->row;
    for (long j = 0; j < d->window_width; j++) {
      vec w = all(*weight++);
      const float *place = line + layout->columns[j];
      for (int r = 0; r < rows; r++) sums[r] = sums[r] + load(place + r * step) * w;
    }
  }
  long size = d->out_height * d->out_width;
  for (int r = 0; r < rows; r++) {
    vec v = sums[r] * scale + shift;
    long place = (first + r) * d->out_width + column, rest = d->out_width - column;
    // What a whole vector writes too far is written again by the rows below.
    if (rest >= LANES || place + LANES <= size) store(y + place, v);
    else store_part(y + place, v, rest);
  }
}

// From the last column back, so that what is written too far is written before the right values.
static void depthwise_plane(
  const ingot_depthwise *d, const depthwise_layout *layout, const float *padded,
  const float *weight, vec scale, vec shift, float *y
) {
  long last = (d->out_width - 1) / LANES * LANES, row = 0;
  for (; row + 4 <= d->out_height; row += 4) {
    for (long column = last; column >= 0; column -= LANES) {
      depthwise_block(d, layout, padded, weight, scale, shift, y, row, column, 4);
    }
  }
  for (; row < d->out_height; row++) {
    for (long column = last; column >= 0; column -= LANES) {
      depthwise_block(d, layout, padded, weight, scale, shift, y, row, column, 1);
    }
  }
}

static void depthwise(const ingot_depthwise *d) {
  depthwise_layout layout = depthwise_layout_of(d);
  long count = ingot_depthwise_rows(d) * layout.row, size = d->out_height * d->out_width;
  for (long i = 0; i < count; i++) d->scratch[i] = 0;
  for (long channel = 0; channel < d->channels; channel++) {
    float *y = d->y + channel * size;
    if (channel % d->multiplier == 0) {
      depthwise_copy(
        d, &layout, d->x + channel / d->multiplier * d->height * d->width, d->scratch);
    }
    depthwise_plane(
      d, &layout, d->scratch, d->weight + channel * d->window_height * d->window_width,
      all(d->scale[channel]), all(d->shift[channel]), y);
    if (d->function != INGOT_IDENTITY) map(d->function, y, y, size);
  }
}
