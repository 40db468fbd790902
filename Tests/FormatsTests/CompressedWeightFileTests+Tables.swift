import Weights

// Numbers in tables, whose groups another tensor has.
extension CompressedWeightFileTests {
  private static func entries(_ groups: String, _ shape: String = "[3]") -> String {
    #"{"w": {"scheme": "tables", "shape": \#(shape), "bits": 2, "groups": "\#(groups)"}, "#
      + #""g": {"scheme": "kept", "shape": [3]}, "i": {"scheme": "int8", "shape": [3]}}"#
  }

  private static let parts = [
    Part(name: "g", type: .f32, shape: [3]), Part(name: "i", type: .i8, shape: [3]),
    Part(name: "i:scale", type: .f32, shape: [1]),
  ]
  private static let places = Part(name: "w:codes", type: .u8, shape: [1])
  private static let table = Part(name: "w:tables", type: .f32, shape: [2, 3])

  static let valueTables: [Case] = [
    Case(
      name: "tables of seventeen bits",
      entries: #"{"w": {"scheme": "tables", "shape": [3], "bits": 17, "groups": "g"}}"#,
      expected: entry + "1:50: tensor 'w': 'bits' is the number 17, expected 1...16"),
    Case(
      name: "tables without places", entries: entries("g"), parts: parts + [table],
      expected: unsound + "tensor 'w:codes' is missing"),
    Case(
      name: "places without tables", entries: entries("g"), parts: parts + [places],
      expected: unsound + "tensor 'w:tables' is missing"),
    Case(
      name: "tables of another type", entries: entries("g"),
      parts: parts + [places, Part(name: "w:tables", type: .f16, shape: [2, 3])],
      expected: unsound + "tensor 'w:tables' has type F16, the metadata needs F32"),
    Case(
      name: "one row of tables", entries: entries("g"),
      parts: parts + [places, Part(name: "w:tables", type: .f32, shape: [6])],
      expected: unsound
        + "'w:tables' has shape [6], expected tables and how many numbers each has"),
    Case(
      name: "groups that are not there", entries: entries("h"), parts: parts + [places, table],
      expected: unsound
        + "tensor 'w' of shape [3] has its tables from 'h', which is not there with as many "
        + "elements"),
    Case(
      name: "groups of other elements", entries: entries("g", "[4]"),
      parts: parts + [places, table],
      expected: unsound
        + "tensor 'w' of shape [4] has its tables from 'g', which is not there with as many "
        + "elements"),
    Case(
      name: "groups that are no whole numbers", entries: entries("i"),
      parts: parts + [places, table],
      expected: unsound + "tensor 'w' has its tables from 'i', which holds no whole numbers"),
    Case(
      name: "groups of itself", entries: entries("w"), parts: parts + [places, table],
      expected: unsound + "tensor 'w' has its tables from 'w', which holds no whole numbers"),
  ]
}
