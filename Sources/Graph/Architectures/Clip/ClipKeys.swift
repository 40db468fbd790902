import StrictJSON

/// The known keys of CLIP's `config.json`: everything that transformers 4 and 5 write.
enum ClipKeys {
  /// Of the configuration of both halves.
  private static let whole = KeyRules(
    understood: [
      "model_type", "tokenizer_class", "projection_dim", "text_config", "vision_config",
      "text_config_dict", "vision_config_dict",
    ],
    harmless: TransformersKeys.harmless.merging([
      "logit_scale_init_value": "matters in training alone"
    ]) { first, _ in first },
    neutral: TransformersKeys.neutral, nullable: .any)

  private static let shared = [
    "hidden_size", "intermediate_size", "projection_dim", "num_hidden_layers",
    "num_attention_heads", "hidden_act", "layer_norm_eps",
  ]
  private static let textKeys = shared + ["vocab_size", "max_position_embeddings", "eos_token_id"]
  private static let imageKeys = shared + ["num_channels", "image_size", "patch_size"]

  private static func half(_ keys: [String], type: String) -> KeyRules {
    KeyRules(
      understood: keys,
      harmless: TransformersKeys.harmless
        + TransformersKeys.reason("matters in training alone")(["attention_dropout", "dropout"]),
      neutral: TransformersKeys.neutral.merging([
        "model_type": [.string(type)],
        "tokenizer_class": [.string("CLIPTokenizer"), .string("CLIPTokenizerFast")],
      ]) { first, _ in first }, nullable: .any)
  }

  private static let text = half(textKeys, type: "clip_text_model")
  private static let image = half(imageKeys, type: "clip_vision_model")

  /// Refuses unknown keys and values in the configuration of both halves.
  static func check(whole config: JSONObject) throws(JSONError) {
    try whole.check(config)
    try requireValues(["projection_dim"], config)
  }

  /// Refuses unknown keys and values in one half's own configuration.
  static func check(_ kind: EncoderKind, _ config: JSONObject) throws(JSONError) {
    let (rules, keys) = kind == .image ? (image, imageKeys) : (text, textKeys)
    try rules.check(config)
    try requireValues(keys, config)
  }

  /// A key that is null takes away the library's own value, and the model with it.
  private static func requireValues(
    _ keys: [String], _ config: JSONObject
  ) throws(JSONError) {
    for key in keys {
      guard let node = config[key], node.isNull else { continue }
      throw config.error("'\(key)' is null, expected a value, or no such key", at: node.position)
    }
  }
}
