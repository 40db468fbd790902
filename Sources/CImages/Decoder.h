#ifndef INGOT_DECODER_H
#define INGOT_DECODER_H

#include <setjmp.h>

#include "CImages.h"

/// What both kinds begin with.
struct ingot_decoder {
  /// The file, for the time of one call.
  const uint8_t *bytes;
  size_t count;
  /// How much of the file has been read.
  size_t offset;
  /// Where a fault goes.
  jmp_buf jump;
  char message[200];
  void (*open)(ingot_decoder *, ingot_image_facts *);
  void (*row)(ingot_decoder *, uint8_t *);
  void (*close)(ingot_decoder *);
};

/// A decoder that has not read anything yet, or null without memory.
ingot_decoder *ingot_png_create(void);
ingot_decoder *ingot_jpeg_create(void);

/// Ends the call with a fault.
_Noreturn void ingot_decoder_fail(ingot_decoder *decoder, const char *message);

#define INGOT_ENDS_EARLY "the file ends before the image does"

#endif
