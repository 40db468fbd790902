import StrictJSON

/// Hugging Face's MPNetModel: a BERT without segments, whose attention also depends on how far two
/// tokens are apart, and whose positions are counted from the padding token on.
///
/// Source: Song et al. 2020, arXiv:2004.09297, and the file layout of Hugging Face transformers.
package struct MPNet: PostNormEncoder {
  package static let name = "mpnet"
  static let head = ClassifierHead.dense(.tanh)

  let transformer: any TextTransformer
  package let sentence: SentenceEncoder

  static func shape(
    _ config: JSONObject, weights: any WeightSource
  ) throws -> PostNormShape {
    try rules.check(config)
    let keys = PostNormKeys(vocabulary: ("vocab_size", 30527), segments: nil)
    var shape = try PostNormShape(config, keys, family: name, weights: weights)
    // Whatever 'pad_token_id' says: the library has the number in its code.
    let padding = 1
    guard shape.positions > padding + 1 else {
      throw config.error(
        "'max_position_embeddings' is \(shape.positions), the first token has position "
          + "\(padding + 1)", at: config.position)
    }
    shape.padding = padding
    shape.block = block
    shape.distances = DistanceBuckets(
      table: "encoder.relative_attention_bias.weight", count: buckets, farthest: 128)
    return shape
  }

  /// The library computes with this number, whatever the file says.
  private static let buckets = 32

  private static let block = PostNormBlock(
    query: "attention.attn.q", key: "attention.attn.k", value: "attention.attn.v",
    projection: "attention.attn.o", attentionNorm: "attention.LayerNorm",
    wide: "intermediate.dense", narrow: "output.dense", outputNorm: "output.LayerNorm")

  private static let rules = KeyRules(
    understood: BertKeys.numbers.filter { $0 != "type_vocab_size" },
    harmless: TransformersKeys.harmless + BertKeys.training,
    neutral: TransformersKeys.neutral.merging([
      "relative_attention_num_buckets": [.integer(buckets)]
    ]) { first, _ in first },
    nullable: .of(TransformersKeys.nullable))
}
