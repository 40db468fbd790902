package import StrictJSON
package import Weights

/// Hugging Face's Qwen3Model as an encoder (Qwen3-Embedding): causal attention of grouped queries,
/// usually with the last token's vector as that of the text.
///
/// Source: Qwen Team 2025, arXiv:2505.09388 and 2506.05176, and the file layout of transformers.
package struct Qwen3: TransformerArchitecture {
  package static let name = "qwen3"

  package let transformer: any TextTransformer
  package let sentence: SentenceEncoder

  package init(transformer: any TextTransformer, sentence: SentenceEncoder) {
    self.transformer = transformer
    self.sentence = sentence
  }

  package static func transformer(
    _ config: JSONObject, weights: any WeightSource
  ) throws -> any TextTransformer {
    try rules.check(config)
    let shape = try DecoderShape(config, usual, weights: weights)
    try requireWholeLayers(config, layers: shape.layers)
    let parameters = config.has("rope_parameters") ? try config.object("rope_parameters") : nil
    return Qwen3Transformer(
      shape: shape, base: try RotaryBase.read(config, "rope_theta", usual: 10_000, parameters))
  }

  package static func head(_ task: HeadTask, _ config: JSONObject) throws -> ClassifierHead? {
    switch task {
    case .texts: .score(.last(padding: try config.paddingToken(usual: nil)), hasBias: false)
    case .tokens: .score(.each, hasBias: true)
    }
  }

  package func role(ofUnused name: TensorName) -> String? {
    name == "lm_head.weight" ? "the head that writes texts, which is dropped" : nil
  }

  private static let usual = DecoderShape.Usual(
    layers: 32, heads: 32, keyHeads: 32, headWidth: 128, hidden: 4096, intermediate: 22016,
    vocabulary: 151_936, positions: 32768, activationKey: "hidden_act", activation: .silu)

  private static let rules = KeyRules(
    understood: DecoderShape.keys + [
      "hidden_act", "rope_theta", "rope_parameters", "layer_types",
    ],
    harmless: TransformersKeys.harmless
      + TransformersKeys.reason("matters in training alone")(["attention_dropout"])
      + TransformersKeys.reason("says which layers have a window, where windows are used")([
        "sliding_window", "max_window_layers",
      ]),
    neutral: TransformersKeys.neutral.merging([
      "use_sliding_window": [.bool(false)], "rope_scaling": [],
    ]) { first, _ in first },
    nullable: [
      "add_cross_attention", "is_encoder_decoder", "cross_attention_hidden_size", "pruned_heads",
      "tokenizer_class", "rope_scaling", "rope_parameters", "layer_types",
    ])

  /// Refuses layers that see a window.
  private static func requireWholeLayers(_ config: JSONObject, layers: Int) throws {
    guard config.has("layer_types") else { return }
    let kinds = try config.array("layer_types")
    guard kinds.count == layers, kinds.allSatisfy({ $0.string == "full_attention" }) else {
      throw config.error(
        "'layer_types' is not 'full_attention' for each of \(layers) layers, and others are not "
          + "supported", at: try config.required("layer_types").position)
    }
  }
}

/// The transformer of a Qwen3; H is the hidden width.
struct Qwen3Transformer: TextTransformer {
  let shape: DecoderShape
  /// The base of the rotary angles.
  let base: Double

  var hidden: Int { shape.hidden }
  var vocabulary: Int { shape.vocabulary }
  var positions: Int { shape.positions }
  var prefix: WeightPrefix { shape.prefix }

  func states(batch: Int, length: Int) throws(GraphError) -> TokenStates {
    var graph = GraphBuilder()
    let ids = graph.input("input_ids", ValueType(.int32, [batch, length]))
    let mask = graph.input("attention_mask", ValueType(.int32, [batch, length]))
    let floatMask = try graph.append("mask", Cast(mask, to: .float32))
    let table = RotaryTable(length: length, width: shape.headWidth, base: base)
    let later = try graph.causalMask("causal_mask", length: length)
    let attention = DecoderAttention(
      shape: shape, batch: batch, length: length, gainOffset: 0, queryFactor: 1)
    let words = WeightReference(
      "\(shape.prefix.text)\(DecoderShape.table)", [shape.vocabulary, shape.hidden],
      role: .tokenTable)
    var states = try graph.append("words", Gather(.weight(words), indices: ids))
    for layer in 0..<shape.layers {
      states = try block(layer, states, &graph) { x, source, name, graph throws(GraphError) in
        try attention.write(x, source, name, mask: later, by: table, to: &graph)
      }
    }
    states = try norm(states, "norm", "states", &graph)
    return TokenStates(graph: graph, states: states, mask: floatMask)
  }

  private func block(
    _ layer: Int, _ input: Operand, _ graph: inout GraphBuilder,
    attention: (Operand, String, String, inout GraphBuilder) throws(GraphError) -> Operand
  ) throws(GraphError) -> Operand {
    let source = "layers.\(layer)", name = "layer\(layer)"
    let before = try norm(input, "\(source).input_layernorm", "\(name)_before", &graph)
    let attended = try attention(before, source, name, &graph)
    let middle = try graph.residual(input, attended, "\(name)_middle")
    let normed = try norm(
      middle, "\(source).post_attention_layernorm", "\(name)_between", &graph)
    let unit = "\(shape.prefix.text)\(source).mlp"
    let narrow = try graph.gatedUnit(
      normed, ("\(unit).gate_proj", "\(unit).up_proj", "\(unit).down_proj"), name,
      shape.activation, hidden: shape.hidden, inner: shape.intermediate)
    return try graph.residual(middle, narrow, "\(name)_output")
  }

  private func norm(
    _ x: Operand, _ source: String, _ name: String, _ graph: inout GraphBuilder
  ) throws(GraphError) -> Operand {
    try graph.rmsNorm(
      x, gain: "\(shape.prefix.text)\(source).weight", name, epsilon: shape.epsilon)
  }
}
