import StrictJSON

/// Reads the parts of a `tokenizer.json` and puts them together.
struct TokenizerFile {
  /// The tokens that stand outside of the model's vocabulary or are found before words are cut.
  struct AddedTokens {
    /// Those with `normalized` false, and those with it true.
    var raw: [AddedToken] = []
    var normalized: [AddedToken] = []
    private(set) var idOfToken: [ExactString: Int32] = [:]
    /// The highest of their ids, or -1 where there are none.
    private(set) var highestID: Int32 = -1

    mutating func name(_ token: String, id: Int32) {
      idOfToken[ExactString(token)] = id
      highestID = max(highestID, id)
    }
  }

  let root: JSONObject

  init(_ root: JSONObject) throws(PreprocessingError) {
    self.root = root
    if root.has("version") {
      let version = try reading { () throws(JSONError) in try root.string("version") }
      guard version == "1.0" else {
        throw root.unsupported("version", version, at: "version", known: ["1.0"])
      }
    }
  }

  func tokenizer() throws(PreprocessingError) -> WordPieceTokenizer {
    let normalizer = try Normalizer(root.part("normalizer"))
    let preTokenizer = try PreTokenizer(root.part("pre_tokenizer"))
    let model = try model()
    let added = try reading { () throws(JSONError) in
      try addedTokens(model.vocabulary, normalizer)
    }
    let idOf = { (token: String) in
      added.idOfToken[ExactString(token)] ?? model.vocabulary.id(of: token)
    }
    let template = try SpecialTokenTemplate(root.part("post_processor"), idOf: idOf)
    return try reading { () throws(JSONError) in
      WordPieceTokenizer(
        model: model, normalizer: normalizer, preTokenizer: preTokenizer, template: template,
        addedTokens: added, paddingID: try paddingID() ?? idOf("[PAD]") ?? 0,
        declaredMaximumLength: try declaredMaximumLength())
    }
  }

  func paddingID() throws(JSONError) -> Int32? {
    guard root.has("padding") else { return nil }
    return Int32(try root.object("padding").integer("pad_id", in: 0...Int(Int32.max - 1)))
  }

  func declaredMaximumLength() throws(JSONError) -> Int? {
    guard root.has("truncation") else { return nil }
    return try root.object("truncation").integer("max_length")
  }

  // MARK: The model

  private func model() throws(PreprocessingError) -> WordPieceModel {
    let part = try reading { () throws(JSONError) in try root.object("model") }
    let type = try type(ofModel: part)
    guard type == "WordPiece" else {
      throw part.unsupported("model", type, at: "type", known: ["WordPiece"])
    }
    return try reading { () throws(JSONError) in try model(part) }
  }

  /// Old files do not name the type; only byte pairs have merges.
  func type(ofModel part: JSONObject) throws(PreprocessingError) -> String {
    try reading { () throws(JSONError) in
      part.has("type") ? try part.string("type") : part.has("merges") ? "BPE" : "WordPiece"
    }
  }

  private func model(_ part: JSONObject) throws(JSONError) -> WordPieceModel {
    let unknown = try part.string("unk_token")
    let prefix = try part.string("continuing_subword_prefix")
    let length = try part.integer("max_input_chars_per_word")
    let vocabulary = try vocabulary(part.object("vocab"))
    guard let unknownID = vocabulary.id(of: unknown) else {
      throw part.error(
        "unk_token '\(unknown.prefix(60))' is not in the vocabulary",
        at: try part.required("unk_token").position)
    }
    return WordPieceModel(
      vocabulary: vocabulary, unknownID: unknownID, prefix: prefix, maximumWordLength: length)
  }

  func vocabulary(_ object: JSONObject) throws(JSONError) -> Vocabulary {
    var vocabulary = Vocabulary(capacity: object.members.count)
    var pieceOfID: [Int: Int] = [:]
    pieceOfID.reserveCapacity(object.members.count)
    for (index, (piece, node)) in object.members.enumerated() {
      guard let id = node.integer, 0..<Int(Int32.max) ~= id else {
        throw object.error(
          "the id of '\(piece.prefix(60))' is \(node.kind), expected an integer in "
            + "0...\(Int32.max - 1)", at: node.position)
      }
      if let other = pieceOfID.updateValue(index, forKey: id) {
        throw object.error(
          "'\(object.members[other].key.prefix(60))' and '\(piece.prefix(60))' have the same "
            + "id \(id)", at: node.position)
      }
      vocabulary.insert(piece, id: Int32(id))
    }
    return vocabulary
  }

  // MARK: Added tokens

  func addedTokens(
    _ vocabulary: Vocabulary, _ normalizer: Normalizer
  ) throws(JSONError) -> AddedTokens {
    var added = AddedTokens()
    guard root.has("added_tokens") else { return added }
    var ordinary = AddedTokens()
    for node in try root.array("added_tokens") {
      guard let part = node.object else {
        throw root.error("'added_tokens' holds \(node.kind), expected objects", at: node.position)
      }
      let content = try part.string("content")
      guard added.idOfToken[ExactString(content)] == nil else {
        throw part.error("added token '\(content.prefix(60))' stands twice", at: part.position)
      }
      let id = try id(of: content, part, vocabulary, added)
      added.name(content, id: id)
      let isNormalized = try part.bool("normalized")
      let token = try addedToken(part, content, id, isNormalized ? normalizer : nil)
      switch (try part.bool("special"), isNormalized) {
      case (true, false): added.raw.append(token)
      case (true, true): added.normalized.append(token)
      case (false, false): ordinary.raw.append(token)
      case (false, true): ordinary.normalized.append(token)
      }
    }
    // Of tokens that are the same once normalised, a special one counts.
    added.raw += ordinary.raw
    added.normalized += ordinary.normalized
    return added
  }

  private func addedToken(
    _ part: JSONObject, _ content: String, _ id: Int32, _ normalizer: Normalizer?
  ) throws(JSONError) -> AddedToken {
    var text = content.unicodeScalars.map(\.value)
    normalizer?.apply(to: &text)
    guard !text.isEmpty else {
      throw part.error(
        content.isEmpty
          ? "an added token is empty"
          : "added token '\(content.prefix(60))' is empty once normalised",
        at: part.position)
    }
    return AddedToken(
      text: text, id: id, isSingleWord: try part.bool("single_word"),
      stripsLeft: try part.bool("lstrip"), stripsRight: try part.bool("rstrip"))
  }

  /// The id of an added token: that of the vocabulary, else the next free one behind it.
  ///
  /// The file names the id as well; Hugging Face's library goes on with its own where they differ,
  /// and the model was trained with one of the two: that is a fault here.
  private func id(
    of content: String, _ part: JSONObject, _ vocabulary: Vocabulary, _ added: AddedTokens
  ) throws(JSONError) -> Int32 {
    let declared = try part.integer("id", in: 0...Int(Int32.max - 1))
    let next = max(vocabulary.count, Int(added.highestID) + 1)
    let id = vocabulary.id(of: content).map(Int.init) ?? next
    guard id == declared else {
      throw part.error(
        "added token '\(content.prefix(60))' has id \(declared), the vocabulary gives it \(id)",
        at: part.position)
    }
    return Int32(id)
  }
}
