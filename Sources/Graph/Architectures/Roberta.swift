import StrictJSON

/// Hugging Face's RobertaModel, and XLM-RoBERTa and CamemBERT, which differ from it in tokenizer and
/// training alone: a BERT whose positions are counted from the padding token on.
///
/// Source: Liu et al. 2019, arXiv:1907.11692; Conneau et al. 2019, arXiv:1911.02116; Martin et al.
/// 2019, arXiv:1911.03894; and the file layout of Hugging Face transformers.
package struct Roberta: PostNormEncoder {
  package static let name = "roberta"
  package static let modelTypes = [name, "xlm-roberta", "camembert"]
  static let head = ClassifierHead.dense(.tanh)

  let transformer: any TextTransformer
  package let sentence: SentenceEncoder

  static func shape(
    _ config: JSONObject, weights: any WeightSource
  ) throws -> PostNormShape {
    try rules.check(config)
    var keys = PostNormKeys()
    if config["model_type"]?.string == name { keys.vocabulary.usual = 50265 }
    var shape = try PostNormShape(config, keys, family: name, weights: weights)
    let padding =
      config.has("pad_token_id")
      ? try config.plainInteger("pad_token_id", in: 0...shape.vocabulary - 1) : 1
    guard shape.positions > padding + 1 else {
      throw config.error(
        "'max_position_embeddings' is \(shape.positions), the first token has position "
          + "\(padding + 1), one more than 'pad_token_id'", at: config.position)
    }
    shape.padding = padding
    return shape
  }

  private static let rules = KeyRules(
    understood: BertKeys.numbers + ["pad_token_id"],
    harmless: TransformersKeys.harmless + BertKeys.training,
    neutral: TransformersKeys.neutral.merging(BertKeys.neutralPositions) { first, _ in first },
    nullable: .of(TransformersKeys.nullable))
}
