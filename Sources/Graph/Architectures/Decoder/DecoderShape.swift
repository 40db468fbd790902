import StrictJSON
import Weights

/// The shape of a transformer that began as a decoder: grouped queries whose heads are normalised
/// and turned by rotary positions, and gated linear units. Qwen3 and Gemma 3 are such.
struct DecoderShape: Sendable {
  let layers: Int
  /// Heads of queries.
  let heads: Int
  /// Heads of keys and values; each serves `heads / keyHeads` heads of queries.
  let keyHeads: Int
  /// Numbers of a head; `heads` of them need not make `hidden`.
  let headWidth: Int
  let hidden: Int
  let intermediate: Int
  let vocabulary: Int
  let positions: Int
  let epsilon: Float
  let hasBias: Bool
  let activation: TransformerActivation
  let prefix: WeightPrefix

  /// What a library takes for keys that a file lacks.
  struct Usual {
    let layers: Int
    let heads: Int
    let keyHeads: Int
    let headWidth: Int
    let hidden: Int
    let intermediate: Int
    let vocabulary: Int
    let positions: Int
    /// The key of the activation.
    let activationKey: String
    let activation: TransformerActivation
  }

  static let table: TensorName = "embed_tokens.weight"
  /// The keys that are read here; that of the activation comes on top.
  static let keys = [
    "model_type", "num_hidden_layers", "hidden_size", "num_attention_heads", "num_key_value_heads",
    "head_dim", "intermediate_size", "vocab_size", "max_position_embeddings", "rms_norm_eps",
    "attention_bias",
    // Read with the tokenizer, where tokenizer_config.json names no class.
    "tokenizer_class",
  ]

  init(_ config: JSONObject, _ usual: Usual, weights: any WeightSource) throws {
    func integer(_ key: String, _ usual: Int, in range: ClosedRange<Int> = 1...1 << 20) throws
      -> Int
    { try config.integer(key, usual: usual, in: range) }
    layers = try integer("num_hidden_layers", usual.layers, in: 1...1000)
    hidden = try integer("hidden_size", usual.hidden)
    heads = try integer("num_attention_heads", usual.heads)
    keyHeads = try integer("num_key_value_heads", usual.keyHeads)
    guard heads.isMultiple(of: keyHeads) else {
      throw config.error(
        "'num_attention_heads' \(heads) is not a multiple of 'num_key_value_heads' \(keyHeads)",
        at: config.position)
    }
    headWidth = try integer("head_dim", usual.headWidth)
    guard headWidth.isMultiple(of: 2) else {
      throw config.error(
        "'head_dim' is \(headWidth), and rotary positions turn pairs",
        at: config["head_dim"]?.position ?? config.position)
    }
    intermediate = try integer("intermediate_size", usual.intermediate)
    vocabulary = try integer("vocab_size", usual.vocabulary, in: 1...1 << 24)
    positions = try integer("max_position_embeddings", usual.positions)
    epsilon = Float(try config.double("rms_norm_eps", usual: 1e-6))
    hasBias = try config.bool("attention_bias", usual: false)
    activation =
      config.has(usual.activationKey)
      ? try TransformerActivation(config, key: usual.activationKey) : usual.activation
    prefix = try WeightPrefix("model", table: Self.table, weights, of: config.origin)
    try config.requireRows(
      "vocab_size", vocabulary, of: "\(prefix.text)\(Self.table)", weights)
  }
}

/// The base of rotary angles, by the keys of transformers 4 and 5.
enum RotaryBase {
  private static let rules = KeyRules(
    understood: ["rope_theta"],
    neutral: [
      "rope_type": [.string("default")], "type": [.string("default")],
      "partial_rotary_factor": [.integer(1)],
    ])

  /// The base.
  ///
  /// - Parameters:
  ///   - key: of the file itself, as transformers 4 writes it.
  ///   - usual: the library's, where nothing says it.
  ///   - parameters: what transformers 5 has in its place; nil without it.
  /// - Throws: if both say it and differ, or the angles are scaled.
  static func read(
    _ config: JSONObject, _ key: String, usual: Double, _ parameters: JSONObject?
  ) throws -> Double {
    let stated = try config.positive(key, usual: usual)
    guard let parameters else { return stated }
    try rules.check(parameters)
    let base = try parameters.positive("rope_theta", usual: stated)
    guard !config.has(key) || base == stated else {
      throw parameters.error(
        "'rope_theta' is \(base), '\(key)' is \(stated); versions of transformers differ in which "
          + "they take; leave one out", at: parameters.position)
    }
    return base
  }
}

extension JSONObject {
  /// The padding token by which the library finds the last token of a text; nil without one.
  ///
  /// - Parameter usual: the library's, where the key is missing.
  func paddingToken(usual: Int?) throws -> Int? {
    guard let node = self["pad_token_id"] else { return usual }
    return node.isNull ? nil : try plainInteger("pad_token_id", in: 0...1 << 24)
  }
}
