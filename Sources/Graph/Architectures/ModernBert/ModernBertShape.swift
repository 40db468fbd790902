import StrictJSON
import Weights

/// The shape of a ModernBertModel from `config.json`. Absent keys get the defaults of transformers.
struct ModernBertShape: Sendable {
  let layers: Int
  let heads: Int
  let hidden: Int
  let intermediate: Int
  let vocabulary: Int
  let positions: Int
  let epsilon: Float
  let activation: TransformerActivation
  let normHasShift: Bool
  let attentionHasBias: Bool
  let unitHasBias: Bool
  /// Places that a token of a local layer sees before and behind it.
  let reach: Int
  /// For each layer, whether its tokens see their neighbours alone.
  let isLocal: [Bool]
  /// Bases of the rotary angles.
  let bases: ModernBertBases
  let prefix: WeightPrefix

  init(_ config: JSONObject, weights: any WeightSource) throws {
    try ModernBertKeys.rules.check(config)
    hidden = try config.integer("hidden_size", usual: 768, in: 1...1 << 20)
    heads = try config.heads(
      "num_attention_heads", usual: 12, width: hidden, of: "hidden_size", isPaired: true)
    layers = try config.integer("num_hidden_layers", usual: 22, in: 1...1000)
    intermediate = try config.integer("intermediate_size", usual: 1152, in: 1...1 << 20)
    vocabulary = try config.integer("vocab_size", usual: 50368, in: 1...1 << 24)
    positions = try config.integer("max_position_embeddings", usual: 8192, in: 1...1 << 20)
    epsilon = Float(try config.double("norm_eps", usual: 1e-5))
    activation = try TransformerActivation(config, key: "hidden_activation")
    normHasShift = try config.bool("norm_bias", usual: false)
    attentionHasBias = try config.bool("attention_bias", usual: false)
    unitHasBias = try config.bool("mlp_bias", usual: false)
    reach = try config.integer("local_attention", usual: 128, in: 1...1 << 20) / 2
    isLocal = try Self.locality(config, layers: layers)
    bases = try ModernBertBases(config)
    prefix = try WeightPrefix("model", table: Self.table, weights, of: config.origin)
    try config.requireRows(
      "vocab_size", vocabulary, of: "\(prefix.text)\(Self.table)", weights)
  }

  private static let table: TensorName = "embeddings.tok_embeddings.weight"
  private static let kinds = ["full_attention", "sliding_attention"]

  /// Since transformers 5 a word for each layer; before, every n-th layer sees the whole text.
  private static func locality(_ config: JSONObject, layers: Int) throws -> [Bool] {
    let every = try config.integer("global_attn_every_n_layers", usual: 3, in: 1...1 << 20)
    let regular = (0..<layers).map { !$0.isMultiple(of: every) }
    guard config.has("layer_types") else { return regular }
    let nodes = try config.array("layer_types")
    let listed = try nodes.map { node throws -> Bool in
      guard let kind = kinds.firstIndex(where: { $0 == node.string }) else {
        throw config.mismatch("layer_types", expected: kinds.joined(separator: " or "), node)
      }
      return kind == 1
    }
    guard listed.count == layers else {
      throw config.error(
        "'layer_types' has \(listed.count) entries, 'num_hidden_layers' is \(layers)",
        at: try config.required("layer_types").position)
    }
    guard !config.has("global_attn_every_n_layers") || listed == regular else {
      throw config.error(
        "'layer_types' is not what 'global_attn_every_n_layers' \(every) says; transformers up to "
          + "4.57 reads the latter alone; leave one out",
        at: try config.required("layer_types").position)
    }
    return listed
  }
}

/// The bases of the rotary angles: of the layers that see the whole text, and of the local ones.
struct ModernBertBases: Sendable {
  let whole: Double
  let local: Double

  private static let parameters = KeyRules(understood: ["full_attention", "sliding_attention"])
  private static let rules = KeyRules(
    understood: ["rope_theta"],
    neutral: [
      "rope_type": [.string("default")], "type": [.string("default")],
      "partial_rotary_factor": [.integer(1)],
    ])

  /// Since transformers 5 they are in `rope_parameters`, for each kind of layer.
  init(_ config: JSONObject) throws {
    let parameters =
      config.has("rope_parameters") ? try config.object("rope_parameters") : nil
    if let parameters { try Self.parameters.check(parameters) }
    whole = try Self.base(config, "global_rope_theta", usual: 160_000, parameters, "full_attention")
    local = try Self.base(
      config, "local_rope_theta", usual: 10_000, parameters, "sliding_attention")
  }

  private static func base(
    _ config: JSONObject, _ key: String, usual: Double, _ parameters: JSONObject?, _ kind: String
  ) throws -> Double {
    let stated = try config.positive(key, usual: usual)
    guard let parameters, parameters.has(kind) else { return stated }
    let part = try parameters.object(kind)
    try rules.check(part)
    let base = try part.positive("rope_theta", usual: stated)
    guard !config.has(key) || base == stated else {
      throw part.error(
        "'rope_theta' of '\(kind)' is \(base), '\(key)' is \(stated); versions of transformers "
          + "differ in which they take; leave one out", at: part.position)
    }
    return base
  }
}

extension JSONObject {
  /// A number above 0, or what the library takes where the key is missing.
  func positive(_ key: String, usual: Double) throws(JSONError) -> Double {
    let value = try double(key, usual: usual)
    guard value > 0 else {
      throw mismatch(key, expected: "a number above 0", try required(key))
    }
    return value
  }
}
