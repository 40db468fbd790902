import StrictJSON

/// The special tokens that stand before and after one text.
struct SpecialTokenTemplate: Equatable, Sendable {
  var before: [Int32] = []
  var after: [Int32] = []
  var count: Int { before.count + after.count }
}

extension SpecialTokenTemplate {
  static let known = ["BertProcessing", "RobertaProcessing", "TemplateProcessing"]

  /// Reads the part `post_processor` of a tokenizer file; nil is one without special tokens.
  ///
  /// - Parameter idOf: the id of a token, from the rest of the file.
  init(
    _ part: JSONObject?, idOf: (String) -> Int32?
  ) throws(PreprocessingError) {
    guard let part else { return }
    let type = try reading { () throws(JSONError) in try part.string("type") }
    switch type {
    case "BertProcessing", "RobertaProcessing":
      try reading { () throws(JSONError) in
        before = [try SpecialTokenTemplate.pair(part, "cls", idOf)]
        after = [try SpecialTokenTemplate.pair(part, "sep", idOf)]
      }
    case "TemplateProcessing":
      self = try reading { () throws(JSONError) in
        try SpecialTokenTemplate.template(part, idOf)
      }
    default:
      throw part.unsupported("post_processor", type, at: "type", known: SpecialTokenTemplate.known)
    }
  }

  /// A special token written as `["[SEP]", 102]`.
  private static func pair(
    _ part: JSONObject, _ key: String, _ idOf: (String) -> Int32?
  ) throws(JSONError) -> Int32 {
    let pair = try part.array(key)
    guard pair.count == 2, let token = pair[0].string, let id = pair[1].integer else {
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
      if let piece = node.object, piece.has("SpecialToken") {
        let name = try piece.object("SpecialToken").string("id")
        let ids = try ids(tokens, name, at: node.position, idOf)
        if sequences == 0 { result.before += ids } else { result.after += ids }
      } else if let piece = node.object, piece.has("Sequence"),
        ExactString(try piece.object("Sequence").string("id")) == ExactString("A")
      {
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
    return result
  }

  private static func ids(
    _ tokens: JSONObject, _ name: String, at position: JSONPosition, _ idOf: (String) -> Int32?
  ) throws(JSONError) -> [Int32] {
    guard tokens.has(name) else {
      throw tokens.error(
        "special token '\(name.prefix(60))' is not among 'special_tokens'", at: position)
    }
    let token = try tokens.object(name)
    let ids = try token.array("ids")
    let texts = try token.array("tokens")
    guard ids.count == texts.count else {
      throw token.error(
        "special token '\(name.prefix(60))' has \(ids.count) ids and \(texts.count) tokens",
        at: token.position)
    }
    var checkedIDs: [Int32] = []
    for (id, text) in zip(ids, texts) {
      guard let value = id.integer, let text = text.string else {
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
