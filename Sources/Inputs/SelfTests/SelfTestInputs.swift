import Execution
package import Graph
import IngotFeatures
import Imaging
import Weights

/// The inputs of a model's self-test.
package enum SelfTestInputs {
  /// Some inputs of a reference set, and the folder of their images.
  case references([Input], ImageFiles)
  /// Inputs by a formula: words without meaning, numbers from −1 to 1, pictures of noise.
  case synthetic

  /// Runs of a self-test; of pictures, which take much room, fewer.
  static let (caseCount, pictureCount) = (4, 2)
  /// Bytes of a text that is taken rather than a longer one.
  private static let fewBytes = 256

  /// Some inputs of a reference set that a model takes, evenly spaced.
  ///
  /// Short texts are taken where there are enough: a self-test is run on phones.
  package static func some(of references: ReferenceSet, for model: Model) -> SelfTestInputs {
    let all = references.inputs.filter { $0.kind == model.architecture.kind }
    let count = model.architecture.kind == .image ? pictureCount : caseCount
    let short = all.filter { $0.byteCount <= fewBytes }
    let some = short.count >= count ? short : all
    return .references(
      (0..<min(count, some.count)).map { some[$0 * some.count / min(count, some.count)] },
      references.images)
  }

  /// The inputs as a model takes them, one at a time.
  func prepared(for model: Model, by preparation: any InputPreparation) throws -> [PreparedInput] {
    let (inputs, images): ([Input], ImageFiles)
    switch self {
    case .references(let some, let folder): (inputs, images) = (some, folder)
    case .synthetic:
      if case .image(let width, let height) = model.architecture.input {
        return try SyntheticInputs.pictures(Self.pictureCount, width, height).map {
          try PreparedInput(floats: $0, of: model)
        }
      }
      inputs = SyntheticInputs.inputs(Self.caseCount, for: model.architecture)
      images = ImageFiles(folder: "")
    }
    let batches = try preparation.batches(of: inputs, images: images)
    return try inputs.indices.map { row in
      let length = batches.plan.first { $0.rows.contains(row) }?.length ?? 1
      let single = try preparation.batches(of: [inputs[row]], images: images)
      let batch = single.plan.first ?? Batch(rows: [0], length: length)
      let graph = try model.graph(batch: 1, length: batch.length)
      return PreparedInput(
        graph: graph, values: try single.values(batch, graph), length: batch.length,
        tokenCount: single.tokens(of: batch))
    }
  }
}

/// One input as a graph takes it.
struct PreparedInput {
  let graph: ModelGraph
  let values: [String: InputValues]
  /// The length that it is padded to.
  let length: Int
  /// Nil for what is no text.
  let tokenCount: Int?

  init(graph: ModelGraph, values: [String: InputValues], length: Int, tokenCount: Int?) {
    (self.graph, self.values) = (graph, values)
    (self.length, self.tokenCount) = (length, tokenCount)
  }

  /// The one input of a model that takes pictures.
  init(floats: [Float], of model: Model) throws {
    graph = try model.graph(batch: 1, length: 1)
    values = Dictionary(graph.inputs.map { ($0.name, .floats(floats)) }) { first, _ in first }
    (length, tokenCount) = (1, nil)
  }
}

/// Inputs by a formula, the same on every machine.
enum SyntheticInputs {
  private static let seed: UInt64 = 18
  private static let syllables = ["ba", "de", "ki", "lo", "mu", "na", "re", "si", "to", "wu"]

  static func inputs(_ count: Int, for architecture: any Architecture) -> [Input] {
    var numbers = SeededNumbers(seed: seed)
    return (0..<count).map { _ in
      switch architecture.input {
      case .features(let schema):
        .values(schema.features.map { value(of: $0, &numbers) })
      case .tokens, .image:
        architecture.kind == .textPair
          ? .textPair(text(&numbers), text(&numbers)) : .text(text(&numbers))
      }
    }
  }

  /// A number from −1 to 1, or the code of a category.
  private static func value(of feature: Feature, _ numbers: inout SeededNumbers) -> Double {
    let number = numbers.unit()
    switch feature.kind {
    case .category(let list) where !list.names.isEmpty:
      return Double(min(Int(number * Double(list.names.count)), list.names.count - 1))
    case .number, .boolean, .cyclic, .category: return Double(Float(2 * number - 1))
    }
  }

  /// Planes of levels, [3, height, width].
  static func pictures(_ count: Int, _ width: Int, _ height: Int) -> [[Float]] {
    var numbers = SeededNumbers(seed: seed)
    return (0..<count).map { _ in
      (0..<3 * width * height).map { _ in Float(numbers.next() >> 56) }
    }
  }

  /// Eight words of two syllables.
  private static func text(_ numbers: inout SeededNumbers) -> String {
    (0..<8).map { _ in
      (0..<2).map { _ in syllables[Int(numbers.next() % UInt64(syllables.count))] }.joined()
    }.joined(separator: " ")
  }
}

extension Input {
  /// Bytes of its text; 0 for what is no text.
  fileprivate var byteCount: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .textPair(let first, let second): first.utf8.count + second.utf8.count
    case .values, .named, .image: 0
    }
  }
}
