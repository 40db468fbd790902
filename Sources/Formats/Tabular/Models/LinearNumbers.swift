import Graph
import IngotFeatures
import StrictJSON
import Trees
import Weights
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension Dense {
  /// Why no linear model of Core ML's is the same; nil if one is.
  var faultForCoreML: String? {
    guard layers.count == 1 else {
      return "is a network of \(layers.count) layers, and Core ML's models of tables are linear"
    }
    if let fault = features.features.lazy.compactMap(TabularChain.Column.fault).first {
      return fault
    }
    let layer = layers[0]
    let width = layer.weight.shape[layer.isInputMajor ? 1 : 0]
    switch (output, layer.activation) {
    case (.numbers(1), .identity), (.numbers(1), .sigmoid): return nil
    case (.numbers(let count), _) where count > 1:
      return "gives \(count) numbers, and a regressor of Core ML's gives one"
    case (.classes, .sigmoid) where width == 1: return nil
    case (.classes, .softmax) where width > 1: return nil
    case (.classes, .oneVersusRest) where width > 2: return nil
    default:
      return
        "has \(Figures.count(width, "output")) with the activation '\(layer.activation.rawValue)', for which "
        + "Core ML has no linear model"
    }
  }
}

extension Dense {
  /// Of a classifier.
  fileprivate var treeLabels: TreeLabels? {
    guard case .classes(let names, _, _) = output else { return nil }
    return switch names {
    case .texts(let texts): .texts(texts)
    case .integers(let integers): .integers(integers)
    }
  }
}

/// A linear model's numbers in doubles.
struct LinearNumbers {
  /// x' = (x − mean) ÷ scale of each feature; nil where features are taken as they are.
  let standardisation: (mean: [Double], scale: [Double])?
  /// What a row is divided by; nil for none.
  let norm: Dense.Norm?
  /// [outputs, features]
  let rows: [[Double]]
  /// Of each output.
  let offsets: [Double]

  /// - Parameter dense: of one layer.
  init(_ dense: Dense, _ numbers: TabularNumbers) throws {
    norm = dense.norm
    let layer = dense.layers[0]
    let shape = layer.weight.shape
    let (outputs, inputs) = layer.isInputMajor ? (shape[1], shape[0]) : (shape[0], shape[1])
    let values = try numbers.values(of: layer.weight.name)
    rows = (0..<outputs).map { output in
      (0..<inputs).map { values[layer.isInputMajor ? $0 * outputs + output : output * inputs + $0] }
    }
    offsets =
      try layer.bias.map { try numbers.values(of: $0.name) }
      ?? [Double](repeating: 0, count: outputs)
    standardisation = try dense.standardisation.map {
      (try numbers.values(of: $0.mean.name), try numbers.values(of: $0.scale.name))
    }
  }

  /// The same as steps of Core ML's.
  ///
  /// - Parameters:
  ///   - dense: has no `faultForCoreML`.
  ///   - output: the name of the output of a model that devices train further; nil for any other.
  func chain(_ dense: Dense, trainable output: String? = nil) -> TabularChain {
    let scaler = standardisation.map { standardisation in
      TabularStep.scaler(
        shift: standardisation.mean.map { -$0 }, scale: standardisation.scale.map { 1 / $0 })
    }
    let normalizer = norm.map { TabularStep.normalizer($0 == .l1 ? .sum : .length) }
    return TabularChain(
      .columns(dense.features.features.compactMap { TabularChain.Column($0) }),
      [scaler, normalizer].compactMap(\.self),
      predictor: output.map { .network(network(dense, $0)) } ?? predictor(dense))
  }

  /// Of one sigmoid the first class has the sum 0, so that a softmax gives the same.
  private func network(_ dense: Dense, _ output: String) -> LinearNetwork {
    guard let labels = dense.treeLabels else {
      return LinearNetwork(
        trainable: rows, offsets: offsets, labels: nil, input: TabularChain.vector, output: output)
    }
    let isOne = rows.count == 1
    return LinearNetwork(
      trainable: isOne ? [[Double](repeating: 0, count: rows[0].count)] + rows : rows,
      offsets: isOne ? [0] + offsets : offsets, labels: labels, input: TabularChain.vector,
      output: output + "_probs")
  }

  /// The sum of the magnitudes that are added up for a row, of the output where it is largest.
  func magnitude(of row: [Double]) -> Double {
    let row = standardised(row)
    return zip(rows, offsets).map { weights, offset in
      zip(weights, row).reduce(abs(offset)) { $0 + abs($1.0 * $1.1) }
    }.max() ?? 0
  }

  private func standardised(_ row: [Double]) -> [Double] {
    guard let (mean, scale) = standardisation else { return normalised(row) }
    return normalised(row.indices.map { (row[$0] - mean[$0]) / scale[$0] })
  }

  private func normalised(_ row: [Double]) -> [Double] {
    let size: Double
    switch norm {
    case nil: return row
    case .l1: size = row.reduce(0) { $0 + abs($1) }
    case .l2: size = row.reduce(0) { $0 + $1 * $1 }.squareRoot()
    }
    return size == 0 ? row : row.map { $0 / size }
  }

  private func predictor(_ dense: Dense) -> TabularStep {
    let activation = dense.layers[0].activation
    guard let labels = dense.treeLabels else {
      return .linearRegressor(
        LinearRegressor(
          weights: rows[0], offset: offsets[0], link: activation == .sigmoid ? .logit : .identity))
    }
    if activation == .softmax {
      return .linearClassifier(LinearClassifier(softmax: rows, offsets: offsets, labels: labels))
    }
    return .linearClassifier(
      LinearClassifier(
        weights: rows, offsets: offsets,
        encoding: activation == .oneVersusRest ? .oneVersusRest : .referenceClass, labels: labels))
  }

  /// The outputs of a row, as the model's own description has them.
  func outputs(of row: [Double], _ activation: Dense.Activation) -> [Double] {
    let row = standardised(row)
    let sums = zip(rows, offsets).map { weights, offset in
      zip(weights, row).reduce(offset) { $0 + $1.0 * $1.1 }
    }
    switch activation {
    case .sigmoid: return sums.map { 1 / (1 + exp(-$0)) }
    case .softmax:
      let largest = sums.max() ?? 0
      let shares = sums.map { exp($0 - largest) }
      return shares.map { $0 / shares.reduce(0, +) }
    case .oneVersusRest:
      let each = sums.map { 1 / (1 + exp(-$0)) }
      return each.map { $0 / each.reduce(0, +) }
    case .identity, .relu, .tanh, .gelu: return sums
    }
  }
}
