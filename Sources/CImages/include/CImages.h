#ifndef INGOT_CIMAGES_H
#define INGOT_CIMAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// PNG and JPEG, row by row, by libpng and libjpeg. Both report faults by jumping out of their
// callers; here each fault ends in a plain answer with a text, so that no jump crosses Swift.
//
// The bytes of the file are given with each call, the same ones, and kept by none.

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ingot_decoder ingot_decoder;

typedef enum { INGOT_PNG, INGOT_JPEG } ingot_image_kind;

/// What a decoder says of an image before it decodes any of it.
typedef struct {
  uint32_t width;
  uint32_t height;
  /// Of one row. PNG: samples of 1 to 8 bits take a byte each; of 16 bits, two bytes, high one first,
  /// in gray images, else the high byte only. JPEG: one sample, R G B, or C M Y K as they stand.
  size_t row_bytes;
  /// Samples of one pixel.
  uint32_t samples;
  /// What it will hold besides a few rows because rows do not come in order; 0 if they do.
  uint64_t whole_bytes;
} ingot_image_facts;

/// Reads the head of a file and takes no memory that depends on the size of the image.
///
/// - Parameter message: where a text of at most `capacity` bytes, its end included, goes at a fault.
/// - Returns: what decodes its rows, or null at a fault.
ingot_decoder *_Nullable ingot_decoder_open(
    ingot_image_kind kind, const uint8_t *_Nullable bytes, size_t count,
    ingot_image_facts *_Nonnull facts, char *_Nonnull message, size_t capacity);

/// Decodes the next row of `row_bytes` bytes; call it as often as there are rows, until a fault.
bool ingot_decoder_row(
    ingot_decoder *_Nonnull decoder, const uint8_t *_Nullable bytes, size_t count,
    uint8_t *_Nonnull row, char *_Nonnull message, size_t capacity);

/// Writes a PNG of rows of R G B.
///
/// - Parameter out: where the file goes; null to learn how large it can get.
/// - Parameter count: bytes that `out` has, then those of the file.
/// - Returns: false at a fault.
bool ingot_png_write(
    const uint8_t *_Nonnull rows, uint32_t width, uint32_t height, uint8_t *_Nullable out,
    size_t *_Nonnull count);

void ingot_decoder_close(ingot_decoder *_Nonnull decoder);

/// The versions of the libraries: of libpng the one that runs, of libjpeg the one it was built with,
/// which does not say itself.
const char *_Nonnull ingot_png_version(void);
const char *_Nonnull ingot_jpeg_version(void);

#ifdef __cplusplus
}
#endif

#endif
