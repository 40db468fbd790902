import Execution
package import Graph
import Preprocessing

/// Runs a model over inputs: tokenises or checks them, batches them by length, and gives the
/// outputs back in the order of the inputs.
package struct Encoder {
  private enum Reader {
    case tokens(WordPieceTokenizer, maximumLength: Int, rows: Int)
    case features(names: [String])
  }

  private let model: Model
  private let reader: Reader
  private let executor: Executor
  private let jobs: Int

  /// Rows of one batch of features.
  private static let featureRows = 256

  /// Prepares a model.
  ///
  /// - Parameters:
  ///   - weights: other weights to run the model's graph with; its own when nil.
  ///   - jobs: threads, at least 1.
  package init(model: Model, weights: (any WeightSource)? = nil, jobs: Int) throws {
    self.model = model
    self.jobs = max(1, jobs)
    reader = try Encoder.reader(of: model)
    executor = Executor(weights: weights ?? model.weights, jobs: max(1, jobs))
  }

  private static func reader(of model: Model) throws -> Reader {
    switch model.architecture.input {
    case .features(let names): return .features(names: names)
    case .tokens(let maximumLength, let rows):
      guard let json = try model.files.bytes(of: "tokenizer.json") else {
        throw ModelError.missingFile(
          origin: model.origin, path: "tokenizer.json",
          mend: "a model that takes text needs it"
            + (model.architecture.shapes == .any
              ? "" : "; put it beside the package, or give --tokenizer"))
      }
      let tokenizer = try WordPieceTokenizer(
        json: json, origin: model.files.name(of: "tokenizer.json"))
      guard tokenizer.vocabularySize <= rows else {
        throw EvaluationError.vocabularyTooLarge(
          origin: model.origin, tokens: tokenizer.vocabularySize, rows: rows)
      }
      guard tokenizer.paddingID >= 0, tokenizer.paddingID < rows else {
        throw EvaluationError.paddingOutside(
          origin: model.origin, id: Int(tokenizer.paddingID), rows: rows)
      }
      return .tokens(tokenizer, maximumLength: maximumLength, rows: rows)
    }
  }

  /// Checks what can be known without running the model: its tokenizer, and the kind and number of
  /// values of every input. Texts are not tokenised.
  ///
  /// - Throws: as `init` and `outputs(for:)`.
  static func check(_ inputs: [Input], for model: Model) throws {
    switch try reader(of: model) {
    case .features(let names):
      for index in inputs.indices { _ = try features(inputs[index], index, names: names) }
    case .tokens:
      for index in inputs.indices { _ = try text(inputs[index], index) }
    }
  }

  /// Runs the model over inputs.
  ///
  /// - Parameter progress: told how many inputs are done, of how many; called from any thread.
  /// - Returns: one row per input, in their order.
  /// - Throws: `EvaluationError.unusableInput`, naming what was given and what is needed.
  package func outputs(
    for inputs: [Input], progress: @escaping @Sendable (Int, Int) -> Void = { _, _ in }
  ) throws -> OutputMatrix {
    switch reader {
    case .features(let names):
      let values = try inputs.indices.map { try Encoder.features(inputs[$0], $0, names: names) }
      let rows = model.architecture.shapes == .any ? Encoder.featureRows : 1
      let batches = Batching.plan(count: values.count, rows: rows)
      return try run(batches, inputs.count, progress) { batch, names in
        Dictionary(
          names.map { ($0, .floats(batch.rows.flatMap { values[$0] })) }
        ) { first, _ in first }
      }
    case .tokens(let tokenizer, _, _):
      let ids = try inputs.indices.map { try tokens(inputs[$0], $0) }
      let padding = tokenizer.paddingID
      let batches = Batching.plan(
        lengths: ids.map(\.count), shapes: model.architecture.shapes)
      return try run(batches, inputs.count, progress) { batch, _ in
        Encoder.padded(batch, ids, with: padding)
      }
    }
  }

  /// The lengths that inputs are padded to; empty for a model of any length and of features.
  ///
  /// - Throws: as `outputs(for:)`.
  func lengths(of inputs: [Input]) throws -> Set<Int> {
    guard case .tokens = reader, model.architecture.shapes != .any else { return [] }
    let counts = try inputs.indices.map { try tokens(inputs[$0], $0).count }
    return Set(Batching.plan(lengths: counts, shapes: model.architecture.shapes).map(\.length))
  }

  /// Runs the model on one input and measures every value on the way.
  ///
  /// - Returns: largest magnitudes by the names of values in the graph.
  /// - Throws: as `outputs(for:)`.
  func magnitudes(for input: Input) throws -> [String: Float] {
    let architecture = model.architecture
    switch reader {
    case .features(let names):
      let values = try Encoder.features(input, 0, names: names)
      let graph = try architecture.graph(batch: 1, length: 1)
      let named = graph.inputs.map { ($0.name, InputValues.floats(values)) }
      return try executor.magnitudes(graph, inputs: Dictionary(named) { first, _ in first })
    case .tokens(let tokenizer, _, _):
      let ids = [try tokens(input, 0)]
      let batch = Batching.plan(lengths: ids.map(\.count), shapes: architecture.shapes)[0]
      return try executor.magnitudes(
        try architecture.graph(batch: 1, length: batch.length),
        inputs: Encoder.padded(batch, ids, with: tokenizer.paddingID))
    }
  }

  /// Runs the model over the lines of a file.
  ///
  /// - Throws: `EvaluationError.unusableLine`, naming the file and the line.
  package func outputs(
    for lines: InputLines, progress: @escaping @Sendable (Int, Int) -> Void = { _, _ in }
  ) throws -> OutputMatrix {
    do {
      return try outputs(for: lines.inputs, progress: progress)
    } catch EvaluationError.unusableInput(let index, let input, let fault) {
      throw EvaluationError.unusableLine(
        origin: lines.origin, line: index + 1, input: input, fault: fault)
    }
  }

  private func run(
    _ batches: [Batch], _ count: Int, _ progress: @escaping @Sendable (Int, Int) -> Void,
    _ values: @escaping @Sendable (Batch, _ names: [String]) -> [String: InputValues]
  ) throws -> OutputMatrix {
    let architecture = model.architecture
    let counter = ProgressCounter(batches: batches, jobs: jobs, report: progress)
    let results = try executor.runAll(count: batches.count) { index in
      counter.begin()
      let batch = batches[index]
      let graph = try architecture.graph(batch: batch.rows.count, length: batch.length)
      return (graph, values(batch, graph.inputs.map(\.name)))
    }
    progress(count, count)
    return try collect(results, batches, count)
  }

  // Puts the rows of all batches back into the order of the inputs.
  private func collect(
    _ results: [[Float]], _ batches: [Batch], _ count: Int
  ) throws -> OutputMatrix {
    let width = model.architecture.output.width
    var values = [Float](repeating: .nan, count: count * width)
    for (batch, result) in zip(batches, results) {
      guard result.count == batch.rows.count * width else {
        throw EvaluationError.wrongOutputCount(
          origin: model.origin, found: result.count, expected: batch.rows.count * width)
      }
      for (place, row) in batch.rows.enumerated() {
        values.replaceSubrange(
          row * width..<(row + 1) * width, with: result[place * width..<(place + 1) * width])
      }
    }
    return OutputMatrix(rowCount: count, width: width, values: values)
  }

  private static func features(
    _ input: Input, _ index: Int, names: [String]
  ) throws(EvaluationError) -> [Float] {
    func fault(_ fault: String) -> EvaluationError {
      .unusableInput(index: index, input: input.label, fault: fault)
    }
    guard case .values(let values) = input else {
      throw fault("is a text, the model takes \(names.count) values (\(Figures.list(names)))")
    }
    guard values.count == names.count else {
      throw fault(
        "has \(Figures.count(values.count, "value")), the model takes \(names.count) "
          + "(\(Figures.list(names)))")
    }
    if let bad = values.firstIndex(where: { !$0.isFinite }) {
      throw fault("the value of '\(names[bad])' is \(values[bad]), expected a finite number")
    }
    return values
  }

  private func tokens(_ input: Input, _ index: Int) throws -> [Int32] {
    guard case .tokens(let tokenizer, let maximumLength, let rows) = reader else { return [] }
    func fault(_ fault: String) -> EvaluationError {
      .unusableInput(index: index, input: input.label, fault: fault)
    }
    let ids = tokenizer.ids(of: try Encoder.text(input, index), maximumLength: maximumLength)
    guard (1...maximumLength).contains(ids.count) else {
      throw fault("gives \(ids.count) tokens, the model takes 1 to \(maximumLength)")
    }
    if let bad = ids.first(where: { $0 < 0 || $0 >= rows }) {
      throw fault("gives token id \(bad), the token table has \(rows) rows")
    }
    return ids
  }

  private static func text(_ input: Input, _ index: Int) throws(EvaluationError) -> String {
    guard case .text(let text) = input else {
      throw .unusableInput(
        index: index, input: input.label, fault: "is a list of values, the model takes a text")
    }
    return text
  }

  // Ids and mask of a batch, both [rows, length], padded on the right.
  private static func padded(
    _ batch: Batch, _ ids: [[Int32]], with padding: Int32
  ) -> [String: InputValues] {
    var values: [Int32] = [], mask: [Int32] = []
    values.reserveCapacity(batch.rows.count * batch.length)
    mask.reserveCapacity(batch.rows.count * batch.length)
    for row in batch.rows {
      let missing = batch.length - ids[row].count
      values += ids[row] + Array(repeating: padding, count: missing)
      mask += Array(repeating: 1, count: ids[row].count) + Array(repeating: 0, count: missing)
    }
    return ["input_ids": .integers(values), "attention_mask": .integers(mask)]
  }
}
