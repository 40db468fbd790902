import StrictJSON

/// The special tokens before and after one text, and those around two.
struct SpecialTokenTemplate: Sendable {
  var before: [Int32] = []
  var after: [Int32] = []
  /// Around two texts; nil where it is not known.
  var pair: PairTemplate?
  var count: Int { before.count + after.count }

  /// The ids of a text between the special tokens.
  ///
  /// - Parameters:
  ///   - maximumLength: the most ids; below the number of special tokens, just these.
  ///   - side: the end of the text that is cut if it is too long.
  ///   - append: appends the ids of text; may stop once it has appended as many as the limit.
  func ids(
    around text: String, maximumLength: Int, cutting side: TextSide,
    _ append: (_ text: [UInt32], _ ids: inout [Int32], _ limit: Int) -> Void
  ) -> [Int32] {
    let limit = max(count, maximumLength) - after.count
    var ids: [Int32] = []
    ids.reserveCapacity(min(limit, text.utf8.count / 3) + count)
    ids += before
    append(text.unicodeScalars.map(\.value), &ids, side == .right ? limit : Int.max)
    if ids.count > limit {
      let excess = ids.count - limit
      ids.removeSubrange(side == .right ? limit..<ids.count : before.count..<before.count + excess)
    }
    return ids + after
  }
}

extension SpecialTokenTemplate: Equatable {
  /// Whether both put the same tokens around one text; few models read two.
  static func == (left: SpecialTokenTemplate, right: SpecialTokenTemplate) -> Bool {
    left.before == right.before && left.after == right.after
  }
}

extension SpecialTokenTemplate {
  static let known = keys.keys.sorted()

  private static let keys: [String: KeyRules] = [
    "BertProcessing": KeyRules(understood: ["type", "cls", "sep"]),
    "ByteLevel": KeyRules(
      understood: ["type"],
      harmless: [
        "trim_offsets": "for offsets, which nobody asks for",
        "add_prefix_space": "for offsets, which nobody asks for",
        "use_regex": "of the pre-tokenizer of that name",
      ]),
    "Sequence": KeyRules(understood: ["type", "processors"]),
    "RobertaProcessing": KeyRules(
      understood: ["type", "cls", "sep"],
      harmless: [
        "trim_offsets": "for offsets, which nobody asks for",
        "add_prefix_space": "for offsets, which nobody asks for",
      ]),
    "TemplateProcessing": KeyRules(
      understood: ["type", "single", "pair", "special_tokens"]),
  ]
  // Types of the tokens of one text are all 0: the model is given no others.
  static let pieceKeys = KeyRules(understood: ["id"], neutral: ["type_id": [0]])
  private static let tokenKeys = KeyRules(understood: ["id", "ids", "tokens"])

  /// Reads the part `post_processor` of a tokenizer file; nil is one without special tokens.
  ///
  /// - Parameter idOf: the id of a token, from the rest of the file.
  init(
    _ part: JSONObject?, idOf: (String) -> Int32?
  ) throws(PreprocessingError) {
    guard let part else {
      pair = .bare
      return
    }
    let type = try reading { () throws(JSONError) in try part.string("type") }
    var pairs = 0
    if let keys = SpecialTokenTemplate.keys[type] {
      try reading { () throws(JSONError) in try keys.check(part) }
    }
    switch type {
    case "BertProcessing", "RobertaProcessing":
      try reading { () throws(JSONError) in
        let classifier = try SpecialTokenTemplate.token(part, "cls", idOf)
        let separator = try SpecialTokenTemplate.token(part, "sep", idOf)
        (before, after) = ([classifier], [separator])
        pair =
          type == "BertProcessing"
          ? .bert(classifier, separator) : .roberta(classifier, separator)
      }
    case "TemplateProcessing":
      self = try reading { () throws(JSONError) in
        try SpecialTokenTemplate.template(part, idOf)
      }
    case "ByteLevel": pair = .bare
    case "Sequence":
      // Each puts its tokens around those of the one before.
      for member in try part.members(of: "processors") {
        let outer = try SpecialTokenTemplate(member, idOf: idOf)
        before = outer.before + before
        after += outer.after
        // One that adds nothing changes nothing; what several make of two texts is not known.
        guard outer.pair != .bare else { continue }
        pair = pairs == 0 ? outer.pair : nil
        pairs += 1
      }
      if pairs == 0 { pair = .bare }
    default:
      throw part.unsupported("post_processor", type, at: "type", known: SpecialTokenTemplate.known)
    }
  }

