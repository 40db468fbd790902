import Execution
import Graph

// Batches run in groups, so that outputs which nobody keeps are not in memory together.
extension ModelRunner {
  /// Runs the model over the lines of a file and lends outputs as they come.
  ///
  /// - Parameters:
  ///   - progress: as of `outputs(for:)`.
  ///   - body: takes the next outputs, on this thread; each line's once, in any order.
  /// - Throws: as `outputs(for:)`, and what `body` throws.
  package func forEachBlock(
    of lines: InputLines, progress: @escaping @Sendable (Int, Int) -> Void = { _, _ in },
    _ body: (OutputBlock) throws -> Void
  ) throws {
    let lines = try lines.arranged(for: model.architecture.input)
    do {
      let prepared = try preparation.batches(of: lines.inputs, images: lines.images)
      try forEachBlock(of: prepared, count: lines.inputs.count, progress, body)
    } catch let error as EvaluationError {
      throw error.placed(in: lines.origin) { lines.lines[$0] }
    }
  }

  /// Runs all batches and puts their rows back into the order of the inputs.
  func run(
    _ prepared: PreparedBatches, count: Int, _ progress: @escaping @Sendable (Int, Int) -> Void
  ) throws -> OutputMatrix {
    let width = model.architecture.output.width
    try OutputMatrix.requireMemory(count * width, of: model.origin)
    var values = [Float](repeating: .nan, count: count * width)
    try forEachBlock(of: prepared, count: count, progress) { block in
      for (place, row) in block.rows.enumerated() {
        values.replaceSubrange(
          row * width..<(row + 1) * width,
          with: block.values[place * width..<(place + 1) * width])
      }
    }
    return OutputMatrix(rowCount: count, width: width, values: values)
  }

  private func forEachBlock(
    of prepared: PreparedBatches, count: Int, _ progress: @escaping @Sendable (Int, Int) -> Void,
    _ body: (OutputBlock) throws -> Void
  ) throws {
    let batches = prepared.plan
    let model = self.model, shortTexts = self.shortTexts
    let worthwhile = ShortTexts.worthwhile(
      batches.compactMap { batch in prepared.tokens(of: batch).map { (batch.length, $0) } })
    let counter = ProgressCounter(batches: batches, jobs: jobs, report: progress)
    let groups = OutputBlock.groups(of: batches, width: model.architecture.output.width, jobs: jobs)
    for group in groups {
      let results = try executor.runAll(count: group.count, of: batches.count) { index in
        counter.begin()
        let batch = batches[group.lowerBound + index]
        if worthwhile.contains(batch.length), let tokens = prepared.tokens(of: batch),
          let short = try shortTexts?.graph(length: batch.length, tokens: tokens)
        {
          let batch = Batch(rows: batch.rows, length: short.length)
          return (short.graph, try prepared.values(batch, short.graph))
        }
        let graph = try model.graph(batch: batch.rows.count, length: batch.length)
        return (graph, try prepared.values(batch, graph))
      }
      for (batch, result) in zip(batches[group], results) { try body(try block(batch, result)) }
    }
    progress(count, count)
  }

  /// What a batch gave, with zeros where an output is shorter than the longest.
  private func block(_ batch: Batch, _ result: [Float]) throws(EvaluationError) -> OutputBlock {
    let width = model.architecture.output.width
    let computed = model.architecture.output.width(ofLength: batch.length)
    guard result.count == batch.rows.count * computed, computed <= width else {
      throw .wrongOutputCount(
        origin: model.origin, found: result.count, expected: batch.rows.count * computed)
    }
    guard computed < width else {
      return OutputBlock(rows: batch.rows, width: width, values: result)
    }
    let rest = [Float](repeating: 0, count: width - computed)
    let values = batch.rows.indices.flatMap {
      result[$0 * computed..<($0 + 1) * computed] + rest
    }
    return OutputBlock(rows: batch.rows, width: width, values: values)
  }
}
