#include <stdio.h>
#include <stdlib.h>
// After stdio.h and stdlib.h, which it relies on.
#include <jerror.h>
#include <jpeglib.h>

#include "Decoder.h"

/// Real progressive files have about ten scans; each one passes over the whole image.
enum { maximum_scans = 100 };

typedef struct {
  ingot_decoder base;
  struct jpeg_decompress_struct jpeg;
  struct jpeg_error_mgr errors;
  struct jpeg_source_mgr source;
  struct jpeg_progress_mgr progress;
  bool is_created;
  bool is_started;
} jpeg_decoder;

static void on_error(j_common_ptr jpeg) {
  // What decodes arithmetic coding cannot come back for more and says so as an error.
  if (jpeg->err->msg_code == JERR_CANT_SUSPEND)
    ingot_decoder_fail(jpeg->client_data, INGOT_ENDS_EARLY);
  char message[JMSG_LENGTH_MAX];
  jpeg->err->format_message(jpeg, message);
  ingot_decoder_fail(jpeg->client_data, message);
}

// Warnings are of data that does not make sense but can be gone on with, as the references do.
static void on_message(j_common_ptr jpeg, int level) { (void)jpeg, (void)level; }
static void on_output(j_common_ptr jpeg) { (void)jpeg; }

static void count_scans(j_common_ptr jpeg) {
  if (((j_decompress_ptr)jpeg)->input_scan_number <= maximum_scans) return;
  char message[60];
  snprintf(message, sizeof message, "there are more than %d scans", maximum_scans);
  ingot_decoder_fail(jpeg->client_data, message);
}

static void nothing(j_decompress_ptr jpeg) { (void)jpeg; }

// The whole file is at hand: a wish for more means that it ends early, and the library comes back
// without result. The usual alternative, an invented end marker, would decode files cut off.
static boolean no_more(j_decompress_ptr jpeg) {
  (void)jpeg;
  return FALSE;
}

static void skip(j_decompress_ptr jpeg, long length) {
  if (length <= 0) return;
  size_t rest = jpeg->src->bytes_in_buffer;
  size_t step = (size_t)length < rest ? (size_t)length : rest;
  // What lies behind the end is asked for again, and refused.
  jpeg->src->next_input_byte += step;
  jpeg->src->bytes_in_buffer -= step;
}

static void resume(jpeg_decoder *decoder) {
  decoder->source.next_input_byte = decoder->base.bytes + decoder->base.offset;
  decoder->source.bytes_in_buffer = decoder->base.count - decoder->base.offset;
}

static void suspend(jpeg_decoder *decoder) {
  decoder->base.offset = decoder->base.count - decoder->source.bytes_in_buffer;
  decoder->source.next_input_byte = 0;
}

static void create(jpeg_decoder *decoder) {
  decoder->jpeg.err = jpeg_std_error(&decoder->errors);
  decoder->errors.error_exit = on_error;
  decoder->errors.emit_message = on_message;
  decoder->errors.output_message = on_output;
  decoder->jpeg.client_data = decoder;
  jpeg_create_decompress(&decoder->jpeg);
  decoder->is_created = true;
  decoder->progress.progress_monitor = count_scans;
  decoder->jpeg.progress = &decoder->progress;
  decoder->source.init_source = nothing;
  decoder->source.fill_input_buffer = no_more;
  decoder->source.skip_input_data = skip;
  decoder->source.resync_to_restart = jpeg_resync_to_restart;
  decoder->source.term_source = nothing;
  decoder->jpeg.src = &decoder->source;
}

static J_COLOR_SPACE color_space(jpeg_decoder *decoder) {
  switch (decoder->jpeg.num_components) {
    case 1: return JCS_GRAYSCALE;
    case 3: return JCS_RGB;
    case 4: return JCS_CMYK;
    default: ingot_decoder_fail(&decoder->base, "a pixel has neither 1, 3 nor 4 components");
  }
}

// Coefficients of all blocks, 64 of two bytes, are kept where a block comes in several scans.
static uint64_t whole_bytes(jpeg_decoder *decoder) {
  if (!jpeg_has_multiple_scans(&decoder->jpeg)) return 0;
  uint64_t blocks = 0;
  for (int index = 0; index < decoder->jpeg.num_components; ++index) {
    const jpeg_component_info *component = &decoder->jpeg.comp_info[index];
    blocks += (uint64_t)component->width_in_blocks * component->height_in_blocks;
  }
  return blocks * DCTSIZE2 * sizeof(JCOEF);
}

static void open_jpeg(ingot_decoder *base, ingot_image_facts *facts) {
  jpeg_decoder *decoder = (jpeg_decoder *)base;
  create(decoder);
  resume(decoder);
  if (jpeg_read_header(&decoder->jpeg, TRUE) != JPEG_HEADER_OK)
    ingot_decoder_fail(base, INGOT_ENDS_EARLY);
  decoder->jpeg.out_color_space = color_space(decoder);
  // The slow, exact inverse transform is the one whose results do not depend on the machine.
  decoder->jpeg.dct_method = JDCT_ISLOW;
  facts->width = decoder->jpeg.image_width;
  facts->height = decoder->jpeg.image_height;
  facts->samples = (uint32_t)decoder->jpeg.num_components;
  facts->row_bytes = (size_t)decoder->jpeg.image_width * facts->samples;
  facts->whole_bytes = whole_bytes(decoder);
  suspend(decoder);
}

static void next_row(ingot_decoder *base, uint8_t *row) {
  jpeg_decoder *decoder = (jpeg_decoder *)base;
  resume(decoder);
  if (!decoder->is_started && !jpeg_start_decompress(&decoder->jpeg))
    ingot_decoder_fail(base, INGOT_ENDS_EARLY);
  decoder->is_started = true;
  if (decoder->jpeg.output_scanline >= decoder->jpeg.output_height)
    ingot_decoder_fail(base, "there are no more rows");
  JSAMPROW rows[] = {row};
  if (jpeg_read_scanlines(&decoder->jpeg, rows, 1) != 1)
    ingot_decoder_fail(base, INGOT_ENDS_EARLY);
  suspend(decoder);
}

static void close_jpeg(ingot_decoder *base) {
  jpeg_decoder *decoder = (jpeg_decoder *)base;
  if (decoder->is_created) jpeg_destroy_decompress(&decoder->jpeg);
  free(decoder);
}

ingot_decoder *ingot_jpeg_create(void) {
  jpeg_decoder *decoder = calloc(1, sizeof *decoder);
  if (!decoder) return 0;
  decoder->base.open = open_jpeg;
  decoder->base.row = next_row;
  decoder->base.close = close_jpeg;
  return &decoder->base;
}

#define TEXT(value) #value
#define TEXT_OF(value) TEXT(value)

const char *ingot_jpeg_version(void) {
#ifdef LIBJPEG_TURBO_VERSION
  return TEXT_OF(LIBJPEG_TURBO_VERSION);
#else
  return TEXT_OF(JPEG_LIB_VERSION);
#endif
}
