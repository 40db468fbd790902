import StrictJSON
import Weights

/// NomicBERT, of transformers and of the program that came with the first models.
///
/// Source: Nussbaum et al. 2024, arXiv:2402.01613, and the file layouts of Hugging Face
/// transformers and of nomic-ai's `contrastors`.
package struct NomicBert: TransformerArchitecture {
  package static let name = "nomic_bert"

  let transformer: any TextTransformer
  package let sentence: SentenceEncoder

  static func transformer(
    _ config: JSONObject, weights: any WeightSource
  ) throws -> any TextTransformer {
    var shape = config.has("n_embd") ? try first(config) : try current(config)
    try shape.readWeights(weights, config, prefixes: ["nomic_bert"])
    return shape
  }

  static func head(_ task: HeadTask, _ config: JSONObject) throws -> ClassifierHead? {
    guard !config.has("n_embd") else { throw ClassifierHead.ofFirstProgram(task, config) }
    return task == .texts ? .pooler("pooler.dense") : .everyToken
  }

  /// The keys that transformers writes; absent ones get its defaults.
  private static func current(_ config: JSONObject) throws -> GatedBertShape {
    try NomicBertKeys.current.check(config)
    let hidden = try config.integer("hidden_size", usual: 768, in: 1...1 << 20)
    let heads = try config.heads(
      "num_attention_heads", usual: 12, width: hidden, of: "hidden_size", isPaired: true)
    try requireWidth(config, hidden / heads)
    return GatedBertShape(
      layers: try config.integer("num_hidden_layers", usual: 12, in: 1...1000), heads: heads,
      hidden: hidden,
      intermediate: try config.integer("intermediate_size", usual: 3072, in: 1...1 << 20),
      vocabulary: try config.integer("vocab_size", usual: 30528, in: 1...1 << 24),
      positions: try config.integer("max_position_embeddings", usual: 2048, in: 1...1 << 20),
      segments: try config.integer("type_vocab_size", usual: 2, in: 1...1 << 16),
      epsilon: Float(try config.double("layer_norm_eps", usual: 1e-12)),
      activation: config.has("hidden_act")
        ? try TransformerActivation(config, key: "hidden_act") : .silu,
      angles: try RotaryAngles(config, usual: 1000),
      biases: .init(attention: false, wide: false, narrow: false), names: .nomic)
  }

  private static func requireWidth(_ config: JSONObject, _ width: Int) throws {
    guard config.has("head_dim"), try config.plainInteger("head_dim") != width else { return }
    throw config.error(
      "'head_dim' is \(try config.plainInteger("head_dim")), 'hidden_size' over "
        + "'num_attention_heads' is \(width); heads of another width are not supported",
      at: try config.required("head_dim").position)
  }

  /// The keys of the program that came with the first models. It rounds the intermediate width up to
  /// a multiple of 256, and the vocabulary to one that the file gives.
  private static func first(_ config: JSONObject) throws -> GatedBertShape {
    try NomicBertKeys.first.check(config)
    let hidden = try config.plainInteger("n_embd", in: 1...1 << 20)
    let inner =
      config.has("n_inner")
      ? try config.plainInteger("n_inner", in: 1...1 << 20) : 8 * hidden / 3
    let multiple = try config.integer("pad_vocab_size_multiple", usual: 1, in: 1...1 << 16)
    let attentionHasBias = try config.bool("qkv_proj_bias", usual: true)
    return GatedBertShape(
      layers: try config.integer("n_layer", usual: 12, in: 1...1000),
      heads: try config.heads("n_head", usual: 12, width: hidden, of: "n_embd", isPaired: true),
      hidden: hidden, intermediate: rounded(inner, to: 256),
      vocabulary: rounded(
        try config.integer("vocab_size", usual: 50257, in: 1...1 << 24), to: multiple),
      positions: try config.integer("n_positions", usual: 1024, in: 1...1 << 20),
      segments: try config.integer("type_vocab_size", usual: 2, in: 0...1 << 16),
      epsilon: Float(try config.double("layer_norm_epsilon", usual: 1e-5)),
      activation: try activation(config),
      angles: try RotaryAngles(base: config.positive("rotary_emb_base", usual: 10_000)),
      biases: .init(
        attention: attentionHasBias, wide: try config.bool("mlp_fc1_bias", usual: true),
        narrow: try config.bool("mlp_fc2_bias", usual: true)),
      names: .nomic)
  }

  private static func rounded(_ value: Int, to multiple: Int) -> Int {
    (value + multiple - 1) / multiple * multiple
  }

  private static func activation(_ config: JSONObject) throws -> TransformerActivation {
    switch try config.string("activation_function") {
    case "swiglu": return .silu
    case "geglu": return .gelu(.exact)
    case let word:
      throw ModelError.unsupported(
        place: "\(config.origin): 'activation_function'", found: "'\(word)'",
        supported: "swiglu, geglu")
    }
  }
}
