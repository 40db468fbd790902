import StrictJSON

/// The tokens outside a model's vocabulary or found before words are split, in the order in which
/// they were added.
struct AddedTokens: Sendable {
  private(set) var tokens: [(entry: AddedTokenEntry, id: Int32)] = []
  private var places: [ExactString: Int] = [:]
  /// The highest of their ids, or -1 without tokens.
  private var highestID: Int32 = -1
  /// The highest id that a file lists, or -1: a text may produce any of them.
  private(set) var highestListedID: Int32 = -1

  /// The id of a token by its text.
  func id(of token: String) -> Int32? { places[ExactString(token)].map { tokens[$0].id } }

  /// The token of the same text, if there is one.
  func entry(of token: String) -> AddedTokenEntry? {
    places[ExactString(token)].map { tokens[$0].entry }
  }

  /// Adds a token, with its id in the vocabulary if it has one, else with the next free id.
  ///
  /// If the file gives an id, it must be this one; Hugging Face's library uses its own where they
  /// differ, and the model was trained with one of the two.
  ///
  /// - Parameter isListed: false for one that no file lists, which the library adds itself.
  mutating func append(
    _ entry: AddedTokenEntry, _ vocabulary: Vocabulary, isListed: Bool = true
  ) throws(JSONError) {
    guard !entry.content.isEmpty else {
      throw JSONError(
        origin: entry.origin, position: entry.position, fault: "an added token is empty")
    }
    guard places.updateValue(tokens.count, forKey: ExactString(entry.content)) == nil else {
      throw entry.error("appears twice")
    }
    let next = max(vocabulary.count, Int(highestID) + 1)
    let id = vocabulary.id(of: entry.content).map(Int.init) ?? next
    if let declared = entry.declaredID, declared != id {
      throw entry.error("has id \(declared), the vocabulary gives it \(id)")
    }
    guard id < Int(Int32.max) else { throw entry.error("has no id that is free") }
    tokens.append((entry, Int32(id)))
    highestID = max(highestID, Int32(id))
    if isListed { highestListedID = max(highestListedID, Int32(id)) }
  }

  /// Adds a token that another file describes too, unless it is already present.
  ///
  /// - Throws: if the two are matched in different ways.
  mutating func merge(
    _ entry: AddedTokenEntry, _ vocabulary: Vocabulary, isListed: Bool = true
  ) throws(JSONError) {
    guard let place = places[ExactString(entry.content)] else {
      return try append(entry, vocabulary, isListed: isListed)
    }
    let known = tokens[place].entry
    if !entry.isOfClass { tokens[place].entry.isOfClass = false }
    if let (key, here, there) = entry.differing(from: known), entry.hasFlags {
      throw entry.error(
        "has '\(key)' \(here) here and \(there) in \(known.origin):\(known.position)")
    }
    if let declared = entry.declaredID, let id = id(of: entry.content), declared != Int(id) {
      throw entry.error("has id \(declared) here and \(id) in \(known.origin)")
    }
  }

  /// Refuses a token that a file names but the model's table has no row for: the model could not
  /// run a text that contains it.
  ///
  /// - Parameter rows: of the model's table of tokens.
  func requireRows(_ rows: Int) throws(PreprocessingError) {
    guard let (entry, id) = tokens.first(where: { !$0.entry.isOfClass && $0.id >= rows }) else {
      return
    }
    throw .file(
      entry.error(
        "gets the id \(id), and the model's table of tokens has \(rows) rows; name a token of the "
          + "vocabulary, or make the table as long as the tokenizer (resize_token_embeddings) and "
          + "save both"))
  }

  /// Matchers for tokens found in the raw text, and for those found in normalised text.
  func matchers(
    _ normalizer: Normalizer
  ) throws(JSONError) -> (raw: AddedTokenMatcher, normalized: AddedTokenMatcher) {
    var raw: [AddedToken] = [], normalized: [AddedToken] = []
    // Of tokens that are the same once normalised, a special one counts.
    let ordered = tokens.filter(\.entry.isSpecial) + tokens.filter { !$0.entry.isSpecial }
    for (entry, id) in ordered {
      let token = try AddedTokens.token(entry, id, normalizer)
      if entry.isNormalized { normalized.append(token) } else { raw.append(token) }
    }
    return (AddedTokenMatcher(raw), AddedTokenMatcher(normalized))
  }

  private static func token(
    _ entry: AddedTokenEntry, _ id: Int32, _ normalizer: Normalizer
  ) throws(JSONError) -> AddedToken {
    var text = entry.content.unicodeScalars.map(\.value)
    if entry.isNormalized { normalizer.apply(to: &text) }
    guard !text.isEmpty else { throw entry.error("is empty once normalised") }
    return AddedToken(
      text: text, id: id, isSingleWord: entry.isSingleWord, stripsLeft: entry.stripsLeft,
      stripsRight: entry.stripsRight)
  }
}

extension AddedTokens {
  /// Whether two lists find the same tokens if white space between tokens is dropped anyway: then
  /// it does not matter whether a token consumes it.
  func findsSame(as other: AddedTokens) -> Bool {
    tokens.count == other.tokens.count
      && tokens.allSatisfy { token in
        guard other.id(of: token.entry.content) == token.id,
          let entry = other.entry(of: token.entry.content)
        else { return false }
        return entry.isSingleWord == token.entry.isSingleWord
          && entry.isNormalized == token.entry.isNormalized
      }
  }
}

extension AddedTokens: Equatable {
  /// Whether two lists find the same tokens, in any order of adding.
  static func == (left: AddedTokens, right: AddedTokens) -> Bool {
    left.tokens.count == right.tokens.count
      && left.tokens.allSatisfy { token in
        right.id(of: token.entry.content) == token.id
          && right.entry(of: token.entry.content)?.isFound(as: token.entry) == true
      }
  }
}
