import Execution
import Graph
import Inputs
import Tokenization
import Weights

/// The inputs a model is calibrated with, in batches without padding.
struct CalibrationSample: Sendable {
  /// Inputs of one length that run together; the batches do not depend on threads.
  struct Batch: Sendable {
    let graph: ModelGraph
    let inputs: [String: InputValues]
    /// Inputs in the batch.
    let count: Int
  }

  let batches: [Batch]
  /// Inputs of all batches, noisy copies included.
  let count: Int
  /// Inputs of the set that are used.
  let used: Int

  /// Images of one batch, and rows of features.
  private static let maxImages = 4, maxFeatures = 256

  /// - Parameters:
  ///   - shapes: the sizes of the layers' values.
  ///   - maxTokens: the most tokens of one batch; a single text may have more.
  /// - Throws: `CalibrationError.nothingUsable`, or errors of preparing inputs, placed in the set's
  ///   file.
  init(
    _ set: CalibrationSet, for model: Model, settings: CalibrationSettings, shapes: InputShapes,
    maxTokens: Int = 1024
  ) throws {
    let reader = try InputReader(model: model)
    let maximum = min(settings.maxInputs, shapes.maxInputs(of: model, settings.maxValues))
    let inputs = try ChosenInputs(set, for: model, maximum: maximum).read(with: reader)
    guard case .tokens(_, let vocabulary) = model.architecture.input else {
      let rows = inputs.compactMap(Self.numbers)
      batches = try CalibrationSample.batches(ofRows: rows, for: model)
      (used, count) = (rows.count, rows.count)
      return
    }
    let all = inputs.compactMap { if case .tokens(let tokens) = $0 { tokens } else { nil } }
    let budget = shapes.budget(lengths: all.map(\.count), settings)
    let texts = budget.indices.map { all[$0] }
    let noise = TokenNoise(
      texts: texts.map(\.ids), structural: reader.structuralTokens, vocabulary: vocabulary)
    var numbers = SeededNumbers(seed: settings.seed)
    let copies = (0..<budget.copies).flatMap { _ in
      texts.map { text in
        TextTokens(
          noise.copy(of: text.ids, share: settings.noiseShare, &numbers), types: text.types)
      }
    }
    batches = try CalibrationSample.batches(
      ofTexts: texts + copies, for: model, maxTokens: maxTokens)
    (used, count) = (texts.count, texts.count + copies.count)
  }

  // The longest first, texts of one length in their order.
  private static func batches(
    ofTexts texts: [TextTokens], for model: Model, maxTokens: Int
  ) throws -> [Batch] {
    let order = texts.indices.sorted { (texts[$1].count, $0) < (texts[$0].count, $1) }
    var batches: [Batch] = []
    var start = 0
    while start < order.count {
      let length = texts[order[start]].count
      let maximum = max(1, maxTokens / max(1, length))
      let end =
        order[start...].prefix(maximum).firstIndex { texts[$0].count != length }
        ?? min(start + maximum, order.count)
      let rows = order[start..<end].map { texts[$0] }
      batches.append(try batch(of: rows, length: length, for: model))
      start = end
    }
    return batches
  }

  private static func batch(
    of texts: [TextTokens], length: Int, for model: Model
  ) throws -> Batch {
    let graph = try model.graph(batch: texts.count, length: length)
    let mask = [Int32](repeating: 1, count: texts.count * length)
    let all = [
      "input_ids": InputValues.integers(texts.flatMap(\.ids)), "attention_mask": .integers(mask),
      "token_type_ids": .integers(texts.flatMap(\.allTypes)),
    ]
    let taken = Set(graph.inputs.map(\.name))
    return Batch(
      graph: graph, inputs: all.filter { taken.contains($0.key) }, count: texts.count)
  }

  /// The numbers of an input that is no text.
  private static func numbers(_ input: SingleInput) -> [Float]? {
    switch input {
    case .floats(let values): values
    case .features(let values): values.map { Float($0) }
    case .tokens: nil
    }
  }

  private static func batches(ofRows rows: [[Float]], for model: Model) throws -> [Batch] {
    let maximum: Int
    if case .image = model.architecture.input { maximum = maxImages } else { maximum = maxFeatures }
    return try stride(from: 0, to: rows.count, by: maximum).map { start in
      let part = rows[start..<min(start + maximum, rows.count)]
      let graph = try model.graph(batch: part.count, length: 1)
      let values = part.flatMap(\.self)
      return Batch(
        graph: graph,
        inputs: Dictionary(
          graph.inputs.map { input in
            (
              input.name,
              input.type.scalar == .float64 ? .doubles(values.map(Double.init)) : .floats(values)
            )
          }
        ) { first, _ in first },
        count: part.count)
    }
  }
}
