package import IngotFeatures
package import StrictJSON
package import Trees
package import Weights

/// A dense model that another tool's file holds: its arrays and its `model.json`.
package struct DenseDescription {
  /// A linear layer, and what is done with its outputs.
  package struct Layer {
    /// [outputs, inputs]
    let rows: [[Double]]
    /// Of each output.
    let offsets: [Double]
    let activation: Dense.Activation

    package init(rows: [[Double]], offsets: [Double], activation: Dense.Activation) {
      (self.rows, self.offsets, self.activation) = (rows, offsets, activation)
    }
  }

  private static let mean = "standardize.mean"
  private static let scale = "standardize.scale"

  package let arrays: [MemoryArray]
  package let json: JSONValue

  /// - Parameters:
  ///   - standardisation: x' = (x − mean) ÷ scale of each number of a row; nil without.
  ///   - norm: what a row is divided by; nil for none.
  ///   - layers: at least one; none is empty.
  ///   - labels: of a classifier; nil of a regressor.
  ///   - hasTwoColumns: whether one sigmoid gives a number for both of two classes.
  package init(
    features: [Feature], standardisation: (mean: [Double], scale: [Double])?, norm: Dense.Norm?,
    layers: [Layer], labels: TreeLabels?, hasTwoColumns: Bool, outputName: String
  ) {
    var arrays: [MemoryArray] = []
    var described: [JSONValue] = []
    for (number, layer) in layers.enumerated() {
      let name = layers.count == 1 ? "linear" : "layer\(number)"
      arrays.append(
        MemoryArray(
          TensorName("\(name).weight"), [layer.rows.count, layer.rows[0].count],
          layer.rows.flatMap(\.self)))
      arrays.append(MemoryArray(TensorName("\(name).bias"), [layer.rows.count], layer.offsets))
      described.append([
        "weight": .string("\(name).weight"), "bias": .string("\(name).bias"),
        "activation": .string(layer.activation.rawValue),
      ])
    }
    var output: [String: JSONValue] = ["name": .string(outputName), "kind": "regressor"]
    if let labels {
      output["kind"] = "classifier"
      output["labels"] = labels.json
      if hasTwoColumns { output["columns"] = 2 }
    }
    var object: [String: JSONValue] = [
      "architecture": .string(Dense.name), "inputs": .array(features.map { $0.json() }),
      "layers": .array(described), "output": .object(output),
    ]
    object["normalize"] = norm.map { .string($0.rawValue) }
    if let standardisation {
      object["standardize"] = ["mean": .string(Self.mean), "scale": .string(Self.scale)]
      arrays.append(
        MemoryArray(
          TensorName(Self.mean), [standardisation.mean.count], standardisation.mean))
      arrays.append(
        MemoryArray(
          TensorName(Self.scale), [standardisation.scale.count], standardisation.scale))
    }
    self.arrays = arrays
    json = .object(object)
  }

  /// That of layers of a table.
  init(_ table: TableLayers) {
    var labels: TreeLabels?
    if case .classification(let named) = table.task { labels = named }
    self.init(
      features: table.features, standardisation: table.standardisation,
      norm: table.norm.map { $0 == .sum ? .l1 : .l2 },
      layers: table.layers.map { layer in
        Layer(
          rows: layer.rows, offsets: layer.offsets, activation: Dense.Activation(layer.activation))
      },
      labels: labels, hasTwoColumns: table.hasTwoColumns, outputName: table.outputName)
  }
}

extension Dense.Activation {
  fileprivate init(_ activation: TableLayers.Activation) {
    self =
      switch activation {
      case .identity: .identity
      case .relu: .relu
      case .sigmoid: .sigmoid
      case .tanh: .tanh
      case .softmax: .softmax
      case .oneVersusRest: .oneVersusRest
      }
  }
}

extension TreeLabels {
  fileprivate var json: JSONValue {
    switch self {
    case .texts(let texts): .array(texts.map(JSONValue.string))
    case .integers(let numbers): .array(numbers.map(JSONValue.integer))
    }
  }
}
