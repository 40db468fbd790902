package import Graph
package import WeightCompression

/// A layer's weights as they will be stored, chosen with what is known of its inputs.
package struct CompensatedWeight: Sendable {
  package let content: CompressedTensor.Content
  /// The bias that makes the outputs' means what they should be, one for each output; not rounded.
  package let bias: [Float]
  /// tr((Q − A) H (Q − A)ᵀ): squared error of the outputs to be expected, summed over them, A being
  /// the matrix aimed at and H the damped second moments. 0 where nothing was compensated.
  package let loss: Double
  /// The same when every value takes the code nearest to it.
  package let roundingLoss: Double
  /// Why the inputs were not made use of; nil where they were.
  package let shortfall: Shortfall?

  /// What keeps rounding from being compensated.
  package enum Shortfall: String, Hashable, Sendable {
    /// The inputs have no rows or are all zero.
    case noSignal
    /// Indices of vectors, distinct values, and layouts that this does not know.
    case scheme
  }
}

/// Compression of single layers with compensation of errors.
package enum Compensation {
  /// Compresses one layer's weights for the inputs it will see.
  ///
  /// The result does not depend on `jobs`. Scaling weights and wanted outputs scales the result.
  ///
  /// - Parameters:
  ///   - weights: as trained, in the reference's shape, row-major; the reference is a matrix of two
  ///     axes, or more where the channels come first.
  ///   - statistics: of the layer's inputs, and of wanted outputs among which are this weight's.
  ///   - outputs: this weight's place among the outputs of the statistics; all of them unless told.
  ///   - floats: the stored float type.
  /// - Throws: `CompensationError`.
  package static func compress(
    _ weights: [Float], reference: WeightReference, statistics: LayerStatistics, scheme: Scheme,
    floats: FloatWidth, options: CompensationOptions = CompensationOptions(),
    outputs: Range<Int>? = nil, jobs: Int
  ) throws(CompensationError) -> CompensatedWeight {
    let outputs = outputs ?? 0..<statistics.outputs
    let layout = MatrixLayout(reference)
    try check(weights, reference, layout, statistics, outputs)
    let moments = try statistics.moments()
    let plane = layout.matrix(weights)
    let work = LayerWork(
      weights: weights, matrix: plane, reference: reference, layout: layout, moments: moments,
      outputs: outputs, floats: floats, options: options, jobs: max(1, jobs))
    switch scheme {
    case .palette(let scheme) where scheme.width == 1 && layout.isKnown:
      return try work.compress(scheme)
    case .linear(let scheme) where layout.isKnown: return try work.compress(scheme)
    default: return work.plain(scheme, .scheme)
    }
  }

  private static func check(
    _ weights: [Float], _ reference: WeightReference, _ layout: MatrixLayout,
    _ statistics: LayerStatistics, _ outputs: Range<Int>
  ) throws(CompensationError) {
    guard weights.count == reference.elementCount else {
      throw .count(.weights, found: weights.count, needed: reference.elementCount)
    }
    if let place = weights.firstIndex(where: { !$0.isFinite }) {
      let columns = max(1, reference.shape.last ?? 1)
      throw .notFinite(.weights, row: place / columns, column: place % columns)
    }
    guard layout.inputs == statistics.inputs else {
      throw .count(.inputs, found: statistics.inputs, needed: layout.inputs)
    }
    guard outputs.count == layout.outputs, outputs.upperBound <= statistics.outputs else {
      throw .count(.outputs, found: outputs.count, needed: layout.outputs)
    }
  }
}
