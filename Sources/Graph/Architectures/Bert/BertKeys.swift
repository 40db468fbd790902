import StrictJSON

/// The known keys of a BERT's `config.json`: everything that transformers 2 to 5 writes.
enum BertKeys {
  /// The keys that models like BERT have too.
  static let numbers = [
    "model_type", "hidden_size", "num_attention_heads", "num_hidden_layers", "intermediate_size",
    "vocab_size", "max_position_embeddings", "type_vocab_size", "layer_norm_eps", "hidden_act",
    // Read with the tokenizer, where tokenizer_config.json names no class.
    "tokenizer_class",
  ]
  /// What models like BERT need in training alone, with the reason.
  static let training = TransformersKeys.reason("matters in training alone")([
    "attention_probs_dropout_prob", "hidden_dropout_prob", "classifier_dropout", "training",
  ])
  /// Other kinds of positions are not built.
  static let neutralPositions: [String: [JSONValue]] = [
    "position_embedding_type": [.string("absolute")]
  ]

  private static let rules = KeyRules(
    understood: numbers + ["adapters"], harmless: harmless,
    neutral: TransformersKeys.neutral.merging(neutralPositions) { first, _ in first },
    nullable: .of(TransformersKeys.nullable + ["adapters"]))

  /// Refuses unknown keys and values.
  static func check(_ config: JSONObject) throws(JSONError) {
    try rules.check(config)
    try checkAdapters(config)
  }

  /// The library adapters lists its additions to the layers here; without an adapter the lists are
  /// empty.
  private static func checkAdapters(_ config: JSONObject) throws(JSONError) {
    guard let node = config["adapters"], !node.holdsNothing else { return }
    throw config.error(
      "'adapters' is \(node.value.compact.prefix(80)), which is not supported; supported: empty "
        + "lists, as in a model without adapters", at: node.position)
  }

  private static let harmless: [String: String] =
    TransformersKeys.harmless + training
    + TransformersKeys.reason("belongs to a head, which is dropped")([
      "pooler_type", "pooler_fc_size", "pooler_num_attention_heads", "pooler_num_fc_layers",
      "pooler_size_per_head", "directionality", "loss_type", "_num_labels",
    ])
    + TransformersKeys.reason(
      "is a note of other programs that made or trained the model; BERT's class never reads it")([
      "pre_trained", "structure", "cell", "emb_size",
    ])
}

extension JSONNode {
  /// Whether this is null, or a list or object without anything but such.
  fileprivate var holdsNothing: Bool {
    switch content {
    case .null: true
    case .array(let elements): elements.allSatisfy(\.holdsNothing)
    case .object(let object): object.members.allSatisfy(\.value.holdsNothing)
    case .bool, .number, .string: false
    }
  }
}
