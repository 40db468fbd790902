import Graph
import Testing
import Weights

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
    #expect(options.label == item.label)
  }

  static let refused = [
    Case(
      scheme: "INT8",
      error: "unknown scheme 'INT8'; choose int8, uint8, int4, uint4, float16, "
        + "palettize, unique or none"),
    Case(
      scheme: "",
      error: "unknown scheme ''; choose int8, uint8, int4, uint4, float16, "
        + "palettize, unique or none"),
    Case(
      scheme: "none", bits: 8,
      error: "none keeps the weights and takes no number of bits; for a number of bits use int8, "
        + "uint8, int4, uint4 or palettize"),
    Case(
      scheme: "none", granularity: "per-tensor",
      error: "none keeps the weights and takes no granularity; for a granularity use int8, uint8, "
        + "int4, uint4 or palettize"),
    Case(
      scheme: "none", groupSize: 16,
      error: "none keeps the weights and takes no group size; for a group size use int8, uint8, "
        + "int4, uint4 or palettize"),
    Case(scheme: "int8", bits: 4, error: "int8 has 8 bits, not 4; for 4 bits use palettize"),
    Case(
      scheme: "int8", granularity: "per-group",
      error: "unknown granularity 'per-group' of int8; "
        + "choose per-tensor, per-channel or per-block"),
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
      error: "a group size needs palettize with the granularity per-group or integers with "
        + "per-block, not palettize"),
    Case(
      scheme: "int8", granularity: "per-channel", groupSize: 8,
      error: "a group size needs palettize with the granularity per-group or integers with "
        + "per-block, not int8 per-channel"),
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
    #expect(options.label == "uncompressed")
    #expect(options.floats(of: WeightReference("a", [1], role: .bias)) == .float16)
    #expect(options.floats(of: WeightReference("a", [1], role: .statistic)) == .float32)
    let leaves = WeightReference("a", [1, 1], role: .matrix(outputAxis: 0), keepsFloats: true)
    #expect(options.floats(of: leaves) == .float32)
  }

  @Test func wordsAreThoseOfAProjectFile() throws {
    #expect(
      try CompressionOptions(scheme: "int8").words == [
        "scheme": "int8", "bits": "8", "granularity": "per-channel", "floats": "float32",
      ])
    #expect(
      try CompressionOptions(
        scheme: .palette(bits: 4, .perGroup(size: 16)), floats: .float16
      ).words == [
        "scheme": "palettize", "bits": "4", "granularity": "per-group", "groupSize": "16",
        "floats": "float16",
      ])
    #expect(
      try CompressionOptions(scheme: Scheme?.none).words == [
        "scheme": "none", "floats": "float32",
      ])
  }

  @Test func aRecipeIsNamedByItsRules() throws {
    let recipe = BuiltInRecipe.small.recipe
    let options = try CompressionOptions(recipe: recipe)
    #expect(
      options.words == ["recipe": "small", "rules": recipe.digest, "floats": "float32"])
    #expect(options.label == "small \(recipe.digest.prefix(12))")
    #expect(options.recipe == recipe)
    #expect(try CompressionOptions(scheme: "int8").recipe == nil)
  }

  @Test func refusesRecipesWithSchemesNobodyCouldStore() {
    let rules = [RecipeRule(.init(), nil, fallbacks: [.palette(bits: 5, .perTensor)])]
    let error = #expect(throws: CompressionError.self) {
      try CompressionOptions(recipe: Recipe(rules: rules))
    }
    #expect(error == .unknownPaletteBits(5))
  }

  /// One scheme for all needs no weights to be for, and refuses as it always did.
  @Test func oneSchemeForAllIsARuleThatMayMatchNothing() throws {
    let options = try CompressionOptions(scheme: .palette(bits: 4, .perGroup(size: 16)))
    #expect(try options.assignments(of: []).isEmpty)
    let weights = [
      WeightReference("a", [32, 4], role: .matrix(outputAxis: 0)),
      WeightReference("b", [32], role: .bias),
      WeightReference("c", [30, 4], role: .matrix(outputAxis: 0)),
    ]
    let fit = try options.assignments(of: Array(weights.prefix(2)))
    #expect(fit.map(\.scheme) == [.palette(bits: 4, .perGroup(size: 16)), nil])
    #expect(fit.allSatisfy { $0.rule == nil && $0.note == nil })
    let error = #expect(throws: CompressionError.self) { try options.assignments(of: weights) }
    #expect(
      error
        == .refused([TensorRefusal(name: "c", fault: .groups(size: 16, channels: 30))]))
  }
}
