import StrictJSON
import Weights

/// The numbers and names of a transformer like BERT; H is the hidden width.
struct PostNormShape: Sendable {
  let heads: Int
  /// Numbers of a token's vector.
  let hidden: Int
  /// Numbers between the two linear layers of a block.
  let intermediate: Int
  let vocabulary: Int
  /// Rows of the table of positions.
  let positions: Int
  /// Rows of the table of segments; nil without one.
  let segments: Int?
  /// Whether the segment of each token is an input; else every token is of segment 0.
  var readsTypes = false
  /// Numbers of a row of the tables; another number than H where `projection` follows.
  let tableWidth: Int
  let epsilon: Float
  let activation: TransformerActivation
  let prefix: WeightPrefix
  let norms: NormNames

  /// The blocks in order, as prefixes of their weights' names; one may come several times.
  var blocks: [String]
  /// The names inside a block.
  var block = PostNormBlock.bert
  /// The linear layer from the tables' width to H.
  var projection: String?
  /// The token that takes no position of its own, if positions are counted from it.
  var padding: Int?
  /// The distances between tokens that change their attention; nil without such.
  var distances: DistanceBuckets?
  /// The layer behind the first token, which no pooling reads; nil for models without one.
  var pooler: String? = "pooler.dense"

  private static let table: TensorName = "embeddings.word_embeddings.weight"

  /// Reads the numbers that all such transformers have.
  ///
  /// - Parameters:
  ///   - keys: the words for them.
  ///   - family: what the library calls the model inside one with a head, such as `bert`.
  init(
    _ config: JSONObject, _ keys: PostNormKeys, family: String, weights: any WeightSource
  ) throws {
    func integer(_ number: PostNormKeys.Number, in range: ClosedRange<Int>) throws -> Int {
      config.has(number.key) ? try config.plainInteger(number.key, in: range) : number.usual
    }
    positions = try integer(keys.positions, in: 1...1 << 20)
    hidden = try integer(keys.hidden, in: 1...1 << 20)
    heads = try integer(keys.heads, in: 1...hidden)
    guard hidden.isMultiple(of: heads) else {
      throw config.error(
        "'\(keys.hidden.key)' \(hidden) is not a multiple of '\(keys.heads.key)' \(heads)",
        at: config.position)
    }
    blocks = try (0..<integer(keys.layers, in: 1...1000)).map { "\(keys.blocks).\($0)" }
    intermediate = try integer(keys.intermediate, in: 1...1 << 20)
    vocabulary = try integer(keys.vocabulary, in: 1...1 << 24)
    segments = try keys.segments.map { try integer($0, in: 1...1 << 16) }
    tableWidth = try keys.tableWidth.map { try integer($0, in: 1...1 << 20) } ?? hidden
    epsilon = try keys.epsilon(config)
    activation = try TransformerActivation(
      config, key: keys.activation.key, usual: keys.activation.usual)
    prefix = try WeightPrefix(family, table: Self.table, weights, of: config.origin)
    norms = try NormNames(weights, prefix: prefix.text, of: config.origin)
    try requireRows(weights, config, keys)
  }

  /// Refuses tables of other rows than the file says, with the key that says it.
  private func requireRows(
    _ weights: any WeightSource, _ config: JSONObject, _ keys: PostNormKeys
  ) throws {
    var tables = [
      (keys.vocabulary.key, vocabulary, "word_embeddings"),
      (keys.positions.key, positions, "position_embeddings"),
    ]
    if let key = keys.segments?.key, let segments {
      tables.insert((key, segments, "token_type_embeddings"), at: 1)
    }
    for (key, rows, table) in tables {
      let name: TensorName = "\(prefix.text)embeddings.\(table).weight"
      guard let shape = weights.shape(of: name), shape.count == 2, shape[0] != rows else {
        continue
      }
      throw config.error(
        "\(quoted(key)) is \(rows), the table '\(name)' has \(shape[0]) rows",
        at: config[key]?.position ?? config.position)
    }
  }
}

/// The keys of `config.json` for the numbers of a transformer like BERT, and what the library takes
/// for absent ones. Those of BERT where nothing else is set.
struct PostNormKeys: Sendable {
  typealias Number = (key: String, usual: Int)

  var hidden: Number = ("hidden_size", 768)
  var heads: Number = ("num_attention_heads", 12)
  var layers: Number = ("num_hidden_layers", 12)
  var intermediate: Number = ("intermediate_size", 3072)
  var vocabulary: Number = ("vocab_size", 30522)
  var positions: Number = ("max_position_embeddings", 512)
  /// Nil for models without segments.
  var segments: Number? = ("type_vocab_size", 2)
  /// Nil where the tables are as wide as the blocks.
  var tableWidth: Number?
  var activation = (key: "hidden_act", usual: "gelu")
  /// Nil where the library has 10⁻¹² in its code.
  var epsilonKey: String? = "layer_norm_eps"
  /// The prefix of the numbered blocks' names.
  var blocks = "encoder.layer"

  /// What the norms add to the variance.
  func epsilon(_ config: JSONObject) throws -> Float {
    guard let epsilonKey, config.has(epsilonKey) else { return 1e-12 }
    return Float(try config.double(epsilonKey))
  }
}

/// The names of the weights of a block, without the block's own.
struct PostNormBlock: Sendable {
  let query: String
  let key: String
  let value: String
  /// The layer that mixes the heads.
  let projection: String
  let attentionNorm: String
  let wide: String
  let narrow: String
  let outputNorm: String

  static let bert = PostNormBlock(
    query: "attention.self.query", key: "attention.self.key", value: "attention.self.value",
    projection: "attention.output.dense", attentionNorm: "attention.output.LayerNorm",
    wide: "intermediate.dense", narrow: "output.dense", outputNorm: "output.LayerNorm")
}