  /// A special token written as `["[SEP]", 102]`.
  private static func token(
    _ part: JSONObject, _ key: String, _ idOf: (String) -> Int32?
  ) throws(JSONError) -> Int32 {
    let pair = try part.array(key)
    guard pair.count == 2, let token = pair[0].string, let id = pair[1].plainInteger else {
      throw part.mismatch(key, expected: "a token and its id", try part.required(key))
    }
    return try checked(id, token, part, at: pair[1].position, idOf)
  }

  /// The part `single` of a template: special tokens around one sequence A.
  private static func template(
    _ part: JSONObject, _ idOf: (String) -> Int32?
  ) throws(JSONError) -> SpecialTokenTemplate {
    let tokens = try part.object("special_tokens")
    var result = SpecialTokenTemplate()
    var sequences = 0
    for node in try part.array("single") {
      if let piece = try piece(of: node, "SpecialToken") {
        let name = try piece.string("id")
        let ids = try ids(tokens, name, at: node.position, idOf)
        if sequences == 0 { result.before += ids } else { result.after += ids }
      } else if let piece = try piece(of: node, "Sequence"), try piece.string("id") == "A" {
        sequences += 1
      } else {
        throw part.error(
          "'single' holds \(node.kind) that is neither a SpecialToken nor Sequence A",
          at: node.position)
      }
    }
    guard sequences == 1 else {
      throw part.error(
        "'single' holds Sequence A \(sequences) times, expected once",
        at: try part.required("single").position)
    }
    result.pair = try pair(part, tokens, idOf)
    return result
  }

  /// The object under a template piece's only key, nil for a piece of another kind.
  static func piece(
    of node: JSONNode, _ kind: String, keys: KeyRules = pieceKeys
  ) throws(JSONError) -> JSONObject? {
    guard let piece = node.object, piece.has(kind) else { return nil }
    try piece.allowOnly([kind])
    let held = try piece.object(kind)
    try keys.check(held)
    return held
  }

  static func ids(
    _ tokens: JSONObject, _ name: String, at position: JSONPosition, _ idOf: (String) -> Int32?
  ) throws(JSONError) -> [Int32] {
    guard tokens.has(name) else {
      throw tokens.error(
        "special token '\(name.prefix(60))' is not among 'special_tokens'", at: position)
    }
    let token = try tokens.object(name)
    try tokenKeys.check(token)
    let ids = try token.array("ids")
    let texts = try token.array("tokens")
    guard ids.count == texts.count else {
      throw token.error(
        "special token '\(name.prefix(60))' has \(ids.count) ids and \(texts.count) tokens",
        at: token.position)
    }
    var checkedIDs: [Int32] = []
    for (id, text) in zip(ids, texts) {
      guard let value = id.plainInteger, let text = text.string else {
        throw token.error(
          "special token '\(name.prefix(60))' needs integers as ids and strings as tokens",
          at: id.position)
      }
      checkedIDs.append(try checked(value, text, token, at: id.position, idOf))
    }
    return checkedIDs
  }

  private static func checked(
    _ id: Int, _ token: String, _ part: JSONObject, at position: JSONPosition,
    _ idOf: (String) -> Int32?
  ) throws(JSONError) -> Int32 {
    guard let known = idOf(token) else {
      throw part.error(
        "special token '\(token.prefix(60))' is neither in the vocabulary nor an added token",
        at: position)
    }
    guard Int(known) == id else {
      throw part.error(
        "special token '\(token.prefix(60))' has id \(id) here and \(known) in the vocabulary",
        at: position)
    }
    return known
  }
}
