import StrictJSON
package import Weights

/// Hugging Face's T5EncoderModel (sentence-t5, GTR): relative positions as a bias that all layers
/// share, norms without a mean, and scores that are not scaled.
///
/// Source: Raffel et al. 2019, arXiv:1910.10683, and the file layout of Hugging Face transformers.
package struct T5: TransformerArchitecture {
  package static let name = "t5"
  package static let hiddenKey = "d_model"

  let transformer: any TextTransformer
  package let sentence: SentenceEncoder

  static func transformer(
    _ config: JSONObject, weights: any WeightSource
  ) throws -> any TextTransformer {
    try T5Shape(config, weights: weights)
  }

  static func head(_ task: HeadTask, _ config: JSONObject) throws -> ClassifierHead? {
    guard task == .tokens else {
      throw ModelError.unsupported(
        place: "\(config.origin): 'architectures'",
        found: "a classifier of the vectors of T5's decoder, which is not read,",
        supported: "T5EncoderModel, T5ForTokenClassification")
    }
    return .everyToken
  }

  package func role(ofUnused name: TensorName) -> String? {
    switch name.text {
    case "lm_head.weight": "the head that writes texts, which is dropped"
    case "encoder.embed_tokens.weight", "decoder.embed_tokens.weight": "a copy of the token table"
    case let text where text.hasPrefix("decoder."): "the decoder, which is dropped"
    default: nil
    }
  }
}

/// The shape of a T5EncoderModel from `config.json`. Absent keys get the defaults of transformers.
struct T5Shape: TextTransformer {
  let layers: Int
  let heads: Int
  /// Numbers of a head; `heads` of them need not make `hidden`.
  let headWidth: Int
  let hidden: Int
  let intermediate: Int
  let vocabulary: Int
  /// Rows of the table of relative positions.
  let buckets: Int
  /// From this distance on all have one bucket.
  let farthest: Int
  let epsilon: Float
  let activation: TransformerActivation
  /// Whether the units have a gate.
  let isGated: Bool
  let prefix: WeightPrefix
  /// The name of the token table, with the prefix.
  let table: TensorName

  /// The most tokens; T5 itself has no limit.
  let positions = 4096
  /// One table, which a file has under either name.
  private static let tables: [TensorName] = ["shared.weight", "encoder.embed_tokens.weight"]

  init(_ config: JSONObject, weights: any WeightSource) throws {
    try Self.rules.check(config)
    layers = try config.integer("num_layers", usual: 6, in: 1...1000)
    heads = try config.integer("num_heads", usual: 8, in: 1...1 << 16)
    headWidth = try config.integer("d_kv", usual: 64, in: 1...1 << 16)
    hidden = try config.integer("d_model", usual: 512, in: 1...1 << 20)
    intermediate = try config.integer("d_ff", usual: 2048, in: 1...1 << 20)
    vocabulary = try config.integer("vocab_size", usual: 32128, in: 1...1 << 24)
    buckets = try config.integer("relative_attention_num_buckets", usual: 32, in: 4...1 << 16)
    farthest = try config.integer(
      "relative_attention_max_distance", usual: 128, in: buckets / 4 + 1...1 << 20)
    epsilon = Float(try config.double("layer_norm_epsilon", usual: 1e-6))
    (activation, isGated) = try Self.unit(config)
    prefix = try WeightPrefix("transformer", table: Self.tables[0], weights, of: config.origin)
    let names = Self.tables.map { [prefix] in TensorName("\(prefix.text)\($0)") }
    table = names.first { weights.shape(of: $0) != nil } ?? names[1]
    try config.requireRows("vocab_size", vocabulary, of: table, weights)
  }

  private static let rules = KeyRules(
    understood: [
      "model_type", "num_layers", "num_heads", "d_kv", "d_model", "d_ff", "vocab_size",
      "relative_attention_num_buckets", "relative_attention_max_distance", "layer_norm_epsilon",
      "feed_forward_proj", "dense_act_fn", "is_gated_act",
      // Read with the tokenizer, where tokenizer_config.json names no class.
      "tokenizer_class",
    ],
    harmless: TransformersKeys.harmless
      + TransformersKeys.reason("belongs to the decoder, which is dropped")([
        "num_decoder_layers", "is_encoder_decoder", "is_decoder", "scale_decoder_outputs",
      ])
      + TransformersKeys.reason("matters in training alone")(["dropout_rate"])
      + TransformersKeys.reason("belongs to a head, which is dropped")(["classifier_dropout"])
      + TransformersKeys.reason("is never read by T5's class")(["n_positions", "output_past"]),
    neutral: [
      "add_cross_attention": [.bool(false)], "cross_attention_hidden_size": [],
      "chunk_size_feed_forward": [.integer(0)], "pruned_heads": [.object([:])],
    ],
    nullable: ["cross_attention_hidden_size", "tokenizer_class"])

  /// `relu`, or an activation behind `gated-`; `gated-gelu` means the approximation by tanh.
  private static func unit(
    _ config: JSONObject
  ) throws -> (activation: TransformerActivation, isGated: Bool) {
    let key = "feed_forward_proj"
    let word = config.has(key) ? try config.string(key) : "relu"
    let found: (activation: TransformerActivation, isGated: Bool, name: String)
    switch word {
    case "relu": found = (.relu, false, "relu")
    case "gelu": found = (.gelu(.exact), false, "gelu")
    case "gated-gelu": found = (.gelu(.tanhApproximation), true, "gelu_new")
    case "gated-relu": found = (.relu, true, "relu")
    case "gated-silu": found = (.silu, true, "silu")
    default:
      throw ModelError.unsupported(
        place: "\(config.origin): '\(key)'", found: "'\(word)'",
        supported: "relu, gelu, gated-gelu, gated-relu, gated-silu")
    }
    try agree(config, "dense_act_fn", .string(found.name), with: word)
    try agree(config, "is_gated_act", .bool(found.isGated), with: word)
    return (found.activation, found.isGated)
  }

  /// Refuses a key that follows from `feed_forward_proj` and says something else, which the library
  /// would take instead.
  private static func agree(
    _ config: JSONObject, _ key: String, _ value: JSONValue, with word: String
  ) throws {
    guard let node = config[key], node.value != value else { return }
    throw config.error(
      "'\(key)' is \(node.kind), and 'feed_forward_proj' is '\(word)', which means \(value.compact)",
      at: node.position)
  }
}
