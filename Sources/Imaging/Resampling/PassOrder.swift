/// The order of the passes; the levels between them are rounded, so it shows in the last bits.
enum PassOrder {
  /// Along the rows, then down the columns.
  case rowsFirst
  case columnsFirst

  /// The order that Pillow has from version 13 on: the height first, where it shrinks by more than
  /// twice the pixels that the width does. Earlier versions always begin along the rows.
  init(width: Int, height: Int, resized: (width: Int, height: Int)) {
    let lost = height - resized.height
    self = lost > 0 && lost > 2 * (width - resized.width) ? .columnsFirst : .rowsFirst
  }
}
