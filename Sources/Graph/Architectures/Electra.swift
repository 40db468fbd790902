import StrictJSON

/// Hugging Face's ElectraModel: a BERT whose tables may be narrower than its blocks.
///
/// Source: Clark et al. 2020, arXiv:2003.10555, and the file layout of Hugging Face transformers.
package struct Electra: PostNormEncoder {
  package static let name = "electra"
  static let head = ClassifierHead.dense(.gelu(.exact))

  let transformer: any TextTransformer
  package let sentence: SentenceEncoder

  static func shape(
    _ config: JSONObject, weights: any WeightSource
  ) throws -> PostNormShape {
    try rules.check(config)
    let keys = PostNormKeys(
      hidden: ("hidden_size", 256), heads: ("num_attention_heads", 4),
      intermediate: ("intermediate_size", 1024), tableWidth: ("embedding_size", 128))
    var shape = try PostNormShape(config, keys, family: name, weights: weights)
    if shape.tableWidth != shape.hidden { shape.projection = "embeddings_project" }
    shape.pooler = nil
    return shape
  }

  private static let rules = KeyRules(
    understood: BertKeys.numbers + ["embedding_size"],
    harmless: TransformersKeys.harmless + BertKeys.training
      + TransformersKeys.reason("belongs to a head that is not read")([
        "summary_type", "summary_use_proj", "summary_activation", "summary_last_dropout",
      ])
      + TransformersKeys.reason("sizes the generator, another model of the training")([
        "generator_size", "generator_hidden_size",
      ]),
    neutral: TransformersKeys.neutral.merging(BertKeys.neutralPositions) { first, _ in first },
    nullable: .of(TransformersKeys.nullable))
}
