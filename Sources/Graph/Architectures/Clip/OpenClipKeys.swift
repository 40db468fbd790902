import StrictJSON

/// The known keys of `model_cfg` in OpenCLIP's `open_clip_config.json`.
enum OpenClipKeys {
  private static let model = KeyRules(
    understood: ["embed_dim", "vision_cfg", "text_cfg", "quick_gelu"],
    harmless: [
      "custom_text": "how weights are called, which they tell themselves",
      "init_logit_scale": "matters in training alone",
      "init_logit_bias": "matters in training alone",
      "nonscalar_logit_scale": "the shape of a weight that embeddings do not need",
      "output_dict": "in which form the library hands vectors out",
      "cast_dtype": "the library's own precision; here all is computed in float32",
    ],
    nullable: .any)

  /// Keys of both halves about blocks that Ingot does not build.
  private static let blocks: [String: [JSONValue]] = [
    "ls_init_value": [], "act_kwargs": [.object([:])], "norm_kwargs": [.object([:])],
    "final_ln_after_pool": [false], "output_tokens": [false], "block_type": ["default"],
    "qk_norm": [false], "scaled_cosine_attn": [false], "scale_heads": [false],
    "scale_attn_inner": [false], "scale_attn": [false], "scale_fc": [false],
  ]

  private static let image = KeyRules(
    understood: ["image_size", "layers", "width", "head_width", "patch_size", "mlp_ratio"],
    harmless: [
      "patch_dropout": "matters in training alone",
      "attn_pooler_queries": "of attentional_pool, which is not built",
      "attn_pooler_heads": "of attentional_pool, which is not built",
      "timm_model_pretrained": "of timm_model_name, which is not built",
      "timm_pool": "of timm_model_name, which is not built",
      "timm_proj": "of timm_model_name, which is not built",
      "timm_proj_bias": "of timm_model_name, which is not built",
      "timm_drop": "of timm_model_name, which is not built",
      "timm_drop_path": "of timm_model_name, which is not built",
    ],
    neutral: blocks.merging([
      "attentional_pool": [false], "no_ln_pre": [false], "pos_embed_type": ["learnable"],
      "pool_type": ["tok"], "timm_model_name": [""],
    ]) { first, _ in first }, nullable: .any)

  private static let tower = KeyRules(
    understood: ["image_size", "timm_model_name", "timm_pool", "timm_proj"],
    harmless: [
      "timm_proj_bias": "whether there is a weight, which they tell themselves",
      "timm_model_pretrained": "where training began",
      "timm_drop": "matters in training alone", "timm_drop_path": "matters in training alone",
      "patch_dropout": "matters in training alone",
      "layers": "timm_model_name counts", "width": "timm_model_name counts",
      "head_width": "timm_model_name counts", "patch_size": "timm_model_name counts",
      "mlp_ratio": "timm_model_name counts",
      "attn_pooler_queries": "of attentional_pool, which is not built",
      "attn_pooler_heads": "of attentional_pool, which is not built",
    ],
    neutral: blocks.merging([
      "attentional_pool": [false], "no_ln_pre": [false], "pos_embed_type": ["learnable"],
      "pool_type": ["tok"],
    ]) { first, _ in first }, nullable: .any)

  /// Refuses unknown keys and values of an image encoder of timm.
  static func check(tower config: JSONObject) throws(JSONError) { try tower.check(config) }

  private static let text = KeyRules(
    understood: [
      "context_length", "vocab_size", "width", "heads", "layers", "mlp_ratio", "no_causal_mask",
    ],
    harmless: [
      "pad_id": "of embed_cls, which is not built; nothing behind the end token is seen",
      "eos_id": "of pool_type eos, which is not built",
      "hf_model_pretrained": "of hf_model_name, which is not built",
      "hf_proj_type": "of hf_model_name, which is not built",
      "hf_pooler_type": "of hf_model_name, which is not built",
    ],
    neutral: blocks.merging([
      "hf_model_name": [""], "hf_tokenizer_name": [""], "tokenizer_mode": [""],
      "tokenizer_kwargs": [.object([:])], "embed_cls": [false],
      "pool_type": ["argmax"], "proj_bias": [false], "proj_type": ["linear"],
    ]) { first, _ in first }, nullable: .any)

  /// Refuses unknown keys and values of the model as a whole.
  static func check(model config: JSONObject) throws(JSONError) { try model.check(config) }

  /// Refuses unknown keys and values of one half.
  static func check(_ kind: EncoderKind, _ config: JSONObject) throws(JSONError) {
    try (kind == .image ? image : text).check(config)
  }
}
