import StrictJSON

/// Hugging Face's DistilBertModel, a BERT without segments, with the modules of
/// sentence-transformers behind it.
///
/// Source: Sanh et al. 2019, arXiv:1910.01108, and the file layout of Hugging Face transformers.
package struct DistilBert: PostNormEncoder {
  package static let name = "distilbert"
  package static let hiddenKey = "dim"
  static let head = ClassifierHead.distilBert

  let transformer: any TextTransformer
  package let sentence: SentenceEncoder

  static func shape(
    _ config: JSONObject, weights: any WeightSource
  ) throws -> PostNormShape {
    try rules.check(config)
    var shape = try PostNormShape(config, keys, family: name, weights: weights)
    shape.block = block
    shape.pooler = nil
    return shape
  }

  private static let keys = PostNormKeys(
    hidden: ("dim", 768), heads: ("n_heads", 12), layers: ("n_layers", 6),
    intermediate: ("hidden_dim", 3072), segments: nil, activation: ("activation", "gelu"),
    epsilonKey: nil, blocks: "transformer.layer")

  private static let block = PostNormBlock(
    query: "attention.q_lin", key: "attention.k_lin", value: "attention.v_lin",
    projection: "attention.out_lin", attentionNorm: "sa_layer_norm", wide: "ffn.lin1",
    narrow: "ffn.lin2", outputNorm: "output_layer_norm")

  private static let rules = KeyRules(
    understood: [
      "model_type", "dim", "n_heads", "n_layers", "hidden_dim", "vocab_size",
      "max_position_embeddings", "activation",
      // Read with the tokenizer, where tokenizer_config.json names no class.
      "tokenizer_class",
    ],
    harmless: TransformersKeys.harmless
      + TransformersKeys.reason("matters in training alone")([
        "dropout", "attention_dropout", "sinusoidal_pos_embds",
      ])
      + TransformersKeys.reason("belongs to a head")([
        "qa_dropout", "seq_classif_dropout", "tie_weights_",
      ]),
    neutral: TransformersKeys.neutral, nullable: .of(TransformersKeys.nullable))
}
