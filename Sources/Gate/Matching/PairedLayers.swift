import Files
import Graph
import IngotFeatures
import Weights

/// The weights of a linear model that another file lays out otherwise, as the baseline would have them.
///
/// Core ML has names of its own, subtracts the first class of a softmax from all, and multiplies where a
/// description divides. Both sides become one affine map, a number for each feature as an app gives it, and
/// that of the candidate is written in the baseline's layout. Where its means and scales differ, its weights do.
struct PairedLayers {
  /// The candidate's numbers by the baseline's names, in its shapes.
  let values: [TensorName: [Float]]

  /// - Returns: nil of other models than two of one linear layer with as many features, classes and the same
  ///   activation; and of those that have the same layout.
  /// - Throws: the weight source's own error when a weight cannot be read; `FileError.noMemory`.
  init?(_ baseline: Model, _ candidate: Model) throws {
    guard let ours = baseline.architecture as? Dense, let theirs = candidate.architecture as? Dense,
      ours.layers.count == 1, theirs.layers.count == 1,
      ours.features.columnCount == theirs.features.columnCount, ours.norm == theirs.norm,
      ours.norm == nil || (ours.standardisation == nil) == (theirs.standardisation == nil)
    else { return nil }
    let hasSameNames = try baseline.usedWeights() == candidate.usedWeights()
    guard !hasSameNames || ours.layers[0].activation == .softmax else { return nil }
    try Memory.require(
      32 * (ours.layers[0].weight.elementCount + theirs.layers[0].weight.elementCount),
      for: "comparing weight \(quoted(ours.layers[0].weight.name))", of: candidate.origin)
    guard let own = try AffineMap(ours, baseline.weights),
      let other = try AffineMap(theirs, candidate.weights),
      !hasSameNames || own.isFirstZero != other.isFirstZero,
      let map = other.arranged(as: own)
    else { return nil }
    values = try map.values(ours, baseline.weights)
  }
}

/// A linear layer over features as an app gives them, in doubles.
private struct AffineMap {
  private let activation: Dense.Activation
  /// Whether rows are divided by their size, so that no weight makes up for another scale.
  private let isNormalised: Bool
  /// [outputs, features], by what is standardised.
  private var rows: [[Double]]
  private var offsets: [Double]
  /// x' = (x − mean) ÷ scale of each feature.
  private var mean: [Double]
  private var scale: [Double]

  /// - Returns: nil where an array has more numbers or fewer than its shape.
  init?(_ dense: Dense, _ weights: any WeightSource) throws {
    let layer = dense.layers[0]
    activation = layer.activation
    isNormalised = dense.norm != nil
    let shape = layer.weight.shape
    let (outputs, inputs) = layer.isInputMajor ? (shape[1], shape[0]) : (shape[0], shape[1])
    func numbers(_ reference: WeightReference?, or usual: Double, _ count: Int) throws -> [Double] {
      try reference.map { try weights.doubles(of: $0.name) }
        ?? [Double](repeating: usual, count: count)
    }
    let values = try weights.doubles(of: layer.weight.name)
    offsets = try numbers(layer.bias, or: 0, outputs)
    mean = try numbers(dense.standardisation?.mean, or: 0, inputs)
    scale = try numbers(dense.standardisation?.scale, or: 1, inputs)
    rows = []
    guard values.count == outputs * inputs, offsets.count == outputs, mean.count == inputs,
      scale.count == inputs
    else { return nil }
    rows = (0..<outputs).map { output in
      (0..<inputs).map { values[layer.isInputMajor ? $0 * outputs + output : output * inputs + $0] }
    }
  }

  /// Whether the first of several outputs is 0 for every row.
  var isFirstZero: Bool {
    activation == .softmax && offsets[0] == 0 && rows[0].allSatisfy { $0 == 0 }
  }

  /// The same map with the means and scales of another, and as many outputs; nil if it has none such.
  func arranged(as other: AffineMap) -> AffineMap? {
    var map = self
    if activation != other.activation || rows.count != other.rows.count {
      switch (activation, other.activation, rows.count, other.rows.count) {
      // One sum decides between two classes as two sums do, the first of which is 0.
      case (.sigmoid, .softmax, 1, 2):
        map.rows.insert([Double](repeating: 0, count: mean.count), at: 0)
        map.offsets.insert(0, at: 0)
      case (.softmax, .sigmoid, 2, 1):
        map.rows = [zip(rows[1], rows[0]).map { $0 - $1 }]
        map.offsets = [offsets[1] - offsets[0]]
      default: return nil
      }
    }
    if !isNormalised { map.standardise(as: other) }
    if other.activation == .softmax { map.shift(towards: other) }
    return map
  }

  private mutating func standardise(as other: AffineMap) {
    for output in rows.indices {
      for place in rows[output].indices
      where mean[place] != other.mean[place] || scale[place] != other.scale[place] {
        let slope = rows[output][place] / scale[place]
        offsets[output] += slope * (other.mean[place] - mean[place])
        rows[output][place] = slope * other.scale[place]
      }
    }
    (mean, scale) = (other.mean, other.scale)
  }

  /// What is added to all sums of a softmax changes nothing: let it be what brings both nearest.
  private mutating func shift(towards other: AffineMap) {
    let count = Double(rows.count)
    for place in mean.indices {
      let shift = rows.indices.reduce(0) { $0 + other.rows[$1][place] - rows[$1][place] } / count
      for output in rows.indices { rows[output][place] += shift }
    }
    let shift = rows.indices.reduce(0) { $0 + other.offsets[$1] - offsets[$1] } / count
    for output in rows.indices { offsets[output] += shift }
  }

  /// The numbers of each weight of a description.
  func values(
    _ dense: Dense, _ weights: any WeightSource
  ) throws -> [TensorName: [Float]] {
    let layer = dense.layers[0]
    var values: [TensorName: [Float]] = [:]
    if let (mean, scale) = dense.standardisation {
      values[mean.name] =
        isNormalised ? self.mean.map { Float($0) } : try weights.floats(of: mean.name)
      values[scale.name] =
        isNormalised ? self.scale.map { Float($0) } : try weights.floats(of: scale.name)
    }
    let ordered =
      layer.isInputMajor
      ? mean.indices.flatMap { place in rows.map { $0[place] } } : rows.flatMap(\.self)
    values[layer.weight.name] = ordered.map { Float($0) }
    if let bias = layer.bias { values[bias.name] = offsets.map { Float($0) } }
    return values
  }
}
