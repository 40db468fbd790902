import StrictJSON

/// A tokenizer without the special tokens that its file puts around a text, as models use it that
/// are a table of tokens and nothing else.
///
/// Only `tokenizer.json` counts: such models are saved without the class that would change it.
struct BareTokenizer: WrappedTokenizer {
  let base: any TextTokenizer
  /// Characters (Unicode scalars) that a text keeps for each of the tokens it is cut to; nil if the
  /// whole text is read.
  private let charactersPerToken: Int?

  init(_ base: any TextTokenizer, charactersPerToken: Int?) {
    self.base = base
    self.charactersPerToken = charactersPerToken
  }

  var configuredMaximumLength: Int? { nil }
  var specialTokenCounts: (before: Int, behind: Int) { (0, 0) }

  func differences(from other: any TextTokenizer) -> [String] {
    guard let other = other as? BareTokenizer else { return ["the kind of tokenizer"] }
    let isCutAlike = charactersPerToken == other.charactersPerToken
    return base.differences(from: other.base) + (isCutAlike ? [] : ["where long texts are cut"])
  }

  func ids(of text: String, maximumLength: Int) -> [Int32] {
    let around = base.specialTokenCounts
    let limit = min(maximumLength, Int(Int32.max))
    let ids = base.ids(
      of: cut(text, toTokens: limit), maximumLength: limit + around.before + around.behind)
    return Array(ids.dropFirst(around.before).dropLast(around.behind))
  }

  private func cut(_ text: String, toTokens count: Int) -> String {
    guard let charactersPerToken else { return text }
    let scalars = text.unicodeScalars
    guard
      let end = scalars.index(
        scalars.startIndex, offsetBy: count * charactersPerToken, limitedBy: scalars.endIndex)
    else { return text }
    return String(scalars[..<end])
  }
}

extension TokenizerFile {
  /// The median length of all tokens in characters, rounded down, as numpy computes it.
  ///
  /// Source: `StaticModel` of model2vec.
  func medianTokenLength() throws(JSONError) -> Int {
    var texts = Set(try pieces().map { ExactString($0) })
    for entry in try addedEntries() { texts.insert(ExactString(entry.content)) }
    let lengths = texts.map { $0.string.unicodeScalars.count }.sorted()
    guard !lengths.isEmpty else { return 0 }
    let middle = lengths.count / 2
    guard lengths.count.isMultiple(of: 2) else { return lengths[middle] }
    return (lengths[middle - 1] + lengths[middle]) / 2
  }

  /// The vocabulary's texts: an object of texts and ids, or a list of texts and scores.
  private func pieces() throws(JSONError) -> [String] {
    let model = try root.object("model")
    if let vocabulary = model["vocab"]?.object { return vocabulary.members.map(\.key) }
    return try model.array("vocab").map { (node) throws(JSONError) in
      guard let piece = node.array?.first?.string else {
        throw model.mismatch("vocab", expected: "pieces and their scores", node)
      }
      return piece
    }
  }
}
