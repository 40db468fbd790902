import Weights

/// The layers by which a transformer classifies: from token vectors, H numbers each, to one number
/// for each label.
package struct ClassifierHead: Sendable {
  /// The vectors that are classified.
  enum Vectors: Sendable {
    /// That of the first token.
    case first
    /// That of the last token that is not the padding token, wherever it comes; of the last of all
    /// where the model names no padding token, and of the first where all are padding tokens.
    case last(padding: Int?)
    /// The mean of all.
    case mean
    /// Each by itself.
    case each
  }

  /// A layer H → H before the last one.
  struct Layer: Sendable {
    let name: String
    /// Whether it is the transformer's own pooler, whose name has its prefix.
    var isPooler = false
    var hasBias = true
    let activation: TransformerActivation
    /// Behind the activation; nil without one.
    var norm: Norm?
  }

  /// A norm of a head.
  struct Norm: Sendable {
    let name: String
    let epsilon: Float
    let hasShift: Bool
  }

  var vectors = Vectors.first
  var layer: Layer?
  /// The last layer's name, H → labels.
  var output = "classifier"
  var outputHasBias = true

  /// The form of most classifiers of tokens: one layer.
  static let everyToken = ClassifierHead(vectors: .each)

  /// The form of BERT, ALBERT, NomicBERT and GTE: the transformer's pooler, then one layer.
  static func pooler(_ name: String) -> ClassifierHead {
    ClassifierHead(layer: Layer(name: name, isPooler: true, activation: .tanh))
  }

  /// The form of RoBERTa, MPNet and ELECTRA: two layers of the head's own.
  static func dense(_ activation: TransformerActivation) -> ClassifierHead {
    ClassifierHead(
      layer: Layer(name: "classifier.dense", activation: activation),
      output: "classifier.out_proj")
  }

  /// The form of DistilBERT.
  static let distilBert = ClassifierHead(
    layer: Layer(name: "pre_classifier", activation: .relu))

  /// The form of transformers that write texts: one layer without a name of their own.
  static func score(_ vectors: Vectors, hasBias: Bool) -> ClassifierHead {
    ClassifierHead(vectors: vectors, output: "score", outputHasBias: hasBias)
  }
}
