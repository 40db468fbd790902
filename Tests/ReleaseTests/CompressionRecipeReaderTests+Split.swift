// Tables in two parts.
extension CompressionRecipeReaderTests {
  /// The sound recipe with another scheme in line 10.
  private static func split(_ name: String, _ scheme: String, _ faults: String...) -> Case {
    let old = "{scheme: int4, groupSize: 64}"
    return Case(
      name, text: sound.replacing(old, with: scheme), faults: faults.map { "10:\($0)" })
  }

  static let splits = [
    split(
      "a table in two parts",
      "{scheme: split, rows: 4000, first: {scheme: palettize, bits: 6, granularity: "
        + "per-group, groupSize: 8}, rest: {scheme: int8}}"),
    split(
      "parts without rows",
      "{scheme: split, first: {scheme: int8}, rest: {scheme: int8}}",
      "10: the key 'rows' is missing [say how many rows are the first: 'rows: 4000']"),
    split(
      "parts of empty rows",
      "{scheme: split, rows: , first: {scheme: int8}, rest: {scheme: int8}}",
      "32: 'rows' is empty [say how many rows are the first: 'rows: 4000']"),
    split(
      "rows in words",
      "{scheme: split, rows: many, first: {scheme: int8}, rest: {scheme: int8}}",
      "32: 'rows' is 'many', expected a whole number"),
    split(
      "rows of none",
      "{scheme: split, rows: 0, first: {scheme: int8}, rest: {scheme: int8}}",
      "32: a table cannot be split after 0 rows; choose at least 1 and fewer than it has"),
    split(
      "no first part",
      "{scheme: split, rows: 8, rest: {scheme: int8}}",
      "10: the key 'first' is missing [say how these rows are stored: 'first: {scheme: "
        + "int8}']"),
    split(
      "no other part",
      "{scheme: split, rows: 8, first: {scheme: int8}}",
      "10: the key 'rest' is missing [say how these rows are stored: 'rest: {scheme: "
        + "int8}']"),
    split(
      "nothing but split",
      "{scheme: split}",
      "10: the key 'rows' is missing [say how many rows are the first: 'rows: 4000']",
      "10: the key 'first' is missing [say how these rows are stored: 'first: {scheme: "
        + "int8}']",
      "10: the key 'rest' is missing [say how these rows are stored: 'rest: {scheme: "
        + "int8}']"),
    split(
      "parts in words",
      "{scheme: split, rows: 8, first: keep, rest: int8}",
      "42: 'first' is 'keep', expected a group of keys",
      "54: 'rest' is 'int8', expected a group of keys"),
    split(
      "parts that no table has",
      "{scheme: split, rows: 8, first: {scheme: none}, rest: {scheme: unique}}",
      "51: the parts of a split table are integers or palettes, not none",
      "73: the parts of a split table are integers or palettes, not unique"),
    split(
      "parts of a part",
      "{scheme: split, rows: 8, first: {scheme: int8}, rest: {scheme: split, rows: 8, "
        + "first: {scheme: int8}, rest: {scheme: int8}}}",
      "73: the parts of a split table are integers or palettes, not split"),
    split(
      "faults of parts",
      "{scheme: split, rows: 8, first: {scheme: palettize}, rest: {scheme: int8, bit: 8}}",
      "51: palettize needs a number of bits: choose 1, 2, 3, 4, 6 or 8",
      "84: unknown key 'bit' [did you mean 'bits'?]"),
    split(
      "bits of all rows",
      "{scheme: split, bits: 4, rows: 8, first: {scheme: int8}, rest: {scheme: int8}}",
      "19: split takes no number of bits; for a number of bits use int8, uint8, int4, "
        + "uint4 or palettize"),
    split(
      "rows of a scheme for all",
      "{scheme: int8, rows: 8}",
      "19: int8 takes no number of rows; for a number of rows use split"),
    split(
      "a part of a scheme for all",
      "{scheme: int8, rest: {scheme: int8}}",
      "19: int8 takes no scheme for some rows; for a scheme for some rows use split"),
  ]
}
