import StrictJSON

/// Hugging Face's BertModel with the modules behind it that sentence-transformers' `modules.json`
/// prescribes.
///
/// Source: the model's published equations (Devlin et al. 2018, arXiv:1810.04805) and the file
/// layout of Hugging Face transformers and sentence-transformers.
package struct Bert: PostNormEncoder {
  package static let name = "bert"
  static let head = ClassifierHead.pooler("pooler.dense")

  let transformer: any TextTransformer
  package let sentence: SentenceEncoder

  static func shape(
    _ config: JSONObject, weights: any WeightSource
  ) throws -> PostNormShape {
    try BertKeys.check(config)
    return try PostNormShape(config, PostNormKeys(), family: name, weights: weights)
  }
}
