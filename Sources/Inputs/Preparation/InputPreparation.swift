import Execution
import Files
package import Graph
package import Tokenization
package import Weights

/// Turns inputs of one kind into the input tensors of the model's graphs.
protocol InputPreparation: Sendable {
  /// Looks at the kind and form of inputs, without the work of preparing them.
  ///
  /// - Throws: `EvaluationError.unusableInput`.
  func check(_ inputs: [Input]) throws(EvaluationError)

  /// Puts inputs into batches.
  ///
  /// - Parameter images: the folder of image files.
  /// - Throws: `EvaluationError.unusableInput`, and errors of reading files.
  func batches(of inputs: [Input], images: ImageFiles) throws -> PreparedBatches

  /// Puts texts given as tokens into batches; nil for a model that takes no texts.
  func batches(of texts: [TextTokens]) -> PreparedBatches?

  /// Prepares one input alone.
  ///
  /// - Parameter index: its number, for messages.
  /// - Throws: as `batches`.
  func single(_ input: Input, _ index: Int, images: ImageFiles) throws -> SingleInput

  /// An input as the model sees it.
  ///
  /// - Parameter index: its number, for messages.
  /// - Throws: as `batches`.
  func seen(_ input: Input, _ index: Int, images: ImageFiles) throws -> SeenInput

  /// Whether no text has a token except those around it and the one for unknown words.
  func areUnknown(_ all: [SeenInput]) -> Bool

  /// Ids of tokens that are not part of a text; empty for other kinds of input.
  var structuralTokens: Set<Int32> { get }
}

extension InputPreparation {
  var structuralTokens: Set<Int32> { [] }

  func batches(of texts: [TextTokens]) -> PreparedBatches? { nil }

  func areUnknown(_ all: [SeenInput]) -> Bool { false }

  func seen(_ input: Input, _ index: Int, images: ImageFiles) throws -> SeenInput {
    switch try single(input, index, images: images) {
    case .tokens(let tokens): .tokens(tokens)
    case .floats(let values): .numbers(values.map(Double.init))
    case .features(let values): .numbers(values)
    }
  }
}

/// One input as the graphs of a model take it, neither padded nor in a batch.
package enum SingleInput: Equatable, Sendable {
  /// Tokens, those around the text included.
  case tokens(TextTokens)
  /// The pixels of an image: planes R, G and B, row by row.
  case floats([Float])
  /// NaN where one is missing.
  case features([Double])
}

/// An input as a model sees it: inputs written differently are equal if the model cannot tell them
/// apart.
package enum SeenInput: Hashable, Sendable {
  /// Tokens, those around the text included, without padding.
  case tokens(TextTokens)
  /// Numbers, none of which is infinite; −0 is 0, and infinity stands for one that is missing.
  case values([Double])
  /// The digest of an image's pixels, prepared as the model takes them.
  case pixels(ContentDigest)
  /// The digest of an image's file, if it was not decoded.
  case file(ContentDigest)
  /// An input as it was written, where no model runs.
  case written(Input)

  /// Numbers, NaN where one is missing.
  static func numbers(_ values: [Double]) -> SeenInput {
    .values(values.map { $0.isNaN ? .infinity : $0 })
  }

  /// An input as it is written, without a model.
  ///
  /// - Throws: `FileError` when an image cannot be read.
  package init(_ input: Input, images: ImageFiles) throws {
    self =
      switch input {
      case .text, .textPair, .named: .written(input)
      case .values(let values): .numbers(values)
      case .image(let path): .file(try images.digest(of: path))
      }
  }
}

/// Inputs in batches.
struct PreparedBatches: Sendable {
  let plan: [Batch]
  /// Of each text the number of its tokens; empty for inputs that are no texts.
  var tokenCounts: [Int] = []
  /// The values of a graph's inputs for one batch; called once for each, on any thread.
  let values: @Sendable (Batch, ModelGraph) throws -> [String: InputValues]

  /// The tokens of the one text of a batch; nil for several, and for other inputs.
  func tokens(of batch: Batch) -> Int? {
    guard batch.rows.count == 1, tokenCounts.indices.contains(batch.rows[0]) else { return nil }
    return tokenCounts[batch.rows[0]]
  }
}

