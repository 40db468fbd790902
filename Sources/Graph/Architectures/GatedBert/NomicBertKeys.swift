import StrictJSON

/// The known keys of a NomicBERT's `config.json`.
enum NomicBertKeys {
  /// As transformers 5 writes it.
  static let current = KeyRules(
    understood: [
      "model_type", "hidden_size", "num_attention_heads", "num_hidden_layers", "intermediate_size",
      "vocab_size", "max_position_embeddings", "type_vocab_size", "layer_norm_eps", "hidden_act",
      "head_dim", "rope_parameters",
      // Read with the tokenizer, where tokenizer_config.json names no class.
      "tokenizer_class",
    ],
    harmless: TransformersKeys.harmless
      + TransformersKeys.reason("matters in training alone")([
        "attention_probs_dropout_prob", "hidden_dropout_prob", "classifier_dropout",
      ]),
    neutral: TransformersKeys.neutral,
    nullable: [
      "add_cross_attention", "is_encoder_decoder", "cross_attention_hidden_size", "pruned_heads",
      "tokenizer_class",
    ])

  /// As the program writes it that came with the first models; its class is made from GPT-2's.
  static let first = KeyRules(
    understood: [
      "model_type", "n_embd", "n_head", "n_layer", "n_inner", "n_positions", "vocab_size",
      "pad_vocab_size_multiple", "type_vocab_size", "layer_norm_epsilon", "activation_function",
      "rotary_emb_base", "qkv_proj_bias", "mlp_fc1_bias", "mlp_fc2_bias", "tokenizer_class",
    ],
    harmless: firstHarmless, neutral: firstNeutral,
    nullable: [
      "add_cross_attention", "is_encoder_decoder", "cross_attention_hidden_size", "pruned_heads",
      "tokenizer_class", "n_inner", "rotary_emb_scale_base", "rotary_scaling_factor",
      "num_heads_kv",
    ])

  private static let firstHarmless: [String: String] =
    TransformersKeys.harmless
    + TransformersKeys.reason("matters in training alone")([
      "attn_pdrop", "embd_pdrop", "resid_pdrop",
    ])
    + TransformersKeys.reason("says how the same numbers are computed")([
      "fused_bias_fc", "fused_dropout_add_ln", "use_flash_attn", "use_xentropy",
      "dense_seq_output", "last_layer_subset",
    ])
    + TransformersKeys.reason("belongs to a head, which is dropped")([
      "summary_activation", "summary_first_dropout", "summary_proj_to_labels", "summary_type",
      "summary_use_proj", "add_pooling_layer",
    ])
    + TransformersKeys.reason("is GPT-2's, and this model's program never reads it")([
      "reorder_and_upcast_attn", "scale_attn_by_inverse_layer_idx", "scale_attn_weights", "n_ctx",
    ])
    + TransformersKeys.reason("names the program, whose equations are those read here")([
      "auto_map"
    ])
    + TransformersKeys.reason("counts where positions are scaled, which is refused")([
      "max_trained_positions"
    ])

  private static let firstNeutral = TransformersKeys.neutral.merging([
    "prenorm": [.bool(false)], "parallel_block": [.bool(false)],
    "parallel_block_tied_norm": [.bool(false)], "causal": [.bool(false)],
    "use_rms_norm": [.bool(false)], "rotary_emb_fraction": [.integer(1)],
    "rotary_emb_interleaved": [.bool(false)], "rotary_emb_scale_base": [],
    "rotary_scaling_factor": [], "num_heads_kv": [], "rotary_head_dim": [.bool(false)],
  ]) { first, _ in first }
}
