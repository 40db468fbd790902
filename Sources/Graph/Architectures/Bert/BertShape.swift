import StrictJSON
import Weights

/// The shape of a BertModel from `config.json`. Absent keys get the defaults of the library that
/// reads the file.
struct BertShape: Sendable {
  let layers: Int
  let heads: Int
  let hidden: Int
  let intermediate: Int
  let vocabulary: Int
  let positions: Int
  let segments: Int
  let epsilon: Float
  let activation: TransformerActivation
  let names: BertNames

  init(_ config: JSONObject, weights: any WeightSource) throws {
    try BertKeys.check(config)
    func integer(_ key: String, _ usual: Int, in range: ClosedRange<Int>) throws -> Int {
      config.has(key) ? try config.plainInteger(key, in: range) : usual
    }
    positions = try integer("max_position_embeddings", 512, in: 1...1 << 20)
    hidden = try integer("hidden_size", 768, in: 1...1 << 20)
    heads = try integer("num_attention_heads", 12, in: 1...hidden)
    guard hidden.isMultiple(of: heads) else {
      throw config.error(
        "'hidden_size' \(hidden) is no multiple of 'num_attention_heads' \(heads)",
        at: config.position)
    }
    layers = try integer("num_hidden_layers", 12, in: 1...1000)
    intermediate = try integer("intermediate_size", 3072, in: 1...1 << 20)
    vocabulary = try integer("vocab_size", 30522, in: 1...1 << 24)
    segments = try integer("type_vocab_size", 2, in: 1...1 << 16)
    epsilon = config.has("layer_norm_eps") ? Float(try config.double("layer_norm_eps")) : 1e-12
    activation = try TransformerActivation(config, key: "hidden_act")
    names = try BertNames(weights, of: config.origin)
    try requireRows(weights, config)
  }

  /// Refuses tables of other rows than the file says, with the key that says it.
  private func requireRows(_ weights: any WeightSource, _ config: JSONObject) throws {
    let tables = [
      ("vocab_size", vocabulary, "word_embeddings"),
      ("type_vocab_size", segments, "token_type_embeddings"),
      ("max_position_embeddings", positions, "position_embeddings"),
    ]
    for (key, rows, table) in tables {
      let name: TensorName = "\(names.prefix)embeddings.\(table).weight"
      guard let shape = weights.shape(of: name), shape.count == 2, shape[0] != rows else {
        continue
      }
      throw config.error(
        "\(quoted(key)) is \(rows), the table '\(name)' has \(shape[0]) rows",
        at: config[key]?.position ?? config.position)
    }
  }
}
