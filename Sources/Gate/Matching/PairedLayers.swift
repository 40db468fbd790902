import Files
import Graph
import IngotFeatures
import Weights

/// The weights of linear layers that another file lays out otherwise, as the baseline would have them.
///
/// Core ML has names of its own, subtracts the first class of a softmax from all, and multiplies where a
/// description divides. Layer by layer both sides become one affine map, that of the first a number for each feature
/// as an app gives it, and the candidate's are written in the baseline's layout. Where its means and scales differ,
/// its weights do.
struct PairedLayers {
  /// The candidate's numbers by the baseline's names, in its shapes.
  let values: [TensorName: [Float]]
  /// Weights of the candidate that the baseline has none for.
  let added: [TensorName]
  /// Whether there is but one layer, so that a column is all that a feature does.
  let isLinear: Bool

  /// - Returns: nil of other models than two of as many layers with the same features, outputs and
  ///   activations; and of those that have the same layout.
  /// - Throws: the weight source's own error when a weight cannot be read; `FileError.noMemory`.
  init?(_ baseline: Model, _ candidate: Model) throws {
    guard let ours = baseline.architecture as? Dense, let theirs = candidate.architecture as? Dense,
      ours.layers.count == theirs.layers.count, let last = ours.layers.last,
      ours.features.columnCount == theirs.features.columnCount, ours.norm == theirs.norm,
      ours.norm == nil || (ours.standardisation == nil) == (theirs.standardisation == nil)
    else { return nil }
    let hasSameNames = try baseline.usedWeights() == candidate.usedWeights()
    if hasSameNames {
      guard last.activation == .softmax,
        let own = try AffineMap(ours, ours.layers.count - 1, baseline.weights),
        let other = try AffineMap(theirs, theirs.layers.count - 1, candidate.weights),
        own.isFirstZero != other.isFirstZero
      else { return nil }
    }
    var values: [TensorName: [Float]] = [:]
    var added: [TensorName] = []
    for (place, layers) in zip(ours.layers, theirs.layers).enumerated() {
      let (layer, counterpart) = layers
      try Memory.require(
        32 * (layer.weight.elementCount + counterpart.weight.elementCount),
        for: "comparing weight \(quoted(layer.weight.name))", of: candidate.origin)
      guard let own = try AffineMap(ours, place, baseline.weights),
        let other = try AffineMap(theirs, place, candidate.weights),
        let map = other.arranged(as: own)
      else { return nil }
      if layer.bias == nil, let bias = counterpart.bias, !map.hasNoOffsets {
        added.append(bias.name)
      }
      values.merge(try map.values(ours, place, baseline.weights)) { first, _ in first }
    }
    (self.values, self.added, isLinear) = (values, added, ours.layers.count == 1)
  }
}

/// A linear layer, the first one over features as an app gives them, in doubles.
private struct AffineMap {
  private let activation: Dense.Activation
  /// Whether rows are divided by their size, so that no weight makes up for another scale.
  private let isNormalised: Bool
  /// Whether another layer reads the outputs.
  private let isHidden: Bool
  /// [outputs, features], by what is standardised.
  private var rows: [[Double]]
  private var offsets: [Double]
  /// x' = (x − mean) ÷ scale of each feature.
  private var mean: [Double]
  private var scale: [Double]

  /// - Returns: nil where an array has more numbers or fewer than its shape.
  init?(_ dense: Dense, _ place: Int, _ weights: any WeightSource) throws {
    let layer = dense.layers[place]
    activation = layer.activation
    isNormalised = place == 0 && dense.norm != nil
    isHidden = place < dense.layers.count - 1
    let standardisation = place == 0 ? dense.standardisation : nil
    let shape = layer.weight.shape
    let (outputs, inputs) = layer.isInputMajor ? (shape[1], shape[0]) : (shape[0], shape[1])
    func numbers(_ reference: WeightReference?, or usual: Double, _ count: Int) throws -> [Double] {
      try reference.map { try weights.doubles(of: $0.name) }
        ?? [Double](repeating: usual, count: count)
    }
    let values = try weights.doubles(of: layer.weight.name)
    offsets = try numbers(layer.bias, or: 0, outputs)
    mean = try numbers(standardisation?.mean, or: 0, inputs)
    scale = try numbers(standardisation?.scale, or: 1, inputs)
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

  /// Whether nothing is added to the sums but what rounding leaves of means that were taken out.
  var hasNoOffsets: Bool {
    zip(offsets, rows).allSatisfy { offset, row in
      let size = zip(row, zip(mean, scale)).reduce(0) { sum, place in
        sum + (place.0 * place.1.0 / place.1.1).magnitude
      }
      return offset.magnitude <= 0x1p-9 * size
    }
  }

  /// The same map with the means and scales of another, and as many outputs; nil if it has none such.
  func arranged(as other: AffineMap) -> AffineMap? {
    var map = self
    guard mean.count == other.mean.count else { return nil }
    if activation != other.activation || rows.count != other.rows.count {
      guard !isHidden else { return nil }
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
    if !isHidden, other.activation == .softmax { map.shift(towards: other) }
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
    _ dense: Dense, _ place: Int, _ weights: any WeightSource
  ) throws -> [TensorName: [Float]] {
    let layer = dense.layers[place]
    var values: [TensorName: [Float]] = [:]
    if place == 0, let (mean, scale) = dense.standardisation {
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
