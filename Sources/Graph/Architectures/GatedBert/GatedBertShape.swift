import StrictJSON
import Weights

/// The shape of a BERT with rotary positions and gated linear units, and the names of its weights:
/// what NomicBERT and GTE have in common.
struct GatedBertShape: TextTransformer {
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
  let angles: RotaryAngles
  let biases: Biases
  let names: GatedBertNames
  /// Before all names of weights.
  var prefix = WeightPrefix.none

  /// Which linear layers have a bias.
  struct Biases: Sendable {
    let attention: Bool
    let wide: Bool
    let narrow: Bool
  }

  /// Finds the prefix, and refuses a table of other rows than the file says.
  ///
  /// - Parameter words: the prefixes that a head brings; the first that the weights have counts, and
  ///   messages name the last where they have none.
  mutating func readWeights(
    _ weights: any WeightSource, _ config: JSONObject, prefixes words: [String]
  ) throws {
    let table: TensorName = "embeddings.word_embeddings.weight"
    for word in words where prefix.text.isEmpty {
      prefix = try WeightPrefix(word, table: table, weights, of: config.origin)
    }
    try config.requireRows("vocab_size", vocabulary, of: "\(prefix.text)\(table)", weights)
    guard segments > 0 else { return }
    try config.requireRows(
      "type_vocab_size", segments, of: "\(prefix.text)embeddings.token_type_embeddings.weight",
      weights)
  }

  func readingTypes() -> any TextTransformer {
    var copy = self
    copy.readsTypes = segments > 1
    return copy
  }

  func states(batch: Int, length: Int) throws(GraphError) -> TokenStates {
    var builder = GatedBertGraph(self, batch: batch, length: length)
    return try builder.build()
  }
}

extension ClassifierHead {
  /// The error for a head of the program that came with the first models.
  static func ofFirstProgram(_ task: HeadTask, _ config: JSONObject) -> ModelError {
    .unsupported(
      place: "\(config.origin): 'architectures'",
      found: "a class '…\(task.rawValue)' of the program that came with the first models",
      supported: "that of transformers, whose keys and weights it writes")
  }
}

/// The names of a gated BERT's weights: those of the program that the first models came with, which
/// transformers writes too.
struct GatedBertNames: Sendable {
  /// The two layers of a gated linear unit: apart, or as the halves of one.
  enum Unit: Sendable {
    case apart(up: String, gate: String)
    case joined(String)
  }

  let embeddingNorm: String
  /// Followed by a dot and the layer's number.
  let layers: String
  let joinedAttention: String
  let projection: String
  let attentionNorm: String
  let unit: Unit
  let narrow: String
  let unitNorm: String

  static let nomic = GatedBertNames(
    embeddingNorm: "emb_ln", layers: "encoder.layers", joinedAttention: "attn.Wqkv",
    projection: "attn.out_proj", attentionNorm: "norm1",
    unit: .apart(up: "mlp.fc11", gate: "mlp.fc12"), narrow: "mlp.fc2", unitNorm: "norm2")

  static let gte = GatedBertNames(
    embeddingNorm: "embeddings.LayerNorm", layers: "encoder.layer",
    joinedAttention: "attention.qkv_proj", projection: "attention.o_proj",
    attentionNorm: "attn_ln", unit: .joined("mlp.up_gate_proj"), narrow: "mlp.down_proj",
    unitNorm: "mlp_ln")
}
