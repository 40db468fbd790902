package import Graph
import StrictJSON
package import WeightCompression

/// A layer's weights as they will be stored, chosen with statistics of its inputs.
package struct CompensatedWeight: Sendable {
  package let content: CompressedTensor.Content
  /// The bias that gives the outputs the wanted means, one for each output; not rounded.
  package let bias: [Float]
  /// tr((Q − A) H (Q − A)ᵀ): expected squared error of the outputs, summed over them, A being the
  /// target matrix and H the damped second moments. 0 if nothing was compensated.
  package let loss: Double
  /// The same when every value takes the code nearest to it.
  package let roundingLoss: Double
  /// Why the inputs were not used; nil if they were.
  package let shortfall: Shortfall?

  /// The reason why rounding errors cannot be compensated.
  package enum Shortfall: String, Hashable, Sendable {
    /// The inputs have no rows or are all zero.
    case noSignal
    /// Indices of vectors, distinct values, tables in parts, and layouts that this does not know.
    case scheme
  }
}

/// Compression of single layers with compensation of errors.
package enum GPTQCompensation {
  /// Compresses one layer's weights for the inputs it will see.
  ///
  /// The result does not depend on `jobs`. Scaling weights and wanted outputs scales the result.
  ///
  /// - Parameters:
  ///   - weights: as trained, in the reference's shape, row-major; the reference is a matrix of two
  ///     axes, or more where the channels come first.
  ///   - statistics: of the layer's inputs, and of wanted outputs that include this weight's.
  ///   - outputs: this weight's place among the outputs of the statistics; by default all of them.
  ///   - floats: the stored float type.
  /// - Throws: `GPTQError`.
  package static func compress(
    _ weights: [Float], reference: WeightReference, statistics: LayerStatistics, scheme: Scheme,
    floats: FloatType, options: GPTQOptions = GPTQOptions(),
    outputs: Range<Int>? = nil, jobs: Int
  ) throws(GPTQError) -> CompensatedWeight {
    let outputs = outputs ?? 0..<statistics.outputs
    try check(weights, reference, statistics.inputs, statistics.outputs, outputs)
    return try compress(
      LayerWork(
        weights: weights, reference: reference, moments: [try statistics.moments()],
        outputs: outputs, floats: floats, options: options, jobs: max(1, jobs)), scheme)
  }

  /// The same of a convolution in groups: each group has inputs of its own.
  ///
  /// - Parameter moments: of each group of outputs, in their order, with as many inputs and as many
  ///   outputs as any other; one of them is a layer without groups.
  /// - Throws: `GPTQError`.
  static func compress(
    _ weights: [Float], reference: WeightReference, moments: [LayerMoments],
    coupling: OutputCoupling? = nil, scheme: Scheme, floats: FloatType,
    options: GPTQOptions = GPTQOptions(), jobs: Int
  ) throws(GPTQError) -> CompensatedWeight {
    let outputs = moments.reduce(0) { $0 + $1.outputs }
    for group in moments { try check(weights, reference, group.inputs, outputs, 0..<outputs) }
    return try compress(
      LayerWork(
        weights: weights, reference: reference, moments: moments, outputs: 0..<outputs,
        coupling: coupling, floats: floats, options: options, jobs: max(1, jobs)), scheme)
  }

  /// Compresses a layer, or rows of a table, without checking them.
  static func compress(
    _ work: LayerWork, _ scheme: Scheme
  ) throws(GPTQError) -> CompensatedWeight {
    guard work.isMatrix else { return work.plain(scheme, .scheme) }
    switch scheme {
    case .palette(let palette):
      return palette.width == 1 ? try work.compress(palette) : work.plain(scheme, .scheme)
    case .linear(let linear): return try work.compress(linear)
    case .unique, .split, .narrow: return work.plain(scheme, .scheme)
    }
  }

  private static func check(
    _ weights: [Float], _ reference: WeightReference, _ inputCount: Int, _ outputCount: Int,
    _ outputs: Range<Int>
  ) throws(GPTQError) {
    guard weights.count == reference.elementCount else {
      throw .count(.weights, found: weights.count, needed: reference.elementCount)
    }
    if let place = weights.firstIndex(where: { !$0.isFinite }) {
      let columns = max(1, reference.shape.last ?? 1)
      throw .notFinite(.weights, row: place / columns, column: place % columns)
    }
    let layout = RunLayout(channelsOf: reference)
    guard layout.groupCount == inputCount else {
      throw .count(.inputs, found: inputCount, needed: layout.groupCount)
    }
    guard outputs.count == layout.groups, outputs.upperBound <= outputCount else {
      throw .count(.outputs, found: outputs.count, needed: layout.groups)
    }
  }
}

/// How strongly the statistics of a layer's inputs shape its weights.
package struct GPTQOptions: Hashable, Sendable {
  /// Added to the diagonal of the second moments, in units of its mean: keeps the fit from trusting
  /// few inputs too much.
  package let damping: Double
  /// Weight of the ridge that holds the target near the weights as trained, in units of the mean of the
  /// diagonal; nil takes the weights as trained for the target.
  ///
  /// The target is the matrix that makes the wanted outputs of the inputs as the compressed layers
  /// before leave them.
  package let ridge: Double?
  /// Share of the squared mean that is added to the centred moments: a bias takes up the mean, though
  /// never all of it on other inputs.
  package let meanWeight: Double
  /// Number of rounds that improve codes and then palettes or scales.
  package let rounds: Int
  /// The most passes of coordinate descent over the codes in each round.
  package let sweeps: Int

  package init(
    damping: Double = 0.05, ridge: Double? = 0.5, meanWeight: Double = 0.05, rounds: Int = 1,
    sweeps: Int = 3
  ) {
    precondition(damping >= 0 && ridge ?? 0 >= 0 && meanWeight >= 0, "no negative shares")
    precondition(rounds >= 0 && sweeps >= 0, "no negative counts")
    self.damping = damping
    self.ridge = ridge
    self.meanWeight = meanWeight
    self.rounds = rounds
    self.sweeps = sweeps
  }
}

/// Why a layer cannot be compressed with the statistics of its inputs; the caller names the layer.
package enum GPTQError: Error, Equatable, CustomStringConvertible {
  /// The array that holds a number which is not finite.
  package enum Part: String, Hashable, Sendable {
    case inputs, outputs, weights
  }

  /// A number is NaN or infinite.
  case notFinite(Part, row: Int, column: Int)
  /// A row's weight is NaN, infinite or negative.
  case rowWeight(row: Int)
  /// Numbers are finite, their products are not.
  case overflow
  /// More or fewer numbers than a shape needs.
  case count(Part, found: Int, needed: Int)
  /// A matrix of moments that cannot be factored, however large its diagonal is made.
  case notFactored
  case matrixProduct(status: Int32)

  package var description: String {
    switch self {
    case .notFinite(let part, let row, let column):
      "\(part.rawValue): the number in row \(row), column \(column) is not finite"
    case .rowWeight(let row): "the weight of row \(row) is no finite number from 0 on"
    case .overflow: "inputs or outputs are so large that their squares overflow"
    case .count(let part, let found, let needed):
      "\(part.rawValue): \(Figures.count(found, "number")), the shape needs \(needed)"
    case .notFactored: "the second moments of the inputs cannot be factored"
    case .matrixProduct(let status): "a matrix product failed with status \(status) of oneDNN"
    }
  }
}
