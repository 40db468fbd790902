import Graph
import Files
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
  /// - Parameter progress: told the share that is done.
  /// - Returns: none for a weight that has a use which is not understood, or is both looked up and
  ///   multiplied with, and for layers with groups, with very many outputs, or with gradients that are
  ///   not finite.
  /// - Throws: `ExecutionError` of an operation without gradients.
  func gradientMoments(
    progress: (Int, Int) -> Void = { _, _ in }
  ) throws -> GradientMoments {
    let sums = GradientSums(of: self)
    guard !sums.uses.isEmpty else { return GradientMoments() }
    try forEachStretch(of: sums.uses, directions: { _ in settings.momentProbes }) { place, probes in
      try sums.add(probes)
      progress(place + 1, stretches.count)
    }
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
    parts = names.map {
      GradientSum(losses.uses[$0] ?? [], most: losses.settings.momentProbes)
    }
    jobs = losses.jobs
  }

  /// Adds the gradients of batches, in their order, each weight on one thread.
  func add(_ probes: [LossProbe]) throws(GPTQError) {
    try Pieces.run(parts.count, jobs: jobs) { place throws(GPTQError) in
      try parts[place].add(probes)
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

/// Sums the products of the gradients of one weight, not centred.
private final class GradientSum: Sendable {
  let uses: [WeightUse]
  private let width: Int
  private let sums: Mutex<Sums>

  private struct Sums {
    /// Σ g gᵀ: the tiles on and below the diagonal.
    var products: [Double]
    var rowCount = 0

    mutating func add(_ rows: Matrix) throws(GPTQError) {
      rowCount += rows.rows
      let tiles = Pieces.ranges(rows.columns, size: GradientSum.tile)
      try unsafe products.withUnsafeMutableBufferPointer { products throws(GPTQError) in
        guard let base = products.baseAddress else { return }
        for (index, left) in tiles.enumerated() {
          for right in tiles[...index] {
            try unsafe rows.addProduct(left, right, to: base, columns: rows.columns)
          }
        }
      }
    }
  }

  /// Rows and columns of a product computed at a time.
  private static let tile = 256
  /// Numbers of a token's gradients that are summed, in all directions together: a sum takes that times
  /// the width. With 1,536 outputs one direction of four changed no figure of all-MiniLM-L6-v2.
  private static let numbersPerToken = 2048
  /// Directions that are summed.
  private var directions: Int { max(1, min(most, GradientSum.numbersPerToken / width)) }
  private let most: Int

  /// - Parameter most: directions that are summed at most.
  init(_ uses: [WeightUse], most: Int) {
    self.uses = uses
    self.most = most
    width = uses.first?.gradientWidth ?? 1
    sums = Mutex(Sums(products: [Double](repeating: 0, count: width * width)))
  }

  /// The moments of all rows so far, as those of inputs; nil if a number was not finite.
  var moments: LayerMoments? {
    sums.withLock { sums in
      guard sums.products.allSatisfy(\.isFinite) else { return nil }
      return LayerMoments(
        inputs: width, outputs: 0, weight: Double(sums.rowCount),
        origin: [Float](repeating: 0, count: width), sums: [Double](repeating: 0, count: width),
        products: sums.products)
    }
  }

  /// Adds the gradients of batches.
  func add(_ probes: [LossProbe]) throws(GPTQError) {
    let gradients = probes.flatMap { probe in
      uses.flatMap { probe.gradients(of: $0).prefix(directions) }
    }
    let count = gradients.reduce(0) { $0 + $1.count } / width
    guard count > 0 else { return }
    let rows = Matrix(rows: count, columns: width)
    var place = 0
    for values in gradients {
      unsafe values.withUnsafeBufferPointer { values in
        guard let source = values.baseAddress else { return }
        unsafe (rows.base + place).update(from: source, count: values.count)
      }
      place += values.count
    }
    try sums.withLock { sums throws(GPTQError) in try sums.add(rows) }
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
