import Files
import Formats
import TestSupport
import Testing
import Weights

/// Files whose parts do not fit their metadata, and what is said of each.
struct CompressedWeightFileTests {
  struct Part: Sendable {
    let name: String
    let type: ElementType
    let shape: [Int]
    var byteCount: Int { shape.reduce(1, *) * type.bitWidth / 8 }
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let entries: String
    var parts: [Part] = []
    var format = "1"
    let expected: String
    var testDescription: String { name }
  }

  static let int8 = #"{"w": {"scheme": "int8", "shape": [4, 3]}}"#
  static let palette = #"{"w": {"scheme": "palette", "shape": [4, 3], "bits": 2, "axis": 0}}"#
  static let codes = Part(name: "w", type: .i8, shape: [4, 3])
  static let indices = Part(name: "w:indices", type: .u8, shape: [3])
  static let unsound = "FILE: is not a sound compressed model: "
  static let entry = "FILE: metadata 'ingot.tensors':"

  static let cases: [Case] = [
    Case(
      name: "newer format", entries: "{}", format: "2",
      expected: "FILE: has format '2', this version reads '1'; use a newer ingot"),
    Case(
      name: "no JSON", entries: "{", expected: entry + "1:2: a key in quotes is expected here"),
    Case(
      name: "unknown scheme", entries: #"{"w": {"scheme": "int5", "shape": [1]}}"#,
      expected: entry
        + "1:7: tensor 'w': scheme 'int5' is unknown; known: kept, same, int8, linear, palette, "
        + "split, float16, packed, tables"),
    Case(
      name: "negative axis length", entries: #"{"w": {"scheme": "kept", "shape": [-1]}}"#,
      expected: entry
        + "1:36: tensor 'w': 'shape' is the number -1, expected an array of axis lengths"),
    Case(
      name: "five bits",
      entries: #"{"w": {"scheme": "palette", "shape": [4], "bits": 5, "axis": 0}}"#,
      expected: entry + "1:7: tensor 'w': a palette of 5 bits for shape [4]"),
    Case(
      name: "axis beyond the rank",
      entries: #"{"w": {"scheme": "palette", "shape": [4], "bits": 4, "axis": 1}}"#,
      expected: entry + "1:62: tensor 'w': 'axis' is the number 1, expected 0...0"),
    Case(
      name: "more elements than fit",
      entries: #"{"w": {"scheme": "palette", "shape": [4611686018427387904, 4], "#
        + #""bits": 4, "axis": 0}}"#,
      expected: unsound + "the shape of 'w' has more elements than fit"),
    Case(
      name: "codes missing", entries: int8, expected: unsound + "tensor 'w' is missing"),
    Case(
      name: "scales missing", entries: int8, parts: [codes],
      expected: unsound + "tensor 'w:scale' is missing"),
    Case(
      name: "codes of another type", entries: int8,
      parts: [Part(name: "w", type: .u8, shape: [4, 3])],
      expected: unsound + "tensor 'w' has type U8, the metadata needs I8"),
    Case(
      name: "codes of another shape", entries: int8,
      parts: [Part(name: "w", type: .i8, shape: [3, 4])],
      expected: unsound + "tensor 'w' has shape [3, 4], the metadata needs [4, 3]"),
    Case(
      name: "scales on two axes", entries: int8,
      parts: [codes, Part(name: "w:scale", type: .f32, shape: [4, 3])],
      expected: unsound + "'w:scale' has shape [4, 3], which does not fit [4, 3]"),
    Case(
      name: "too few scales", entries: int8,
      parts: [codes, Part(name: "w:scale", type: .f32, shape: [2, 1])],
      expected: unsound + "'w:scale' has shape [2, 1], which does not fit [4, 3]"),
    Case(
      name: "indices cut short", entries: palette,
      parts: [Part(name: "w:indices", type: .u8, shape: [2])],
      expected: unsound + "tensor 'w:indices' has shape [2], the metadata needs [3]"),
    Case(
      name: "palette too small", entries: palette,
      parts: [indices, Part(name: "w:palette", type: .f32, shape: [1, 2])],
      expected: unsound + "'w:palette' has shape [1, 2], which does not fit [4, 3] with 2 bits "
        + "along axis 0"),
    Case(
      name: "palettes that do not divide", entries: palette,
      parts: [indices, Part(name: "w:palette", type: .f32, shape: [3, 4])],
      expected: unsound + "'w:palette' has shape [3, 4], which does not fit [4, 3] with 2 bits "
        + "along axis 0"),
    Case(
      name: "names of one Unicode form",
      entries: #"{"\u00e9": {"scheme": "kept", "shape": [1]}, "#
        + #""e\u0301": {"scheme": "kept", "shape": [2]}}"#,
      expected: unsound + "'e\u{301}' and another tensor differ in their Unicode form only"),
    Case(
      name: "a tensor nobody described", entries: "{}", parts: [codes],
      expected: unsound + "tensor 'w' is not described by the metadata"),
  ]

  @Test(arguments: cases + splitTables + valueTables)
  func refuses(_ testCase: Case) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("FILE")
    var file = try StagedFile(path: path)
    _ = try SafetensorsWriter.reserve(
      testCase.parts.map { (TensorName($0.name), $0.type, $0.shape, $0.byteCount) },
      metadata: ["ingot.format": testCase.format, "ingot.tensors": testCase.entries], in: &file)
    try file.commit()
    let text = message { _ = try ModelLoader.open(path) }
    #expect(text?.replacing(path, with: "FILE") == testCase.expected)
  }
}