/// Inputs that run together, by their numbers, and the length they are padded to.
struct Batch: Equatable, Sendable {
  let rows: [Int]
  let length: Int
}

/// Puts inputs of similar length together, so that padding costs little.
enum Batching {
  /// Most inputs of one batch.
  static let maxRows = 32
  /// Most tokens of one batch, padding included (one input alone may have more): about as many
  /// as keep the activations of a small encoder inside one core's cache.
  static let maxTokens = 1024
  /// Tokens from which a batch is large enough to run efficiently.
  static let enoughTokens = 512

  /// The batches for inputs of these lengths, longest first.
  ///
  /// Sorted by length, then by number, so the plan depends on nothing but the lengths. A batch that
  /// holds enough tokens ends before an input that is shorter than seven eighths of its first.
  static func plan(lengths: [Int]) -> [Batch] {
    let order = lengths.indices.sorted { (lengths[$1], $0) < (lengths[$0], $1) }
    var batches: [Batch] = []
    var rows: [Int] = []
    for row in order {
      if let first = rows.first {
        let length = lengths[first]
        let isFull = rows.count == maxRows || (rows.count + 1) * length > maxTokens
        let isUnlike = lengths[row] * 8 < length * 7 && rows.count * length >= enoughTokens
        if isFull || isUnlike {
          batches.append(Batch(rows: rows, length: length))
          rows = []
        }
      }
      rows.append(row)
    }
    if let first = rows.first { batches.append(Batch(rows: rows, length: lengths[first])) }
    return batches
  }

  /// Batches for inputs of these lengths in graphs of these shapes only.
  static func plan(lengths: [Int], shapes: GraphShapes) -> [Batch] {
    guard case .single(let allowed) = shapes else { return plan(lengths: lengths) }
    let order = lengths.indices.sorted { (lengths[$1], $0) < (lengths[$0], $1) }
    return order.map { row in
      Batch(rows: [row], length: TextTensors.length(for: lengths[row], among: allowed))
    }
  }

  /// Batches for inputs that have no length.
  static func plan(count: Int, rows: Int) -> [Batch] {
    stride(from: 0, to: count, by: rows).map {
      Batch(rows: Array($0..<min($0 + rows, count)), length: 1)
    }
  }
}

/// Prepares inputs one by one, for callers that batch them themselves.
package struct InputReader {
  private let preparation: any InputPreparation

  /// Reads the files that say how the model's inputs are prepared.
  ///
  /// - Throws: as `ModelRunner.init`.
  package init(model: Model) throws { preparation = try ModelRunner.preparation(for: model) }

  /// Ids of tokens that are not part of a text: those around it, and padding.
  package var structuralTokens: Set<Int32> { preparation.structuralTokens }

  /// Prepares inputs in their order.
  ///
  /// - Throws: `EvaluationError.unusableInput` or `unusableImage` with the input's number in
  ///   `inputs`.
  package func read(_ inputs: [Input], images: ImageFiles) throws -> [SingleInput] {
    try inputs.indices.map { try preparation.single(inputs[$0], $0, images: images) }
  }

  /// Inputs as the model sees them, in their order.
  ///
  /// - Parameter jobs: threads.
  /// - Throws: as `read`, for the first input that cannot be used.
  package func seen(_ inputs: [Input], images: ImageFiles, jobs: Int) throws -> [SeenInput] {
    let preparation = preparation
    return try Workers.map(inputs.count, jobs: jobs) { index in
      try preparation.seen(inputs[index], index, images: images)
    }
  }

  /// Whether no text has a token except those around it and the one for unknown words.
  func areUnknown(_ all: [SeenInput]) -> Bool { preparation.areUnknown(all) }
}

extension Input {
  /// The fault that this input, number `index`, cannot be used.
  package func unusable(_ index: Int, _ fault: String) -> EvaluationError {
    .unusableInput(index: index, input: label, fault: fault)
  }

  /// The fault that a model takes another kind of input.
  func wrongKind(_ index: Int, for needed: String) -> EvaluationError {
    unusable(index, "is \(words), the model takes \(needed)")
  }
}
