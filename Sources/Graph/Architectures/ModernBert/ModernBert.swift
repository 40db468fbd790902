import StrictJSON
import Weights

/// Hugging Face's ModernBertModel: rotary positions, layers that see the whole text between layers
/// that see a window, gated linear units, and a norm before each part of a block.
///
/// Source: Warner et al. 2024, arXiv:2412.13663, and the file layout of Hugging Face transformers.
package struct ModernBert: TransformerArchitecture {
  package static let name = "modernbert"

  let transformer: any TextTransformer
  package let sentence: SentenceEncoder

  static func transformer(
    _ config: JSONObject, weights: any WeightSource
  ) throws -> any TextTransformer {
    try ModernBertShape(config, weights: weights)
  }

  static func head(_ task: HeadTask, _ config: JSONObject) throws -> ClassifierHead? {
    let layer = ClassifierHead.Layer(
      name: "head.dense", hasBias: try config.bool("classifier_bias", usual: false),
      activation: try TransformerActivation(config, key: "classifier_activation"),
      norm: ClassifierHead.Norm(
        name: "head.norm", epsilon: Float(try config.double("norm_eps", usual: 1e-5)),
        hasShift: try config.bool("norm_bias", usual: false)))
    return ClassifierHead(vectors: try vectors(task, config), layer: layer)
  }

  private static func vectors(
    _ task: HeadTask, _ config: JSONObject
  ) throws -> ClassifierHead.Vectors {
    guard task == .texts else { return .each }
    switch config.has("classifier_pooling") ? try config.string("classifier_pooling") : "cls" {
    case "cls": return .first
    case "mean": return .mean
    case let word:
      throw ModelError.unsupported(
        place: "\(config.origin): 'classifier_pooling'", found: "'\(word)'",
        supported: "cls, mean")
    }
  }
}

extension ModernBertShape: TextTransformer {
  func states(batch: Int, length: Int) throws(GraphError) -> TokenStates {
    var builder = ModernBertGraph(self, batch: batch, length: length)
    return try builder.build()
  }
}

/// Writes ModernBERT's operations for one batch size B and length S; H is the hidden width.
///
/// No norm holds the sums of the blocks before the end. A device adds and normalises them in float32;
/// their squares would be beyond float16 from 256 on.
struct ModernBertGraph {
  private let model: ModernBertShape
  private let batch: Int
  private let length: Int
  private let whole: RotaryTable
  private let local: RotaryTable
  private(set) var graph = GraphBuilder()

  init(_ model: ModernBertShape, batch: Int, length: Int) {
    self.model = model
    self.batch = batch
    self.length = length
    let width = model.hidden / model.heads
    whole = RotaryTable(length: length, width: width, base: model.bases.whole)
    local = RotaryTable(length: length, width: width, base: model.bases.local)
  }

  private var shape: [Int] { [batch, length, model.hidden] }

  /// The token vectors, and the mask of tokens.
  mutating func build() throws(GraphError) -> TokenStates {
    let (ids, mask) = try graph.tokens(batch: batch, length: length)
    let scoreMask = try graph.scoreMask(mask)
    let windowMask =
      model.isLocal.contains(true)
      ? try graph.windowMask(scoreMask, reach: model.reach, length: length) : scoreMask
    var states = try embeddings(ids)
    for layer in 0..<model.layers {
      states = try block(layer, states, model.isLocal[layer] ? windowMask : scoreMask)
    }
    states = try norm(states, "final_norm", "states")
    return TokenStates(graph: graph, states: states, mask: mask)
  }

  private mutating func embeddings(_ ids: Operand) throws(GraphError) -> Operand {
    let table = WeightReference(
      "\(model.prefix.text)embeddings.tok_embeddings.weight", [model.vocabulary, model.hidden],
      role: .tokenTable)
    let words = try graph.append("words", Gather(.weight(table), indices: ids))
    return try norm(words, "embeddings.norm", "embeddings")
  }

  private mutating func block(
    _ layer: Int, _ input: Operand, _ mask: Operand
  ) throws(GraphError) -> Operand {
    let source = "layers.\(layer)", name = "layer\(layer)"
    // The embeddings are normalised already.
    let before =
      layer == 0 ? input : try norm(input, "\(source).attn_norm", "\(name)_attention_norm")
    let attended = try attention(layer, before, mask)
    let middle = try graph.append(
      "\(name)_middle", ElementwiseBinary(.add, input, attended), precision: .full)
    let normed = try norm(middle, "\(source).mlp_norm", "\(name)_unit_norm")
    let gated = try graph.gatedUnit(
      normed, "\(model.prefix.text)\(source).mlp.Wi", name, model.activation, shape: shape,
      inner: model.intermediate, hasBias: model.unitHasBias)
    let narrow = try graph.linear(
      gated, "\(model.prefix.text)\(source).mlp.Wo", "\(name)_narrow", inputs: model.intermediate,
      outputs: model.hidden, hasBias: model.unitHasBias)
    return try graph.append(
      "\(name)_output", ElementwiseBinary(.add, middle, narrow), precision: .full)
  }

  private mutating func attention(
    _ layer: Int, _ input: Operand, _ mask: Operand
  ) throws(GraphError) -> Operand {
    let source = "\(model.prefix.text)layers.\(layer).attn", name = "layer\(layer)"
    let context = try graph.rotaryAttention(
      input, "\(source).Wqkv", name, mask: mask, by: model.isLocal[layer] ? local : whole,
      shape: shape, hasBias: model.attentionHasBias)
    return try graph.linear(
      context, "\(source).Wo", "\(name)_projection", inputs: model.hidden,
      outputs: model.hidden, hasBias: model.attentionHasBias)
  }

  private mutating func norm(
    _ x: Operand, _ source: String, _ name: String
  ) throws(GraphError) -> Operand {
    let full = model.prefix.text + source
    return try graph.norm(
      x, gain: "\(full).weight", shift: model.normHasShift ? "\(full).bias" : nil, name,
      width: model.hidden, epsilon: model.epsilon, precision: .full)
  }
}
