import StrictJSON

/// Keys of a `config.json` that never change a vector: everything that transformers 2 to 5 writes
/// into the configuration of any model. `StatedPrecision` judges `dtype` and `torch_dtype`.
enum TransformersKeys {
  /// Each with the reason.
  static let harmless: [String: String] =
    reason("says who wrote the file and how it is loaded")([
      "_name_or_path", "_commit_hash", "transformers_version", "architectures", "torch_dtype",
      "dtype", "torchscript", "return_dict", "xla_device", "use_bfloat16", "tf_legacy_loss",
      "attn_implementation", "_attn_implementation", "_attn_implementation_autoset",
      "attn_implementation_internal", "_attn_implementation_internal", "name_or_path",
      "sentence_transformers",
    ])
    + reason("is read where a cross-encoder is, and says nothing about token vectors")([
      "sbert_ce_default_activation_function"
    ])
    + reason("is what comes out beside the token vectors")([
      "output_attentions", "output_hidden_states", "output_past", "use_cache",
    ])
    + reason("matters in training alone")([
      "initializer_range", "gradient_checkpointing", "tie_word_embeddings", "tie_encoder_decoder",
      "layerdrop", "finetuning_task", "initializer_factor",
    ])
    + reason("belongs to a head, which is dropped")([
      "id2label", "label2id", "num_labels", "problem_type", "task_specific_params",
    ])
    + reason("names tokens, which the tokenizer's files decide")([
      "pad_token_id", "bos_token_id", "eos_token_id", "sep_token_id", "cls_token_id",
      "mask_token_id", "unk_token_id", "decoder_start_token_id", "forced_bos_token_id",
      "forced_eos_token_id",
    ])
    + reason("belongs to writing texts, which an encoder does not")([
      "max_length", "min_length", "do_sample", "early_stopping", "num_beams", "num_beam_groups",
      "diversity_penalty", "temperature", "top_k", "top_p", "typical_p", "repetition_penalty",
      "length_penalty", "no_repeat_ngram_size", "encoder_no_repeat_ngram_size", "bad_words_ids",
      "num_return_sequences", "output_scores", "return_dict_in_generate", "remove_invalid_values",
      "exponential_decay_length_penalty", "suppress_tokens", "begin_suppress_tokens", "prefix",
    ])

  /// At the values that leave a plain encoder.
  static let neutral: [String: [JSONValue]] = [
    "is_decoder": [.bool(false)], "add_cross_attention": [.bool(false)],
    "is_encoder_decoder": [.bool(false)], "cross_attention_hidden_size": [],
    "chunk_size_feed_forward": [.integer(0)],
    "pruned_heads": [.object([:])],
  ]

  /// Keys that change nothing at null.
  static let nullable = [
    "add_cross_attention", "is_encoder_decoder", "cross_attention_hidden_size", "pruned_heads",
    "tokenizer_class",
  ]

  /// Gives keys the reason that they share.
  static func reason(_ reason: String) -> ([String]) -> [String: String] {
    { Dictionary($0.map { ($0, reason) }) { first, _ in first } }
  }
}

func + (left: [String: String], right: [String: String]) -> [String: String] {
  left.merging(right) { first, _ in first }
}
