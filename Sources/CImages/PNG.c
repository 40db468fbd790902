#include <png.h>
#include <stdlib.h>
#include <string.h>

#include "Decoder.h"

typedef struct {
  ingot_decoder base;
  png_structp png;
  png_infop info;
  size_t row_bytes;
  png_uint_32 height;
  /// All rows of an interlaced image, and the next one to give.
  uint8_t *image;
  png_uint_32 next_row;
  bool is_interlaced;
} png_decoder;

static void on_error(png_structp png, png_const_charp message) {
  ingot_decoder_fail(png_get_error_ptr(png), message);
}

// What libpng only warns of is no fault in a picture.
static void on_warning(png_structp png, png_const_charp message) { (void)png, (void)message; }

static void read_bytes(png_structp png, png_bytep out, size_t length) {
  ingot_decoder *base = png_get_io_ptr(png);
  if (length > base->count - base->offset) png_error(png, INGOT_ENDS_EARLY);
  memcpy(out, base->bytes + base->offset, length);
  base->offset += length;
}

// Checksums are the caller's matter where they count. Of chunks that may be left out, only tRNS is
// read: the others (colour profiles, texts, times, animations) do not change what is decoded here.
static void prepare(png_decoder *decoder) {
  png_set_read_fn(decoder->png, decoder, read_bytes);
  png_set_crc_action(decoder->png, PNG_CRC_QUIET_USE, PNG_CRC_QUIET_USE);
  png_set_keep_unknown_chunks(decoder->png, PNG_HANDLE_CHUNK_NEVER, 0, -1);
  png_set_benign_errors(decoder->png, 1);
}

static void set_samples(png_decoder *decoder) {
  int depth = png_get_bit_depth(decoder->png, decoder->info);
  int color = png_get_color_type(decoder->png, decoder->info);
  if (depth < 8) png_set_packing(decoder->png);
  if (depth == 16 && color != PNG_COLOR_TYPE_GRAY) png_set_strip_16(decoder->png);
  decoder->is_interlaced = png_set_interlace_handling(decoder->png) > 1;
}

// The row that libpng will give, worked out before it takes memory for it.
static size_t row_bytes(const png_decoder *decoder) {
  int depth = png_get_bit_depth(decoder->png, decoder->info);
  int color = png_get_color_type(decoder->png, decoder->info);
  size_t width = png_get_image_width(decoder->png, decoder->info);
  size_t samples = png_get_channels(decoder->png, decoder->info);
  return width * samples * (depth == 16 && color == PNG_COLOR_TYPE_GRAY ? 2 : 1);
}

static void open_png(ingot_decoder *base, ingot_image_facts *facts) {
  png_decoder *decoder = (png_decoder *)base;
  decoder->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, base, on_error, on_warning);
  if (!decoder->png) ingot_decoder_fail(base, "libpng does not start");
  decoder->info = png_create_info_struct(decoder->png);
  if (!decoder->info) ingot_decoder_fail(base, "no memory is left");
  prepare(decoder);
  png_read_info(decoder->png, decoder->info);
  set_samples(decoder);
  decoder->row_bytes = row_bytes(decoder);
  decoder->height = png_get_image_height(decoder->png, decoder->info);
  facts->width = png_get_image_width(decoder->png, decoder->info);
  facts->height = decoder->height;
  facts->row_bytes = decoder->row_bytes;
  facts->samples = png_get_channels(decoder->png, decoder->info);
  facts->whole_bytes =
      decoder->is_interlaced ? (uint64_t)decoder->row_bytes * decoder->height : 0;
}

static void start(png_decoder *decoder) {
  png_read_update_info(decoder->png, decoder->info);
  if (png_get_rowbytes(decoder->png, decoder->info) != decoder->row_bytes)
    ingot_decoder_fail(&decoder->base, "libpng gives rows of another length");
  if (!decoder->is_interlaced) return;
  decoder->image = calloc(decoder->height, decoder->row_bytes);
  if (!decoder->image) ingot_decoder_fail(&decoder->base, "no memory is left");
  for (int pass = 0; pass < PNG_INTERLACE_ADAM7_PASSES; ++pass)
    for (png_uint_32 y = 0; y < decoder->height; ++y)
      png_read_row(decoder->png, decoder->image + y * decoder->row_bytes, 0);
}

static void next_row(ingot_decoder *base, uint8_t *row) {
  png_decoder *decoder = (png_decoder *)base;
  if (decoder->next_row >= decoder->height) ingot_decoder_fail(base, "there are no more rows");
  if (decoder->next_row == 0) start(decoder);
  if (decoder->is_interlaced)
    memcpy(row, decoder->image + decoder->next_row * decoder->row_bytes, decoder->row_bytes);
  else
    png_read_row(decoder->png, row, 0);
  ++decoder->next_row;
}

static void close_png(ingot_decoder *base) {
  png_decoder *decoder = (png_decoder *)base;
  png_destroy_read_struct(&decoder->png, &decoder->info, 0);
  free(decoder->image);
  free(decoder);
}

ingot_decoder *ingot_png_create(void) {
  png_decoder *decoder = calloc(1, sizeof *decoder);
  if (!decoder) return 0;
  decoder->base.open = open_png;
  decoder->base.row = next_row;
  decoder->base.close = close_png;
  return &decoder->base;
}

const char *ingot_png_version(void) { return png_get_libpng_ver(0); }

bool ingot_png_write(
    const uint8_t *rows, uint32_t width, uint32_t height, uint8_t *out, size_t *count) {
  png_image image = {.version = PNG_IMAGE_VERSION, .width = width, .height = height};
  image.format = PNG_FORMAT_RGB;
  if (!out) {
    *count = PNG_IMAGE_PNG_SIZE_MAX(image);
    return true;
  }
  png_alloc_size_t size = *count;
  bool is_written = png_image_write_to_memory(&image, out, &size, 0, rows, 0, NULL);
  *count = size;
  return is_written;
}
