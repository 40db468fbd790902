import Execution
import Files
package import Graph
import Synchronization
package import WeightCompression
package import Weights

/// Predicts what the loss of single weights does to a model's outputs.
///
/// For an embedding the loss is 1 − cosine, for any other output half the square of its change. To
/// second order it is ½ |J e|², e being the error of a weight and J the derivative of the output by
/// it, and losses of several weights add up. The mean of (v · J e)² over random signs v is |J e|², and
/// v · J is one gradient. Source: the Gauss-Newton form of the loss (Schraudolph 2002), with random
/// directions (Hutchinson 1990).
package struct OutputLosses {
  let model: Model
  let uses: [TensorName: [WeightUse]]
  let batches: [CalibrationSample.Batch]
  /// Stretches of batches, each small enough to be kept whole.
  let stretches: [Range<Int>]
  let settings: LossSettings
  let jobs: Int

  /// Takes the inputs that predictions are for.
  ///
  /// - Throws: `CalibrationError` for a model of fixed shapes, and if it takes none of the inputs;
  ///   errors of preparing inputs, placed in the set's file.
  package init(
    of model: Model, on set: CalibrationSet, settings: LossSettings = LossSettings(), jobs: Int
  ) throws {
    guard model.architecture.shapes == .any else {
      throw CalibrationError.fixedShapes(origin: model.origin)
    }
    let graph = try model.architecture.smallestGraph()
    let all = WeightUse.all(in: graph)
    let layers = all.compactMap { if case .product(let layer) = $0 { layer } else { nil } }
    let bytes = OutputLosses.bytesPerRow(all, in: graph, probes: settings.probes)
    let sample = try CalibrationSample(
      set, for: model, settings: settings.sample, shapes: InputShapes(layers, in: graph),
      maxTokens: max(1, min(256, settings.byteLimit / max(1, bytes))))
    self.model = model
    uses = Dictionary(grouping: all, by: \.weight.name)
    batches = sample.batches
    stretches = OutputLosses.stretches(
      batches.map { batch in
        let sizes = all.map { $0.count(in: batch.graph) }
        return 4 * sizes.reduce(0) { $0 + $1.values + settings.probes * $1.gradients }
      }, limit: settings.byteLimit)
    self.settings = settings
    self.jobs = max(1, jobs)
  }

  /// Whether the losses of a weight can be predicted.
  package func covers(_ name: TensorName) -> Bool { uses[name] != nil }

  /// Whether calibration fits a weight to its inputs: one that only multiplies.
  package func isFitted(_ name: TensorName) -> Bool {
    guard let uses = uses[name] else { return false }
    return uses.allSatisfy { if case .product = $0 { true } else { false } }
  }

  /// Whether calibration fits the rows of a table to their gradients: one that is only looked up.
  package func isFittedTable(_ name: TensorName) -> Bool {
    guard let uses = uses[name] else { return false }
    return uses.allSatisfy { if case .lookup = $0 { true } else { false } }
  }

  /// Inputs that are looked at.
  package var inputCount: Int { batches.reduce(0) { $0 + $1.count } }

  /// The predicted loss of each of some ways to store weights.
  ///
  /// The result does not depend on `jobs`.
  ///
  /// - Parameters:
  ///   - candidates: for each weight some results of compressing it.
  ///   - progress: told the share that is done; from any thread.
  /// - Returns: the losses in the order of the candidates; none for weights that are not covered.
  package func losses(
    of candidates: [TensorName: [CompressedTensor]],
    progress: @escaping @Sendable (Int, Int) -> Void = { _, _ in }
  ) throws -> [TensorName: [Double]] {
    let names = candidates.keys.filter(covers).sorted()
    let executor = Executor(weights: model.weights, jobs: 1)
    let done = Mutex(0)
    let parts = try Workers.map(stretches.count, jobs: jobs) { index in
      let part = try sums(stretches[index], names, candidates, executor)
      let count = done.withLock { done in
        done += 1
        return done
      }
      progress(count, stretches.count)
      return part
    }
    let scale = 0.5 / Double(max(1, inputCount * settings.probes))
    var losses: [TensorName: [Double]] = [:]
    for (place, name) in names.enumerated() {
      losses[name] = (candidates[name] ?? []).indices.map { candidate in
        scale * parts.reduce(0) { $0 + $1[place][candidate] }
      }
    }
    return losses
  }

  /// For each weight and candidate the sum of squares over the inputs and directions of a stretch.
  private func sums(
    _ stretch: Range<Int>, _ names: [TensorName], _ candidates: [TensorName: [CompressedTensor]],
    _ executor: Executor
  ) throws -> [[Double]] {
    let all = names.flatMap { uses[$0] ?? [] }
    let probes = try stretch.map { place in
      try LossProbe(
        batches[place], all, with: executor, isEmbedding: isEmbedding, settings: settings,
        place: place)
    }
    return try names.map { name in
      let trained = try model.weights.floats(of: name)
      return try (candidates[name] ?? []).map { candidate in
        var error = candidate.dequantized()
        for i in error.indices { error[i] -= trained[i] }
        return try probes.reduce(0) { sum, probe in
          var changes = [Double](repeating: 0, count: probe.batch.count * settings.probes)
          for use in uses[name] ?? [] { try probe.add(error, at: use, to: &changes) }
          return sum + changes.reduce(0) { $0 + $1 * $1 }
        }
      }
    }
  }

  /// Whether only the direction of an output counts.
  var isEmbedding: Bool {
    if case .embedding = model.architecture.output { true } else { false }
  }

  /// Bytes of values and gradients for each row of the smallest graph.
  private static func bytesPerRow(_ uses: [WeightUse], in graph: ModelGraph, probes: Int) -> Int {
    let sizes = uses.map { $0.count(in: graph) }
    let rows = max(1, graph.inputs.first?.type.elementCount ?? 1)
    return 4 * sizes.reduce(0) { $0 + $1.values + probes * $1.gradients } / rows
  }

  /// Consecutive batches, together no larger than the limit if each is not.
  private static func stretches(_ sizes: [Int], limit: Int) -> [Range<Int>] {
    var stretches: [Range<Int>] = []
    var start = 0, total = 0
    for (place, size) in sizes.enumerated() {
      if place > start, total + size > limit {
        stretches.append(start..<place)
        (start, total) = (place, 0)
      }
      total += size
    }
    return start < sizes.count ? stretches + [start..<sizes.count] : stretches
  }
}
