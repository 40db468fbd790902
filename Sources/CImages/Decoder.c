#include "Decoder.h"

#include <stdio.h>

static void say(char *message, size_t capacity, const char *text) {
  snprintf(message, capacity, "%s", text);
}

_Noreturn void ingot_decoder_fail(ingot_decoder *decoder, const char *message) {
  say(decoder->message, sizeof decoder->message, message);
  longjmp(decoder->jump, 1);
}

ingot_decoder *ingot_decoder_open(
    ingot_image_kind kind, const uint8_t *bytes, size_t count, ingot_image_facts *facts,
    char *message, size_t capacity) {
  ingot_decoder *decoder = kind == INGOT_PNG ? ingot_png_create() : ingot_jpeg_create();
  if (!decoder) {
    say(message, capacity, "no memory is left");
    return 0;
  }
  decoder->bytes = bytes;
  decoder->count = count;
  if (setjmp(decoder->jump)) {
    say(message, capacity, decoder->message);
    ingot_decoder_close(decoder);
    return 0;
  }
  decoder->open(decoder, facts);
  return decoder;
}

bool ingot_decoder_row(
    ingot_decoder *decoder, const uint8_t *bytes, size_t count, uint8_t *row, char *message,
    size_t capacity) {
  decoder->bytes = bytes;
  decoder->count = count;
  if (setjmp(decoder->jump)) {
    say(message, capacity, decoder->message);
    return false;
  }
  decoder->row(decoder, row);
  return true;
}

void ingot_decoder_close(ingot_decoder *decoder) { decoder->close(decoder); }
