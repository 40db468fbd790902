import StrictJSON

/// The known keys of a Jina BERT's `config.json`.
enum JinaBertKeys {
  static let rules = KeyRules(
    understood: BertKeys.numbers.filter { $0 != "hidden_act" } + [
      "position_embedding_type", "feed_forward_type",
    ],
    harmless: TransformersKeys.harmless + BertKeys.training
      + TransformersKeys.reason("names the program, whose equations are those read here")([
        "auto_map"
      ])
      + TransformersKeys.reason("is of blocks without a gate")(["hidden_act"])
      + TransformersKeys.reason(
        "is of the program's own way to pool; the modules behind the transformer count")([
        "emb_pooler"
      ])
      + TransformersKeys.reason("is the tokenizer's")(["model_max_length"]),
    neutral: TransformersKeys.neutral,
    nullable: .of(TransformersKeys.nullable + ["attn_implementation", "emb_pooler"]))

  /// The activation of the gated linear units. Without the key the program has blocks without a gate,
  /// which no published model has.
  static func activation(_ config: JSONObject) throws -> TransformerActivation {
    switch config.has("feed_forward_type") ? try config.string("feed_forward_type") : "original" {
    case "geglu": return .gelu(.exact)
    case "reglu": return .relu
    case let word:
      throw ModelError.unsupported(
        place: "\(config.origin): 'feed_forward_type'", found: "'\(word)'",
        supported: "geglu, reglu")
    }
  }
}
