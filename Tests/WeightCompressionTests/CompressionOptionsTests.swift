import Graph
import Testing

@testable import WeightCompression

struct CompressionOptionsTests {
  struct Case: CustomTestStringConvertible {
    let scheme: String
    var bits: Int?
    var granularity: String?
    var groupSize: Int?
    var label = ""
    var error = ""
    var testDescription: String {
      "\(scheme) \(bits ?? -1) \(granularity ?? "-") \(groupSize ?? -1)"
    }
  }

  static let accepted = [
    Case(scheme: "int8", label: "int8 per channel"),
    Case(scheme: "int8", bits: 8, granularity: "per-tensor", label: "int8 per tensor"),
    Case(scheme: "int8", granularity: "per-channel", label: "int8 per channel"),
    Case(scheme: "none", label: "uncompressed"),
    Case(scheme: "palettize", bits: 4, label: "palette 4 bits per tensor"),
    Case(
      scheme: "palettize", bits: 1, granularity: "per-tensor", label: "palette 1 bit per tensor"),
    Case(
      scheme: "palettize", bits: 6, granularity: "per-group",
      label: "palette 6 bits in groups of 16"),
    Case(
      scheme: "palettize", bits: 8, granularity: "per-group", groupSize: 4,
      label: "palette 8 bits in groups of 4"),
  ]

  @Test(arguments: accepted)
  func readsUserWords(_ item: Case) throws {
    let options = try CompressionOptions(
      scheme: item.scheme, bits: item.bits, granularity: item.granularity,
      groupSize: item.groupSize)
    #expect(options.scheme.label == item.label)
  }

  static let refused = [
    Case(scheme: "INT8", error: "unknown scheme 'INT8'; choose int8, palettize or none"),
    Case(scheme: "", error: "unknown scheme ''; choose int8, palettize or none"),
    Case(scheme: "int4", error: "int4 is not available yet; use int8, palettize or none"),
    Case(
      scheme: "none", bits: 8,
      error: "none keeps the weights and takes no number of bits; for a number of bits use int8 or "
        + "palettize"),
    Case(
      scheme: "none", granularity: "per-tensor",
      error: "none keeps the weights and takes no granularity; for a granularity use int8 or "
        + "palettize"),
    Case(
      scheme: "none", groupSize: 16,
      error: "none keeps the weights and takes no group size; for a group size use int8 or "
        + "palettize"),
    Case(scheme: "int8", bits: 4, error: "int8 has 8 bits, not 4; for 4 bits use palettize"),
    Case(
      scheme: "int8", granularity: "per-group",
      error: "unknown granularity 'per-group' of int8; choose per-tensor or per-channel"),
    Case(
      scheme: "palettize", error: "palettize needs a number of bits: choose 1, 2, 3, 4, 6 or 8"),
    Case(
      scheme: "palettize", bits: 5,
      error: "a palette cannot have 5 bits; choose 1, 2, 3, 4, 6 or 8"),
    Case(
      scheme: "palettize", bits: -1,
      error: "a palette cannot have -1 bits; choose 1, 2, 3, 4, 6 or 8"),
    Case(
      scheme: "palettize", bits: 4, granularity: "per-channel",
      error: "unknown granularity 'per-channel' of palettize; choose per-tensor or per-group"),
    Case(
      scheme: "palettize", bits: 4, granularity: "per-group", groupSize: 0,
      error: "group size 0 is not a positive number of channels"),
    Case(
      scheme: "palettize", bits: 4, groupSize: 8,
      error: "a group size needs palettize with the granularity per-group, not palettize"),
    Case(
      scheme: "int8", granularity: "per-channel", groupSize: 8,
      error: "a group size needs palettize with the granularity per-group, not int8 per-channel"),
  ]

  @Test(arguments: refused)
  func refusesWithTheChoices(_ item: Case) {
    let error = #expect(throws: CompressionError.self) {
      try CompressionOptions(
        scheme: item.scheme, bits: item.bits, granularity: item.granularity,
        groupSize: item.groupSize)
    }
    #expect(error?.description == item.error)
  }

  @Test func refusesSchemesNobodyCouldStore() {
    let error = #expect(throws: CompressionError.self) {
      try CompressionOptions(scheme: .palette(bits: 7, .perTensor))
    }
    #expect(error == .unknownPaletteBits(7))
  }

  @Test func floatsAreSinglesUnlessTold() throws {
    #expect(try CompressionOptions(scheme: "int8").floats == .float32)
    let options = try CompressionOptions(scheme: "none", floats: .float16)
    #expect(options.scheme == nil)
    #expect(options.floats(of: .bias) == .float16)
    #expect(options.floats(of: .statistic) == .float32)
  }
}
