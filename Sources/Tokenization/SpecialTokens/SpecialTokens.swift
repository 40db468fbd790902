import StrictJSON

/// The special tokens that `tokenizer_config.json` and `special_tokens_map.json` name.
struct SpecialTokens: Sendable {
  /// A special token's role; in the order in which the library adds missing ones.
  enum Name: String, CaseIterable {
    case start = "bos_token"
    case end = "eos_token"
    case unknown = "unk_token"
    case separator = "sep_token"
    case padding = "pad_token"
    case classifier = "cls_token"
    case mask = "mask_token"
  }

  static let furtherKeys = ["additional_special_tokens", "extra_special_tokens"]
  static let keys = Name.allCases.map(\.rawValue) + furtherKeys
  /// Keys whose null means that the token is absent. Without a token for padding the
  /// library makes no batch, and it does not load a null for the newer list.
  static let nullableKeys = keys.filter {
    $0 != Name.padding.rawValue && $0 != "extra_special_tokens"
  }

  /// A file's entry for each role: nil inside is null, which removes the class's own.
  private(set) var named: [Name: AddedTokenEntry?] = [:]
  private(set) var further: [AddedTokenEntry] = []

  /// The tokens of `tokenizer_config.json`.
  init(configuration root: JSONObject) throws(JSONError) {
    for name in Name.allCases {
      guard let node = root[name.rawValue] else { continue }
      named[name] = .some(try SpecialTokens.entry(node, name.rawValue, root, isTyped: true))
    }
    for key in SpecialTokens.furtherKeys {
      further += try SpecialTokens.list(root, key, isTyped: true)
    }
  }

  /// No tokens.
  init() {}

  /// Lets the tokens of `special_tokens_map.json` override these.
  mutating func override(by map: JSONObject) throws(JSONError) {
    for name in Name.allCases {
      guard let node = map[name.rawValue] else { continue }
      named[name] = .some(try SpecialTokens.entry(node, name.rawValue, map, isTyped: false))
    }
    for key in SpecialTokens.furtherKeys {
      further += try SpecialTokens.list(map, key, isTyped: false)
    }
  }

  /// Refuses contents of `special_tokens_map.json` that `transformers` would not write there.
  static func check(_ map: JSONObject) throws(JSONError) {
    try KeyRules(understood: keys, nullable: .of(nullableKeys)).check(map)
    var unused = SpecialTokens()
    try unused.override(by: map)
  }

  // MARK: Reading

  /// - Parameter isTyped: whether a token that is an object says so in `__type`; the library takes
  ///   one that does not for something else, and stops.
  private static func entry(
    _ node: JSONNode, _ key: String, _ root: JSONObject, isTyped: Bool
  ) throws(JSONError) -> AddedTokenEntry? {
    var entry = try written(node, key, root, isTyped: isTyped)
    entry?.key = key
    return entry
  }

  private static func written(
    _ node: JSONNode, _ key: String, _ root: JSONObject, isTyped: Bool
  ) throws(JSONError) -> AddedTokenEntry? {
    if node.isNull { return nil }
    if let text = node.string {
      guard !text.isEmpty else { throw root.error("'\(key)' is empty", at: node.position) }
      return AddedTokenEntry(text, origin: root.origin, position: node.position)
    }
    guard let part = node.object else {
      throw root.mismatch(key, expected: "a token", node)
    }
    guard isTyped else { return try AddedTokenEntry(written: part, isSpecial: true) }
    let type = try part.string("__type")
    guard type == "AddedToken" else {
      throw part.mismatch("__type", expected: "\"AddedToken\"", try part.required("__type"))
    }
    return try AddedTokenEntry(written: part, further: ["__type"])
  }

  /// A list of tokens, or, as some versions write them, an object of names and tokens.
  private static func list(
    _ root: JSONObject, _ key: String, isTyped: Bool
  ) throws(JSONError) -> [AddedTokenEntry] {
    guard let node = root[key], !node.isNull else { return [] }
    let nodes: [JSONNode]
    if let elements = node.array {
      nodes = elements
    } else if let object = node.object, key == "extra_special_tokens" {
      nodes = object.members.map(\.value)
    } else {
      throw root.mismatch(key, expected: "an array", node)
    }
    var entries: [AddedTokenEntry] = []
    for node in nodes {
      guard let entry = try entry(node, key, root, isTyped: isTyped) else {
        throw root.error("'\(key)' holds null, expected tokens", at: node.position)
      }
      entries.append(entry)
    }
    return entries
  }
}

extension SpecialTokens {
  /// The texts of all tokens.
  var texts: Set<ExactString> {
    Set((named.values.compactMap { $0 } + further).map { ExactString($0.content) })
  }
}
