import Weights

/// Tables in two parts that do not fit their metadata.
extension CompressedWeightFileTests {
  /// Two rows of integers, and four with a palette.
  private static let split =
    #"{"w": {"scheme": "split", "shape": [6, 4], "rows": 2, "#
    + #""first": {"scheme": "int8"}, "rest": {"scheme": "palette", "bits": 2, "axis": 0}}}"#

  private static let parts = [
    Part(name: "w:first:scale", type: .f32, shape: [2, 1]),
    Part(name: "w:rest:palette", type: .f32, shape: [2, 4]),
    Part(name: "w:first", type: .i8, shape: [2, 4]),
    Part(name: "w:rest:indices", type: .u8, shape: [4]),
  ]

  /// The entry with some text replaced; the place is that of what is wrong.
  private static func entry(
    _ name: String, _ old: String, _ new: String, at column: Int, _ fault: String
  ) -> Case {
    precondition(split.contains(old), "\(old) stands in the entry")
    return Case(
      name: "split: \(name)", entries: split.replacing(old, with: new),
      expected: "\(entry)1:\(column): tensor 'w': \(fault)")
  }

  /// All parts, one of them replaced.
  private static func part(_ name: String, _ place: Int, _ part: Part?, _ fault: String) -> Case {
    var parts = parts
    parts.replaceSubrange(place..<min(place + 1, parts.count), with: [part].compactMap(\.self))
    return Case(
      name: "split: \(name)", entries: split, parts: parts, expected: unsound + fault)
  }

  static let splitTables = [
    entry("no rows", #""rows": 2, "#, "", at: 7, "the key 'rows' is missing"),
    entry(
      "rows of none", #""rows": 2"#, #""rows": 0"#, at: 52,
      "'rows' is the number 0, expected 1...5"),
    entry(
      "all rows", #""rows": 2"#, #""rows": 6"#, at: 52, "'rows' is the number 6, expected 1...5"),
    entry(
      "rows that are no whole bytes", "[6, 4]", "[6, 3]", at: 7,
      "is split after 2 rows of 3 values, which do not fill groups of eight"),
    entry("no table", "[6, 4]", "[24]", at: 7, "two parts for shape [24]"),
    entry("one row", "[6, 4]", "[1, 4]", at: 7, "two parts for shape [1, 4]"),
    entry(
      "no other part", #""rest""#, #""others""#, at: 94,
      "unknown key 'others'; known here: shape, scheme, rows, first, rest"),
    entry(
      "no first part", #""first": {"scheme": "int8"}, "#, "", at: 7, "the key 'first' is missing"),
    entry(
      "a part as trained", #""int8""#, #""kept""#, at: 64,
      "scheme 'kept' is unknown; known: int8, linear, palette"),
    entry(
      "parts of a part", #""int8""#, #""split""#, at: 64,
      "scheme 'split' is unknown; known: int8, linear, palette"),
    entry(
      "a shape of a part", #"{"scheme": "int8"}"#, #"{"scheme": "int8", "shape": [2, 4]}"#, at: 92,
      "unknown key 'shape'; known here: scheme, integers, mode, bits, axis, width, entries"),
    entry(
      "groups along rows", #""axis": 0"#, #""axis": 1"#, at: 92,
      "groups of rows along axis 1, expected 0"),
    entry(
      "five bits", #""bits": 2"#, #""bits": 5"#, at: 92, "a palette of 5 bits for shape [4, 4]"),
    part("codes missing", 2, nil, "tensor 'w:first' is missing"),
    part(
      "codes of all rows", 2, Part(name: "w:first", type: .i8, shape: [6, 4]),
      "tensor 'w:first' has shape [6, 4], the metadata needs [2, 4]"),
    part("scales missing", 0, nil, "tensor 'w:first:scale' is missing"),
    part(
      "scales of all rows", 0, Part(name: "w:first:scale", type: .f32, shape: [6, 1]),
      "'w:first:scale' has shape [6, 1], which does not fit [2, 4]"),
    part(
      "indices of all rows", 3, Part(name: "w:rest:indices", type: .u8, shape: [6]),
      "tensor 'w:rest:indices' has shape [6], the metadata needs [4]"),
    part(
      "palettes that do not divide", 1, Part(name: "w:rest:palette", type: .f32, shape: [3, 4]),
      "'w:rest:palette' has shape [3, 4], which does not fit [4, 4] with 2 bits along axis 0"),
    part(
      "the whole beside its parts", 4, Part(name: "w", type: .i8, shape: [6, 4]),
      "tensor 'w' is not described by the metadata"),
  ]
}
