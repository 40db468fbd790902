import Graph
import Synchronization
import WeightCompression
import Weights

/// Second moments of the gradients of a model's outputs by what its weights give: by the rows that
/// lookups of a table give, and by the outputs of a layer.
///
/// They say what errors there cost: to second order ½ eᵀ F e, F being the mean of g gᵀ over tokens and
/// random directions.
struct GradientMoments: Sendable {
  /// By the rows of tables, as moments of inputs.
  private var tables: [TensorName: LayerMoments] = [:]
  /// By the outputs of layers, [outputs, outputs]: the lower half.
  private var layers: [TensorName: Matrix] = [:]

  /// The moments by the rows of a table; nil if there are none.
  subscript(rowsOf table: TensorName) -> LayerMoments? { tables[table] }

  /// The moments by the outputs of a layer's weight, the lower half of a matrix; nil if there are none.
  subscript(outputsOf weight: TensorName) -> Matrix? { layers[weight] }

  fileprivate mutating func take(
    _ moments: LayerMoments, of use: WeightUse, jobs: Int
  ) throws(GPTQError) {
    switch use {
    case .lookup(let weight, _, _): tables[weight.name] = moments
    case .product(let layer):
      layers[layer.weight.name] = try OutputCoupling.secondMoments(moments, jobs: jobs)
    }
  }
}

extension OutputLosses {
  /// The moments of the gradients of all weights.
  ///
  /// Every token counts alike. The result does not depend on `jobs`.
  ///
  /// - Returns: none for a weight that has a use which is not understood, or is both looked up and
  ///   multiplied with, and for layers with groups, with very many outputs, or with gradients that are
  ///   not finite.
  /// - Throws: `ExecutionError` of an operation without gradients.
  func gradientMoments() throws -> GradientMoments {
    let sums = GradientSums(of: self)
    guard !sums.uses.isEmpty else { return GradientMoments() }
    try forEachStretch(of: sums.uses) { try sums.add($1) }
    return try sums.moments(jobs: jobs)
  }
}

/// Sums the products of gradients, batch by batch.
struct GradientSums {
  /// Of each weight.
  private let parts: [GradientSum]
  private let jobs: Int

  /// The uses of all weights that have moments.
  var uses: [WeightUse] { parts.flatMap(\.uses) }

  init(of losses: OutputLosses) {
    let names = losses.uses.filter { WeightUse.haveMoments($0.value) }.keys.sorted()
    parts = names.map { GradientSum(losses.uses[$0] ?? []) }
    jobs = losses.jobs
  }

  /// Adds the gradients of batches, in their order, each weight on one thread.
  func add(_ probes: [LossProbe]) throws(GPTQError) {
    try Pieces.run(parts.count, jobs: jobs) { place throws(GPTQError) in
      for probe in probes { parts[place].add(probe) }
    }
  }

  func moments(jobs: Int) throws -> GradientMoments {
    var moments = GradientMoments()
    for part in parts {
      // Sums that overflow say nothing.
      guard let use = part.uses.first, let found = part.moments else { continue }
      try moments.take(found, of: use, jobs: jobs)
    }
    return moments
  }
}

/// Sums the products of the gradients of one weight.
private final class GradientSum: Sendable {
  let uses: [WeightUse]
  /// Nil where a gradient was not finite.
  private let statistics: Mutex<LayerStatistics?>

  /// Rows of gradients that wait, of every weight.
  private static let blockRows = 256

  init(_ uses: [WeightUse]) {
    self.uses = uses
    statistics = Mutex(
      LayerStatistics(
        inputs: uses.first?.gradientWidth ?? 1, outputs: 0, blockRows: GradientSum.blockRows))
  }

  var moments: LayerMoments? { statistics.withLock { try? $0?.moments() } }

  func add(_ probe: LossProbe) {
    statistics.withLock { statistics in
      do throws(GPTQError) {
        for rows in uses.flatMap(probe.gradients) { try statistics?.add(rows) }
      } catch {
        statistics = nil
      }
    }
  }
}

extension LayerStatistics {
  /// Adds rows of inputs that count alike.
  fileprivate mutating func add(_ rows: [Float]) throws(GPTQError) {
    let weights = [Float](repeating: 1, count: rows.count / max(1, inputs))
    try unsafe rows.withUnsafeBufferPointer { rows throws(GPTQError) in
      let none = unsafe UnsafeBufferPointer<Float>(start: nil, count: 0)
      try unsafe add(inputs: rows, targets: none, rowWeights: weights)
    }
  }
}

extension WeightUse {
  /// The most outputs of a layer whose gradients are summed: the sums have as many numbers as that
  /// squared.
  private static let maxOutputs = 2048

  /// Whether the gradients of a weight's uses are rows of one width that is summed.
  fileprivate static func haveMoments(_ uses: [WeightUse]) -> Bool {
    uses.allSatisfy { use in
      switch use {
      case .lookup: uses.allSatisfy { if case .lookup = $0 { true } else { false } }
      case .product(let layer):
        layer.groupCount == 1 && use.gradientWidth <= maxOutputs
          && uses.allSatisfy { if case .product = $0 { true } else { false } }
      }
    }
  }

  /// Numbers of a row of gradients.
  fileprivate var gradientWidth: Int {
    switch self {
    case .lookup(let weight, _, _): weight.shape[1]
    case .product(let layer): layer.weight.channels
    }
  }
}

extension LossProbe {
  /// The rows of the gradients of a use's output, one for each direction.
  fileprivate func gradients(of use: WeightUse) -> [[Float]] {
    let gradients = gradients(of: use.output)
    guard case .product(let layer) = use, let patches = layer.patches else { return gradients }
    return gradients.map { patches.outputs($0, group: 0) }
  }
}
