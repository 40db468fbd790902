import StrictJSON

/// The known keys of `model_cfg` in OpenCLIP's `open_clip_config.json`.
enum OpenClipKeys {
  private static let model = KeyRules(
    understood: ["embed_dim", "vision_cfg", "text_cfg", "quick_gelu"],
    harmless: [
      "custom_text": "how weights are called, which they tell themselves",
      "multimodal_cfg": "of the decoder that writes captions",
      "init_logit_scale": "matters in training alone",
      "init_logit_bias": "matters in training alone",
      "nonscalar_logit_scale": "the shape of a weight that embeddings do not need",
      "output_dict": "in which form the library hands vectors out",
      "cast_dtype": "the library's own precision; here all is computed in float32",
    ],
    nullable: .any)

  /// Keys of both halves about what is around and inside the blocks.
  private static let shared = [
    "width", "layers", "mlp_ratio", "ls_init_value", "act_kwargs", "norm_kwargs", "pool_type",
  ]

  /// Keys of both halves about blocks that Ingot does not build.
  private static let blocks: [String: [JSONValue]] = [
    "block_type": ["default"], "qk_norm": [false], "scaled_cosine_attn": [false],
    "scale_heads": [false], "scale_attn_inner": [false], "scale_attn": [false],
    "scale_fc": [false],
  ]

  private static let handedOut = [
    "output_tokens": "whether the library hands out vectors of tokens, too"
  ]

  private static let image = KeyRules(
    understood: shared + [
      "image_size", "head_width", "patch_size", "attentional_pool", "attn_pooler_queries",
      "attn_pooler_heads", "no_ln_pre", "final_ln_after_pool", "timm_model_name", "timm_pool",
      "timm_proj", "timm_proj_bias",
    ],
    harmless: handedOut.merging([
      "patch_dropout": "matters in training alone",
      "timm_model_pretrained": "which weights the library begins with",
      "timm_drop": "matters in training alone",
      "timm_drop_path": "matters in training alone",
    ]) { first, _ in first },
    neutral: blocks.merging([
      // The table of positions is a weight in either case.
      "pos_embed_type": ["learnable", "sin_cos_2d"]
    ]) { first, _ in first }, nullable: .any)

  private static let text = KeyRules(
    understood: shared + [
      "context_length", "vocab_size", "heads", "hf_tokenizer_name", "tokenizer_kwargs",
      "embed_cls", "pad_id", "eos_id", "no_causal_mask", "proj_bias", "proj_type",
    ],
    harmless: handedOut.merging([
      "final_ln_after_pool": "the library reads it for images alone",
      "hf_model_pretrained": "of hf_model_name, which is not built",
      "hf_proj_type": "of hf_model_name, which is not built",
      "hf_pooler_type": "of hf_model_name, which is not built",
    ]) { first, _ in first },
    neutral: blocks.merging(["hf_model_name": [""], "tokenizer_mode": [""]]) { first, _ in first },
    nullable: .any)

  /// Of `norm_kwargs`.
  static let norm = KeyRules(understood: ["eps"])
  /// Of `act_kwargs`.
  static let activation = KeyRules(understood: ["approximate"])
  /// Of `tokenizer_kwargs` for a tokenizer of Hugging Face.
  static let tokenizer = KeyRules(understood: ["clean", "strip_sep_token"])
  /// The same for OpenCLIP's own tokenizer.
  static let ownTokenizer = KeyRules(understood: [], neutral: ["clean": ["lower"]])

  /// Refuses unknown keys and values of the model as a whole.
  static func check(model config: JSONObject) throws(JSONError) { try model.check(config) }

  /// Refuses unknown keys and values of one half.
  static func check(_ kind: EncoderKind, _ config: JSONObject) throws(JSONError) {
    try (kind == .image ? image : text).check(config)
  }
}
