import StrictJSON

/// Hugging Face's AlbertModel: a BERT whose blocks share their weights, with tables narrower than
/// the blocks.
///
/// Source: Lan et al. 2019, arXiv:1909.11942, and the file layout of Hugging Face transformers.
package struct Albert: PostNormEncoder {
  package static let name = "albert"
  static let head = ClassifierHead.pooler("pooler")

  let transformer: any TextTransformer
  package let sentence: SentenceEncoder

  static func shape(
    _ config: JSONObject, weights: any WeightSource
  ) throws -> PostNormShape {
    try rules.check(config)
    let keys = PostNormKeys(
      hidden: ("hidden_size", 4096), heads: ("num_attention_heads", 64),
      intermediate: ("intermediate_size", 16384), vocabulary: ("vocab_size", 30000),
      tableWidth: ("embedding_size", 128), activation: ("hidden_act", "gelu_new"))
    var shape = try PostNormShape(config, keys, family: name, weights: weights)
    shape.projection = "encoder.embedding_hidden_mapping_in"
    shape.blocks = try blocks(config, layers: shape.blocks.count)
    shape.block = block
    shape.pooler = "pooler"
    return shape
  }

  /// A layer is one round of the blocks of its group; the groups share the layers evenly.
  private static func blocks(_ config: JSONObject, layers: Int) throws -> [String] {
    func integer(_ key: String) throws -> Int {
      config.has(key) ? try config.plainInteger(key, in: 1...1000) : 1
    }
    let groups = try integer("num_hidden_groups"), rounds = try integer("inner_group_num")
    guard groups <= layers else {
      throw config.error(
        "'num_hidden_groups' is \(groups), 'num_hidden_layers' \(layers); every group needs a layer",
        at: config.position)
    }
    guard layers * rounds <= 1000 else {
      throw config.error(
        "'num_hidden_layers' \(layers) times 'inner_group_num' \(rounds) is \(layers * rounds), "
          + "expected at most 1000 rounds", at: config.position)
    }
    // As the library divides.
    let share = Double(layers) / Double(groups)
    return (0..<layers).flatMap { layer in
      (0..<rounds).map {
        "encoder.albert_layer_groups.\(Int(Double(layer) / share)).albert_layers.\($0)"
      }
    }
  }

  private static let block = PostNormBlock(
    query: "attention.query", key: "attention.key", value: "attention.value",
    projection: "attention.dense", attentionNorm: "attention.LayerNorm", wide: "ffn",
    narrow: "ffn_output", outputNorm: "full_layer_layer_norm")

  private static let rules = KeyRules(
    understood: BertKeys.numbers + ["embedding_size", "num_hidden_groups", "inner_group_num"],
    harmless: TransformersKeys.harmless + BertKeys.training
      + TransformersKeys.reason("matters in training alone")(["classifier_dropout_prob"])
      + TransformersKeys.reason(
        "is a note of the program that trained the model; the library's class never reads it")([
        "down_scale_factor", "gap_size", "net_structure_type", "num_memory_blocks",
      ]),
    neutral: TransformersKeys.neutral.merging(BertKeys.neutralPositions) { first, _ in first },
    nullable: .of(TransformersKeys.nullable))
}
