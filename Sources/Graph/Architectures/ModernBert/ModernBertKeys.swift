import StrictJSON

/// The known keys of a ModernBERT's `config.json`: those of transformers 4.48 to 5.23.
enum ModernBertKeys {
  static let rules = KeyRules(
    understood: [
      "model_type", "vocab_size", "hidden_size", "intermediate_size", "num_hidden_layers",
      "num_attention_heads", "hidden_activation", "max_position_embeddings", "norm_eps",
      "norm_bias", "attention_bias", "mlp_bias", "local_attention", "layer_types",
      "global_attn_every_n_layers", "rope_parameters", "global_rope_theta", "local_rope_theta",
      // Read with the tokenizer, where tokenizer_config.json names no class.
      "tokenizer_class",
    ],
    harmless: harmless, neutral: neutral,
    nullable: [
      "add_cross_attention", "is_encoder_decoder", "cross_attention_hidden_size", "pruned_heads",
      "tokenizer_class", "rope_scaling", "rope_parameters", "layer_types",
    ])

  private static let harmless: [String: String] =
    TransformersKeys.harmless
    + TransformersKeys.reason("matters in training alone")([
      "attention_dropout", "embedding_dropout", "mlp_dropout", "initializer_cutoff_factor",
    ])
    + TransformersKeys.reason("belongs to a head, which is dropped")([
      "classifier_pooling", "classifier_dropout", "classifier_bias", "classifier_activation",
      "decoder_bias", "sparse_prediction", "sparse_pred_ignore_index", "repad_logits_with_grad",
      "loss_type",
    ])
    + TransformersKeys.reason("says how the same numbers are computed")([
      "deterministic_flash_attn", "reference_compile",
    ])
    + TransformersKeys.reason("is never read by ModernBERT's class, which has norm_eps")([
      "layer_norm_eps"
    ])

  private static let neutral = TransformersKeys.neutral.merging([
    "position_embedding_type": [.string("absolute"), .string("rope")],
    "rope_scaling": [],
  ]) { first, _ in first }
}
