import StrictJSON

/// What is known of the keys of a BERT's `config.json`: everything that transformers 2 to 5 writes.
enum BertKeys {
  static let rules = KeyRules(
    understood: [
      "model_type", "hidden_size", "num_attention_heads", "num_hidden_layers", "intermediate_size",
      "vocab_size", "max_position_embeddings", "type_vocab_size", "layer_norm_eps", "hidden_act",
      // Read with the tokenizer, where tokenizer_config.json names no class.
      "tokenizer_class",
    ],
    harmless: harmless, neutral: neutral,
    nullable: [
      "add_cross_attention", "is_encoder_decoder", "cross_attention_hidden_size", "pruned_heads",
      "tokenizer_class",
    ])

  private static let harmless: [String: String] =
    TransformersKeys.harmless
    + TransformersKeys.reason("matters in training alone")([
      "attention_probs_dropout_prob", "hidden_dropout_prob", "classifier_dropout",
    ])
    + TransformersKeys.reason("belongs to a head, which is dropped")([
      "pooler_type", "pooler_fc_size", "pooler_num_attention_heads", "pooler_num_fc_layers",
      "pooler_size_per_head", "directionality", "loss_type",
    ])

  private static let neutral = TransformersKeys.neutral.merging([
    "position_embedding_type": [.string("absolute")]
  ]) { first, _ in first }
}
