import StrictJSON
package import Weights

/// Hugging Face's Gemma3TextModel as an encoder (EmbeddingGemma): layers that see the whole text
/// between layers that see a window, norms before and behind each part of a block.
///
/// Source: Gemma Team 2025, arXiv:2503.19786 and 2509.20354, and the file layout of transformers.
package struct Gemma3: TransformerArchitecture {
  package static let name = "gemma3_text"

  let transformer: any TextTransformer
  package let sentence: SentenceEncoder

  static func transformer(
    _ config: JSONObject, weights: any WeightSource
  ) throws -> any TextTransformer {
    let layout = try DecoderLayout(gemma3: config)
    let shape = try DecoderShape(config, .gemma3, weights: weights)
    guard layout.isLocal.count == shape.layers else {
      throw config.error(
        "'layer_types' has \(layout.isLocal.count) entries, 'num_hidden_layers' is \(shape.layers)",
        at: config["layer_types"]?.position ?? config.position)
    }
    return DecoderTransformer(shape: shape, layout: layout)
  }

  static func head(_ task: HeadTask, _ config: JSONObject) throws -> ClassifierHead? {
    guard task == .texts else { return nil }
    return .score(.last(padding: try config.paddingToken(usual: 0)), hasBias: false)
  }

  package func role(ofUnused name: TensorName) -> String? {
    name == "lm_head.weight" ? "the head that writes texts, which is dropped" : nil
  }
}
