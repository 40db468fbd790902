import StrictJSON
package import Weights

/// Hugging Face's Qwen3Model as an encoder (Qwen3-Embedding): causal attention of grouped queries,
/// usually with the last token's vector as that of the text.
///
/// Source: Qwen Team 2025, arXiv:2505.09388 and 2506.05176, and the file layout of transformers.
package struct Qwen3: TransformerArchitecture {
  package static let name = "qwen3"

  let transformer: any TextTransformer
  package let sentence: SentenceEncoder

  static func transformer(
    _ config: JSONObject, weights: any WeightSource
  ) throws -> any TextTransformer {
    try rules.check(config)
    let shape = try DecoderShape(config, usual, weights: weights)
    try requireWholeLayers(config, layers: shape.layers)
    let parameters = config.has("rope_parameters") ? try config.object("rope_parameters") : nil
    let base = try RotaryBase.read(config, "rope_theta", usual: 10_000, parameters)
    return DecoderTransformer(
      shape: shape,
      layout: DecoderLayout(
        isLocal: Array(repeating: false, count: shape.layers), wholeBase: base, localBase: base,
        queryScalar: Double(shape.headWidth)))
  }

  static func head(_ task: HeadTask, _ config: JSONObject) throws -> ClassifierHead? {
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
