import StrictJSON

extension DecoderShape.Usual {
  static let gemma3 = DecoderShape.Usual(
    layers: 26, heads: 8, keyHeads: 4, headWidth: 256, hidden: 2304, intermediate: 9216,
    vocabulary: 262_208, positions: 131_072, activationKey: "hidden_activation",
    activation: .gelu(.tanhApproximation))
}

extension DecoderLayout {
  private static let kinds = ["full_attention", "sliding_attention"]
  private static let rules = KeyRules(
    understood: DecoderShape.keys + [
      "hidden_activation", "rope_theta", "rope_local_base_freq", "rope_parameters", "layer_types",
      "sliding_window_pattern", "_sliding_window_pattern", "sliding_window",
      "query_pre_attn_scalar", "use_bidirectional_attention",
    ],
    harmless: TransformersKeys.harmless
      + TransformersKeys.reason("matters in training alone")(["attention_dropout"])
      + TransformersKeys.reason("belongs to writing texts, which an encoder does not")([
        "cache_implementation", "final_logit_softcapping",
      ]),
    neutral: TransformersKeys.neutral.merging([
      "rope_scaling": [], "attn_logit_softcapping": [],
    ]) { first, _ in first },
    nullable: [
      "add_cross_attention", "is_encoder_decoder", "cross_attention_hidden_size", "pruned_heads",
      "tokenizer_class", "rope_scaling", "rope_parameters", "layer_types",
      "attn_logit_softcapping", "use_bidirectional_attention",
    ])
  private static let parameterRules = KeyRules(understood: kinds)

  /// Reads the keys of a Gemma 3.
  init(gemma3 config: JSONObject) throws {
    try Self.rules.check(config)
    isBidirectional = try config.bool("use_bidirectional_attention", usual: false)
    isLocal = try Self.locality(config)
    let stated = try config.integer("sliding_window", usual: 4096, in: 1...1 << 20)
    // The library counts half of it to each side, and the token itself.
    window = isBidirectional ? stated / 2 + 1 : stated
    let parameters = config.has("rope_parameters") ? try config.object("rope_parameters") : nil
    if let parameters { try Self.parameterRules.check(parameters) }
    func base(_ key: String, _ usual: Double, _ kind: String) throws -> Double {
      let part = try parameters.flatMap { $0.has(kind) ? try $0.object(kind) : nil }
      return try RotaryBase.read(config, key, usual: usual, part)
    }
    wholeBase = try base("rope_theta", 1_000_000, Self.kinds[0])
    localBase = try base("rope_local_base_freq", 10_000, Self.kinds[1])
    queryScalar = try config.positive("query_pre_attn_scalar", usual: 256)
    isGemma = true
  }

  /// A word for each layer; in older files every n-th layer sees the whole text.
  private static func locality(_ config: JSONObject) throws -> [Bool] {
    guard config.has("layer_types") else {
      let layers = try config.integer(
        "num_hidden_layers", usual: DecoderShape.Usual.gemma3.layers, in: 1...1000)
      let every = try config.integer("sliding_window_pattern", usual: 6, in: 1...1000)
      return (1...layers).map { !$0.isMultiple(of: every) }
    }
    return try config.array("layer_types").map { node throws -> Bool in
      guard let kind = kinds.firstIndex(where: { $0 == node.string }) else {
        throw config.mismatch("layer_types", expected: kinds.joined(separator: " or "), node)
      }
      return kind == 1
    }
  }
}
