import Execution
import Files
package import Graph
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

  /// Batches that are kept at once where they can be small, and at least: threads run one each.
  private static let batchesPerStretch = 4, fewestBatches = 2

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
    let shapes = InputShapes(layers, in: graph)
    let weights = layers.reduce(0) { $0 + $1.weight.elementCount }
    let sample = try CalibrationSample(
      set, for: model, settings: settings.sample(weights: weights, width: shapes.width),
      shapes: shapes,
      maxTokens: max(1, min(256, settings.byteLimit / max(1, Self.batchesPerStretch * bytes))))
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

  /// How often the inputs look each row of a table up; nil of a weight that is not only looked up, and
  /// where a model computes the numbers of rows.
  package func lookups(of name: TensorName) -> [Int]? {
    guard isFittedTable(name), let uses = uses[name], let table = uses.first?.weight else {
      return nil
    }
    var counts = [Int](repeating: 0, count: table.shape[0])
    for use in uses {
      for batch in batches {
        guard case .integers(let rows) = batch.inputs[use.input] else { return nil }
        for row in rows where counts.indices.contains(Int(row)) { counts[Int(row)] += 1 }
      }
    }
    return counts
  }

  /// Inputs that are looked at.
  package var inputCount: Int { batches.reduce(0) { $0 + $1.count } }

  /// The predicted loss of each of some ways to store weights, and the parts of some tables.
  ///
  /// The result does not depend on `jobs`.
  ///
  /// - Parameters:
  ///   - candidates: for each weight some results of compressing it.
  ///   - rows: of tables in two parts the rows of the first.
  ///   - memory: gets the moments of the gradients, where the inputs are those of a calibration.
  ///   - progress: told the share that is done.
  /// - Returns: for each candidate, in their order, the loss of the weight, or of the first rows and of
  ///   all others; none for weights that are not covered.
  package func partLosses(
    of candidates: [TensorName: [CompressedTensor]], splitting rows: [TensorName: Int] = [:],
    keepingMomentsIn memory: CalibrationMemory? = nil,
    progress: (Int, Int) -> Void = { _, _ in }
  ) throws -> [TensorName: [[Double]]] {
    let names = candidates.keys.filter(covers).sorted()
    let moments = memory.map { _ in GradientSums(of: self) }
    var sums = names.map { name in
      [[Double]](
        repeating: [Double](repeating: 0, count: rows[name] == nil ? 1 : 2),
        count: candidates[name]?.count ?? 0)
    }
    var inputs = 0
    let all = names.flatMap { uses[$0] ?? [] } + (moments?.uses ?? [])
    let stride = moments == nil ? lossStride : 1
    try forEachStretch(
      of: all, stride: stride,
      directions: { $0.isMultiple(of: lossStride) ? settings.probes : settings.momentProbes }
    ) { place, probes in
      try moments?.add(probes)
      if place.isMultiple(of: lossStride) {
        inputs += probes.reduce(0) { $0 + $1.batch.count }
        let parts = try Workers.map(names.count, jobs: jobs, with: { MatrixProduct.useThreads(1) })
        {
          _, place in
          let name = names[place]
          return try squares(of: name, candidates[name] ?? [], splitting: rows[name], probes)
        }
        for (place, part) in parts.enumerated() {
          for (candidate, squares) in part.enumerated() {
            for (half, square) in squares.enumerated() { sums[place][candidate][half] += square }
          }
        }
      }
      progress(min(place + stride, stretches.count), stretches.count)
    }
    if let moments { memory?.keep(try moments.moments(jobs: jobs)) }
    let scale = 0.5 / Double(max(1, inputs * settings.probes))
    return Dictionary(
      zip(names, sums.map { $0.map { $0.map { scale * $0 } } })
    ) { first, _ in first }
  }

  /// Every how manieth stretch losses are predicted for.
  private var lossStride: Int {
    max(1, min(settings.mostLossStride, stretches.count / settings.fewestLossStretches))
  }

  /// Runs batches there and back, in stretches that are in memory together.
  ///
  /// - Parameters:
  ///   - stride: every how manieth stretch runs.
  ///   - directions: by a stretch's number, in how many its outputs are looked at.
  ///   - body: gets a stretch's number, and what each of its batches makes.
  func forEachStretch(
    of uses: [WeightUse], stride: Int = 1, directions: (Int) -> Int,
    _ body: (Int, [LossProbe]) throws -> Void
  ) throws {
    let executor = Executor(weights: model.weights, jobs: 1)
    for place in Swift.stride(from: 0, to: stretches.count, by: stride) {
      let stretch = stretches[place]
      let count = directions(place)
      let probes = try Workers.map(stretch.count, jobs: jobs) { index in
        let place = stretch.lowerBound + index
        return try LossProbe(
          batches[place], uses, with: executor, isEmbedding: isEmbedding, directions: count,
          seed: settings.seed &+ UInt64(place) &* 0x1_0000_0001)
      }
      try body(place, probes)
    }
  }

  /// For each candidate of a weight, or each part of it, the sum of squares over the inputs and
  /// directions of batches.
  private func squares(
    of name: TensorName, _ candidates: [CompressedTensor], splitting place: Int?,
    _ probes: [LossProbe]
  ) throws -> [[Double]] {
    let uses = uses[name] ?? []
    let trained: TrainedNumbers
    if isFittedTable(name), let table = uses.first?.weight {
      trained = try TrainedNumbers(
        rows: Set(probes.flatMap { $0.rows(at: uses) }), of: table, from: model.weights)
    } else {
      trained = .all(try model.weights.floats(of: name))
    }
    let parts: [(Int) -> Bool] =
      place.map { place in [{ $0 < place }, { $0 >= place }] } ?? [{ _ in true }]
    return try candidates.map { candidate in
      try parts.map { isIncluded in
        let error = WeightError(of: candidate, from: trained, rows: isIncluded)
        return try probes.reduce(0) { sum, probe in
          var changes = [Double](repeating: 0, count: probe.batch.count * settings.probes)
          for use in uses { try probe.add(error, at: use, to: &changes) }
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

  /// Consecutive batches, together no larger than the limit where they are more than a few.
  private static func stretches(_ sizes: [Int], limit: Int) -> [Range<Int>] {
    var stretches: [Range<Int>] = []
    var start = 0, total = 0
    for (place, size) in sizes.enumerated() {
      if place >= start + fewestBatches, total + size > limit {
        stretches.append(start..<place)
        (start, total) = (place, 0)
      }
      total += size
    }
    return start < sizes.count ? stretches + [start..<sizes.count] : stretches
  }
}
