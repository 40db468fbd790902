import Graph
import WeightCompression
import Weights

@testable import Formats

/// Lookups in a table of 24 rows of four numbers; the first eight rows are a part of their own.
enum SplitLookups {
  static let table = WeightReference("word.embeddings.weight", [24, 4], role: .tokenTable)
  static let rows = 8

  static let palettes = SplitScheme(
    rows: rows, first: .palette(bits: 4, .perTensor), rest: .palette(bits: 2, .perTensor))

  /// Compresses tables of tokens, and keeps everything else.
  static func options(
    _ scheme: SplitScheme = palettes, floats: FloatType = .float16
  ) throws -> CompressionOptions {
    try CompressionOptions(
      recipe: Recipe(
        rules: [RecipeRule(RecipeRule.Match(roles: [.tokenTable]), .split(scheme))],
        keepsOthers: true), floats: floats)
  }

  /// A graph that looks `ids` up, and has `others` of the same shape as another input.
  static func graph(_ shape: [Int]) throws -> ModelGraph {
    var builder = GraphBuilder()
    let ids = builder.input("ids", ValueType(.int32, shape))
    _ = builder.input("others", ValueType(.int32, shape))
    let result = try builder.append("words", Gather(.weight(table), indices: ids))
    return try builder.finish(output: result)
  }

  /// The same as a program. Ids of four rows and columns, so that a wrong axis still has its length.
  static func program(
    _ shape: [Int] = [4, 4], _ scheme: SplitScheme = palettes,
    target: DeploymentTarget = .iOS18
  ) throws -> RoundTrip {
    try RoundTrip(graph(shape), target: target, options: options(scheme))
  }

  /// The one operation that it reads as, in a table of so many rows.
  static func line(_ shape: [Int], rows: Int = 24) -> String {
    let table = WeightReference("word_embeddings_weight", [rows, 4], role: .tokenTable)
    return ProgramRoundTripTests.line(
      "words", Gather(.weight(table), indices: .value("ids")), ValueType(.float32, shape + [4]))
  }
}

extension [MILOperation] {
  /// The operation that makes a value.
  subscript(_ name: String) -> MILOperation {
    get { first { $0.outputs.contains { $0.name == name } } ?? MILOperation() }
    set {
      guard let place = firstIndex(where: { $0.outputs.contains { $0.name == name } }) else {
        preconditionFailure("no value \(name)")
      }
      self[place] = newValue
    }
  }

  /// Gives a value another name, wherever it is made and read.
  mutating func rename(_ name: String, _ other: String) {
    self[name].outputs[0].name = other
    for place in indices {
      for (parameter, argument) in self[place].inputs
      where argument.arguments.first?.binding == .name(name) {
        self[place].inputs[parameter] = .named(other)
      }
    }
  }
}
