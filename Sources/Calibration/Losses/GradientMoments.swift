import Graph
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
    var sums = GradientSums(of: self)
    guard !sums.uses.isEmpty else { return GradientMoments() }
    try forEachStretch(of: sums.uses) { sums.add($1) }
    return try sums.moments(jobs: jobs)
  }
}

/// Sums the products of gradients, batch by batch.
struct GradientSums {
  /// Of each weight.
  private let parts: [[WeightUse]]
  /// Rows of gradients that wait, of all weights at once.
  private static let blockRows = 256
  /// Nil where a gradient was not finite.
  private var statistics: [LayerStatistics?]

  /// The uses of all weights that have moments.
  var uses: [WeightUse] { parts.flatMap(\.self) }

  init(of losses: OutputLosses) {
    let names = losses.uses.filter { WeightUse.haveMoments($0.value) }.keys.sorted()
    parts = names.map { losses.uses[$0] ?? [] }
    statistics = parts.map { uses in
      LayerStatistics(
        inputs: uses.first?.gradientWidth ?? 1, outputs: 0, blockRows: GradientSums.blockRows,
        jobs: losses.jobs)
    }
  }

  mutating func add(_ probes: [LossProbe]) {
    for probe in probes {
      for (place, uses) in parts.enumerated() {
        statistics[place] = GradientSums.adding(
          uses.flatMap(probe.gradients), to: statistics[place].take())
      }
    }
  }

  func moments(jobs: Int) throws -> GradientMoments {
    var moments = GradientMoments()
    for (uses, statistics) in zip(parts, statistics) {
      // Sums that overflow say nothing.
      guard let use = uses.first, let found = try? statistics?.moments() else { continue }
      try moments.take(found, of: use, jobs: jobs)
    }
    return moments
  }

  private static func adding(
    _ parts: [[Float]], to statistics: consuming LayerStatistics?
  ) -> LayerStatistics? {
    guard var statistics else { return nil }
    do throws(GPTQError) {
      for rows in parts { try add(rows, to: &statistics) }
      return statistics
    } catch {
      return nil
    }
  }

  private static func add(
    _ rows: [Float], to statistics: inout LayerStatistics
  ) throws(GPTQError) {
    let weights = [Float](repeating: 1, count: rows.count / max(1, statistics.inputs))
    try unsafe rows.withUnsafeBufferPointer { rows throws(GPTQError) in
      let none = unsafe UnsafeBufferPointer<Float>(start: nil, count: 0)
      try unsafe statistics.add(inputs: rows, targets: none, rowWeights: weights)
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
