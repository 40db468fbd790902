import StrictJSON
import Weights

/// The shape of a DebertaV2Model from `config.json`. Absent keys get the defaults of transformers.
struct DebertaV2Shape: Sendable {
  let layers: Int
  let heads: Int
  let hidden: Int
  let intermediate: Int
  let vocabulary: Int
  let positions: Int
  /// Rows of the table of segments; 0 for a model without it.
  let segments: Int
  /// Whether the segment of each token is an input; else every token is of segment 0.
  var readsTypes = false
  let epsilon: Float
  let activation: TransformerActivation
  /// Whether the vectors of places are added to those of tokens.
  let addsPositions: Bool
  /// Attention by distance; nil where tokens meet by content alone.
  let relative: DisentangledAttention?
  /// Divides scores beside the root of a head's width: 1, and 1 for each part of attention by
  /// distance.
  let parts: Int
  let prefix: WeightPrefix

  private static let table: TensorName = "embeddings.word_embeddings.weight"

  init(_ config: JSONObject, weights: any WeightSource) throws {
    try DebertaV2Keys.rules.check(config)
    hidden = try config.integer("hidden_size", usual: 1536, in: 1...1 << 20)
    heads = try config.heads(
      "num_attention_heads", usual: 24, width: hidden, of: "hidden_size", isPaired: false)
    layers = try config.integer("num_hidden_layers", usual: 24, in: 1...1000)
    intermediate = try config.integer("intermediate_size", usual: 6144, in: 1...1 << 20)
    vocabulary = try config.integer("vocab_size", usual: 128_100, in: 1...1 << 24)
    positions = try config.integer("max_position_embeddings", usual: 512, in: 1...1 << 20)
    segments = try config.integer("type_vocab_size", usual: 0, in: 0...1 << 16)
    epsilon = Float(try config.double("layer_norm_eps", usual: 1e-7))
    activation = try TransformerActivation(config, key: "hidden_act")
    addsPositions = try config.bool("position_biased_input", usual: true)
    let kinds = try DisentangledAttention.kinds(config)
    parts = 1 + kinds.count
    relative =
      try config.bool("relative_attention", usual: false)
      ? try DisentangledAttention(config, kinds, positions: positions) : nil
    prefix = try WeightPrefix("deberta", table: Self.table, weights, of: config.origin)
    try config.requireRows("vocab_size", vocabulary, of: "\(prefix.text)\(Self.table)", weights)
  }
}

/// Attention between a token's content and distances.
struct DisentangledAttention: Sendable {
  /// A part of the scores, by the library's word.
  enum Kind: String, CaseIterable, Sendable {
    /// The content of the token that looks, and the distance of the other.
    case contentToPosition = "c2p"
    /// The content of the token that is looked at, and its distance.
    case positionToContent = "p2c"
  }

  let kinds: [Kind]
  let buckets: DistanceTable
  /// Whether distances are projected by the layers for contents.
  let sharesProjections: Bool
  /// Whether the table of distances is normalised.
  let normalises: Bool

  init(_ config: JSONObject, _ kinds: [Kind], positions: Int) throws {
    let maximum = try config.signed("max_relative_positions", usual: -1)
    buckets = DistanceTable(
      count: try config.signed("position_buckets", usual: -1),
      maximum: maximum < 1 ? positions : maximum)
    sharesProjections = try config.bool("share_att_key", usual: false)
    normalises = try Self.normalises(config)
    self.kinds = kinds
  }

  /// The words of `pos_att_type`: a list, or one string with bars between them.
  static func kinds(_ config: JSONObject) throws -> [Kind] {
    guard config.has("pos_att_type") else { return [] }
    let node = try config.required("pos_att_type")
    let words =
      try node.array.map { try $0.map { try text($0, config) } }
      ?? (try text(node, config)).split(separator: "|").map(String.init)
    let found = try words.map { word throws -> Kind in
      guard let kind = Kind(rawValue: word) else {
        throw ModelError.unsupported(
          place: "\(config.origin): 'pos_att_type'", found: "'\(word)'",
          supported: Kind.allCases.map(\.rawValue).joined(separator: ", "))
      }
      return kind
    }
    return Kind.allCases.filter(found.contains)
  }

  private static func text(_ node: JSONNode, _ config: JSONObject) throws -> String {
    guard let text = node.string else {
      throw config.mismatch("pos_att_type", expected: "c2p, p2c or both", node)
    }
    return text
  }

  private static func normalises(_ config: JSONObject) throws -> Bool {
    guard config.has("norm_rel_ebd") else { return false }
    switch try config.string("norm_rel_ebd") {
    case "layer_norm": return true
    case "none": return false
    case let word:
      throw ModelError.unsupported(
        place: "\(config.origin): 'norm_rel_ebd'", found: "'\(word)'",
        supported: "layer_norm, none")
    }
  }
}

extension JSONObject {
  /// A whole number that may be negative, or what the library takes where the key is missing.
  fileprivate func signed(_ key: String, usual: Int) throws -> Int {
    guard has(key) else { return usual }
    let limit = 1 << 20
    guard let value = try required(key).plainInteger, (-1...limit).contains(value) else {
      throw mismatch(key, expected: "an integer from -1 to \(limit)", try required(key))
    }
    return value
  }
}
