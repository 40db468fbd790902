import StrictJSON

/// The known keys of a GTE's `config.json`.
enum GteKeys {
  /// As transformers 5 writes it.
  static let current = KeyRules(
    understood: understood + ["rope_parameters"], harmless: harmless,
    neutral: TransformersKeys.neutral, nullable: .of(nullable))

  /// As the program writes it that the first models came with.
  static let first = KeyRules(
    understood: understood + ["rope_theta", "rope_scaling"],
    harmless: harmless
      + TransformersKeys.reason("says how the same numbers are computed")([
        "unpad_inputs", "use_memory_efficient_attention",
      ])
      + TransformersKeys.reason("names the program, whose equations are those read here")([
        "auto_map"
      ]),
    neutral: firstNeutral, nullable: .of(nullable + ["rope_scaling"]))

  private static let understood = [
    "model_type", "hidden_size", "num_attention_heads", "num_hidden_layers", "intermediate_size",
    "vocab_size", "max_position_embeddings", "type_vocab_size", "layer_norm_eps", "hidden_act",
    // Read with the tokenizer, where tokenizer_config.json names no class.
    "tokenizer_class",
  ]

  private static let harmless: [String: String] =
    TransformersKeys.harmless
    + TransformersKeys.reason("matters in training alone")([
      "attention_probs_dropout_prob", "hidden_dropout_prob", "classifier_dropout",
    ])

  private static let nullable = [
    "add_cross_attention", "is_encoder_decoder", "cross_attention_hidden_size", "pruned_heads",
    "tokenizer_class",
  ]

  private static let firstNeutral = TransformersKeys.neutral.merging([
    "position_embedding_type": [.string("rope")], "layer_norm_type": [.string("layer_norm")],
    "logn_attention_scale": [.bool(false)], "logn_attention_clip1": [.bool(false)],
    "pack_qkv": [.bool(true)],
  ]) { first, _ in first }
}
