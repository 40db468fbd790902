package import IngotFeatures

/// A chain of linear layers and activations over named features, described by `model.json`.
///
/// Logistic and linear regression and small networks; the format is in
/// `specs/formats/dense-model.md`.
package struct Dense: RecognisedArchitecture {
  package enum Activation: String, CaseIterable, Sendable {
    case identity, relu, sigmoid, tanh, softmax, gelu
    /// A sigmoid of each output, divided by their sum.
    case oneVersusRest = "one-vs-rest"

    /// Whether its outputs are between 0 and 1.
    var givesProbabilities: Bool { [.sigmoid, .softmax, .oneVersusRest].contains(self) }
  }

  /// What a row is divided by. Zeros stay zeros.
  package enum Norm: String, CaseIterable, Sendable {
    /// The sum of magnitudes.
    case l1
    /// The root of the sum of squares.
    case l2
  }

  /// A linear layer, and what is done with its outputs.
  package struct Layer: Sendable {
    /// [out, in], or [in, out].
    package let weight: WeightReference
    /// [out]; nil without one.
    package let bias: WeightReference?
    /// Whether the weight is stored [in, out].
    package let isInputMajor: Bool
    package let activation: Activation
  }

  package static let name = "dense"
  package static let signature = "model.json with \"architecture\": \"dense\""

  /// Names and kinds of the values of a row.
  package let features: FeatureSchema
  /// Means and scales, both [columns]: x' = (x − mean) / scale.
  package let standardisation: (mean: WeightReference, scale: WeightReference)?
  /// What a row is divided by before the first layer; nil for none.
  package let norm: Norm?
  /// At least one.
  package let layers: [Layer]
  package let output: ModelOutput
  package let outputName: String
  package let describingFiles = ["model.json"]
  /// Whether a single probability p becomes the two columns 1 − p and p.
  package internal(set) var hasTwoColumns = false

  package var input: ModelInput { .features(features) }

  package func graph(batch: Int, length: Int) throws(GraphError) -> ModelGraph {
    var graph = GraphBuilder()
    var value = graph.input("features", ValueType(.float32, [batch, features.columnCount]))
    if let (mean, scale) = standardisation {
      value = try graph.append("centred", ElementwiseBinary(.sub, value, .weight(mean)))
      value = try graph.append(
        "standardised", ElementwiseBinary(.realDivision, value, .weight(scale)))
    }
    if let norm { value = try graph.append(norm, of: value, "normalized") }
    for (index, layer) in layers.enumerated() {
      let isLast = index == layers.count - 1
      value = try append(
        layer, named: "layer\(index)", to: &graph, value, mirrored: isLast && hasTwoColumns)
    }
    return try graph.finish(output: value)
  }

  private func append(
    _ layer: Layer, named name: String, to graph: inout GraphBuilder, _ input: Operand,
    mirrored: Bool
  ) throws(GraphError) -> Operand {
    var value = input
    let bias = layer.bias.map(Operand.weight)
    if layer.isInputMajor {
      value = try graph.append("\(name)_product", Matmul(value, .weight(layer.weight)))
      if let bias {
        value = try graph.append("\(name)_sum", ElementwiseBinary(.add, value, bias))
      }
    } else {
      value = try graph.append(
        "\(name)_linear", Linear(value, weight: .weight(layer.weight), bias: bias))
    }
    if mirrored {
      // σ(−z) is 1 − σ(z), without the digits that a subtraction from 1 loses.
      let signs = Operand.literal(.floats([-1, 1], shape: [1, 2]))
      value = try graph.append("\(name)_columns", ElementwiseBinary(.mul, value, signs))
    }
    return try activate(layer.activation, "\(name)_active", &graph, value)
  }

  private func activate(
    _ activation: Activation, _ name: String, _ graph: inout GraphBuilder, _ x: Operand
  ) throws(GraphError) -> Operand {
    switch activation {
    case .identity: x
    case .relu: try graph.append(name, ElementwiseUnary(.relu, x))
    case .sigmoid: try graph.append(name, ElementwiseUnary(.sigmoid, x))
    case .tanh: try graph.append(name, ElementwiseUnary(.tanh, x))
    case .softmax: try graph.append(name, Softmax(x))
    case .gelu: try graph.append(name, Gelu(x, mode: .exact))
    case .oneVersusRest: try oneVersusRest(name, &graph, x)
    }
  }

  private func oneVersusRest(
    _ name: String, _ graph: inout GraphBuilder, _ x: Operand
  ) throws(GraphError) -> Operand {
    let each = try graph.append("\(name)_each", ElementwiseUnary(.sigmoid, x))
    let sum = try graph.append("\(name)_sum", Reduce(.sum, each, axis: 1, keepsAxis: true))
    return try graph.append(name, ElementwiseBinary(.realDivision, each, sum))
  }
}
