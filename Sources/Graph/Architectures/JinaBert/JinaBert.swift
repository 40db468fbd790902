import Foundation
import StrictJSON
import Weights

/// Jina's embedding models of the second version: a BERT without a table of positions, whose
/// attention falls off with the distance of two tokens (ALiBi), and with gated linear units.
///
/// Source: Günther et al. 2023, arXiv:2310.19923, and the file layouts of jinaai's
/// `jina-bert-implementation` and `jina-bert-v2-qk-post-norm`.
package struct JinaBert: TransformerArchitecture {
  package static let name = "jina_bert"
  /// Their files name BERT.
  package static let modelTypes = ["bert"]
  package static var signature: String {
    "config.json with \"model_type\": \"bert\" and \"position_embedding_type\": \"alibi\""
  }

  let transformer: any TextTransformer
  package let sentence: SentenceEncoder

  static func reads(_ config: JSONObject) -> Bool {
    config["position_embedding_type"]?.string == "alibi"
  }

  static func transformer(
    _ config: JSONObject, weights: any WeightSource
  ) throws -> any TextTransformer {
    try JinaBertShape(config, weights)
  }

  static func head(_ task: HeadTask, _ config: JSONObject) throws -> ClassifierHead? {
    throw ModelError.unsupported(
      place: "\(config.origin): 'architectures'",
      found: "a class '…\(task.rawValue)' behind 'position_embedding_type' 'alibi'",
      supported: "that transformer with the modules of sentence-transformers")
  }
}

/// The numbers and names of a Jina BERT.
struct JinaBertShape: TextTransformer {
  let layers: Int
  let heads: Int
  let hidden: Int
  let intermediate: Int
  let vocabulary: Int
  let positions: Int
  /// Rows of the table of segments; every text is of segment 0.
  let segments: Int
  let epsilon: Float
  /// Of the gated linear units.
  let activation: TransformerActivation
  let block: JinaBertBlock
  /// Before all names of weights.
  let prefix: WeightPrefix

  init(_ config: JSONObject, _ weights: any WeightSource) throws {
    try JinaBertKeys.rules.check(config)
    hidden = try config.integer("hidden_size", usual: 768, in: 1...1 << 20)
    heads = try config.heads(
      "num_attention_heads", usual: 12, width: hidden, of: "hidden_size", isPaired: false)
    layers = try config.integer("num_hidden_layers", usual: 12, in: 1...1000)
    intermediate = try config.integer("intermediate_size", usual: 3072, in: 1...1 << 20)
    vocabulary = try config.integer("vocab_size", usual: 30522, in: 1...1 << 24)
    positions = try config.integer("max_position_embeddings", usual: 512, in: 1...1 << 20)
    segments = try config.integer("type_vocab_size", usual: 2, in: 1...1 << 16)
    epsilon = Float(try config.double("layer_norm_eps", usual: 1e-12))
    activation = try JinaBertKeys.activation(config)
    let table: TensorName = "embeddings.word_embeddings.weight"
    prefix = try WeightPrefix("bert", table: table, weights, of: config.origin)
    block =
      weights.shape(of: "\(prefix.text)encoder.layer.0.layer_norm_1.weight") == nil
      ? .first : .normed
    try config.requireRows("vocab_size", vocabulary, of: "\(prefix.text)\(table)", weights)
    try config.requireRows(
      "type_vocab_size", segments, of: "\(prefix.text)embeddings.token_type_embeddings.weight",
      weights)
  }

  func states(batch: Int, length: Int) throws(GraphError) -> TokenStates {
    var builder = JinaBertGraph(model: self, batch: batch, length: length)
    return try builder.build()
  }

  /// How fast each head's attention falls off with distance, as negative numbers.
  ///
  /// Source: Press, Smith and Lewis 2021, arXiv:2108.12409; with another number of heads than a power
  /// of two, every second slope of twice the next lower power follows those of that power.
  var slopes: [Float] {
    let power = 1 << (Int.bitWidth - 1 - heads.leadingZeroBitCount)
    let more = JinaBertShape.slopes(2 * power).enumerated().filter { $0.offset.isMultiple(of: 2) }
    return JinaBertShape.slopes(power) + more.prefix(heads - power).map(\.element)
  }

  private static func slopes(_ heads: Int) -> [Float] {
    (1...heads).map { -Float(pow(2, -8 * Double($0) / Double(heads))) }
  }
}

/// The names of a block's weights in the two programs that such models came with.
struct JinaBertBlock: Sendable {
  /// The layer of the gated linear unit, and the one behind it.
  let gated: String
  let narrow: String
  /// The norm behind the unit.
  let norm: String
  /// Whether the first half of the gated layer's output is activated, or the second.
  let activatesFirst: Bool
  /// Whether queries and keys are normalised, and the attended tokens a second time.
  let normsQueries: Bool

  static let first = JinaBertBlock(
    gated: "mlp.gated_layers", narrow: "mlp.wo", norm: "mlp.layernorm", activatesFirst: true,
    normsQueries: false)
  static let normed = JinaBertBlock(
    gated: "mlp.up_gated_layer", narrow: "mlp.down_layer", norm: "layer_norm_2",
    activatesFirst: false, normsQueries: true)
}
