import StrictJSON

/// The known keys of a DeBERTa-v2's `config.json`: everything that transformers 4 and 5 write.
enum DebertaV2Keys {
  static let rules = KeyRules(
    understood: [
      "model_type", "hidden_size", "num_attention_heads", "num_hidden_layers", "intermediate_size",
      "vocab_size", "max_position_embeddings", "type_vocab_size", "layer_norm_eps", "hidden_act",
      "position_biased_input", "relative_attention", "pos_att_type", "max_relative_positions",
      "position_buckets", "share_att_key", "norm_rel_ebd",
      // Read with the tokenizer, where tokenizer_config.json names no class.
      "tokenizer_class",
    ],
    harmless: harmless, neutral: neutral,
    nullable: [
      "add_cross_attention", "is_encoder_decoder", "cross_attention_hidden_size", "pruned_heads",
      "tokenizer_class", "pos_att_type",
    ])

  private static let harmless: [String: String] =
    TransformersKeys.harmless
    + TransformersKeys.reason("matters in training alone")([
      "attention_probs_dropout_prob", "hidden_dropout_prob", "classifier_dropout", "cls_dropout",
    ])
    + TransformersKeys.reason("belongs to a head, which is dropped")([
      "pooler_dropout", "pooler_hidden_act", "pooler_hidden_size", "legacy", "summary_type",
      "pooling", "loss_type",
    ])

  // The convolution of the largest DeBERTa-v2 models is not built.
  private static let neutral = TransformersKeys.neutral.merging([
    "conv_kernel_size": [.integer(0)]
  ]) { first, _ in first }
}
