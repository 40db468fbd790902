import Weights

/// The two layers by which a transformer classifies a text: from the first token's vector [B, H] to
/// one number for each label.
package struct ClassifierHead: Sendable {
  /// The first layer's name, H → H.
  let dense: String
  /// Whether the first layer is the transformer's own pooler, whose name has its prefix.
  let isPooler: Bool
  let activation: TransformerActivation
  /// The second layer's name, H → labels.
  let output: String

  /// The form of BERT and ALBERT: the transformer's pooler, then one layer.
  static func pooler(_ name: String) -> ClassifierHead {
    ClassifierHead(dense: name, isPooler: true, activation: .tanh, output: "classifier")
  }

  /// The form of RoBERTa, MPNet and ELECTRA: two layers of the head's own.
  static func dense(_ activation: TransformerActivation) -> ClassifierHead {
    ClassifierHead(
      dense: "classifier.dense", isPooler: false, activation: activation,
      output: "classifier.out_proj")
  }

  /// The form of DistilBERT.
  static let distilBert = ClassifierHead(
    dense: "pre_classifier", isPooler: false, activation: .relu, output: "classifier")
}

extension ClassifierHead {
  /// Writes the layers behind token vectors [B, S, H] → [B, labels].
  func logits(
    _ states: Operand, _ shape: PostNormShape, labels: Int, in graph: inout GraphBuilder,
    batch: Int
  ) throws(GraphError) -> Operand {
    let hidden = shape.hidden
    let first = try graph.append(
      "first_token",
      SliceByIndex(states, begin: [0, 0, 0], end: [batch, 1, hidden], squeezedAxes: [1]))
    let source = isPooler ? shape.names.prefix + dense : dense
    let pooled = try graph.linear(first, source, "pooled", inputs: hidden, outputs: hidden)
    let active = try graph.activate(activation, pooled, "pooled_active")
    return try graph.linear(active, output, "logits", inputs: hidden, outputs: labels)
  }
}
