package import StrictJSON

/// Turns text into the ids of CLIP's byte-pair model, id for id as Hugging Face's library
/// `tokenizers` (0.22) does from the same `tokenizer.json`, or as OpenCLIP's own tokenizer (3.3).
///
/// Truncation and padding of the file are not applied: the caller decides about lengths.
package struct BytePairTokenizer: TextTokenizer {
  /// The steps from a text to words.
  enum Preparation: Sendable {
    /// Added tokens are looked for in the text as it was given, and in normalised text.
    case file(
      Normalizer, BytePairSplitter, raw: AddedTokenMatcher, normalized: AddedTokenMatcher)
    /// `specialIDs` are the special tokens that OpenCLIP finds in a text.
    case openCLIP(specialIDs: [Int32])
  }

  let model: BytePairModel
  let template: SpecialTokenTemplate
  let preparation: Preparation
  let added: AddedTokens

  package let vocabularySize: Int
  /// The file's `padding`, else the token that ends a text; 0 as OpenCLIP has it.
  package let paddingID: Int32
  /// None: every byte has a token.
  package var unknownID: Int32? { nil }
  package let declaredMaximumLength: Int?
  package let configuredMaximumLength: Int?
  package let sides: TextSides

  package func differences(from other: any TextTokenizer) -> [String] {
    guard let other = other as? BytePairTokenizer else { return ["the kind of tokenizer"] }
    var found = TokenizerDifferences()
    found.compare(model.vocabulary, other.model.vocabulary)
    found.compare(model.merges == other.model.merges, "the merges")
    found.compare(
      model.innerIDs == other.model.innerIDs && model.finalIDs == other.model.finalIDs,
      "the ids of bytes")
    found.compare(
      BytePairTokenizer.isSame(preparation, other.preparation), "how a text is cleaned and cut")
    found.compare(template == other.template, "the special tokens around a text")
    found.compare(added.findsSame(as: other.added), "the added tokens")
    found.compare(self, other)
    return found.parts
  }

  private static func isSame(_ ours: Preparation, _ theirs: Preparation) -> Bool {
    switch (ours, theirs) {
    case (.openCLIP(let ours), .openCLIP(let theirs)): ours == theirs
    case (.file(let normalizer, let splitter, _, _), .file(let other, let others, _, _)):
      normalizer == other && splitter.cuts(as: others)
    default: false
    }
  }

  package func requireRows(_ rows: Int) throws(PreprocessingError) {
    try added.requireRows(rows)
  }

  package var specialTokenCounts: (before: Int, behind: Int) {
    (template.before.count, template.after.count)
  }

  package func ids(of text: String, maximumLength: Int) -> [Int32] {
    template.ids(
      around: text, maximumLength: maximumLength, cutting: sides.truncation
    ) { text, ids, limit in
      append(text, to: &ids, limit: limit)
    }
  }

  /// Appends the ids of text; may stop once there are as many as the limit.
  private func append(_ text: [UInt32], to ids: inout [Int32], limit: Int) {
    var work = BytePairModel.Workspace()
    switch preparation {
    case .openCLIP(let specialIDs):
      let cleaned = OpenCLIPCleaning.clean(text)
      appendWords(of: cleaned, .openCLIP, specialIDs, to: &ids, limit: limit, &work)
    case .file(let normalizer, let splitter, let raw, let normalized):
      for piece in raw.pieces(of: text) where ids.count < limit {
        switch piece {
        case .token(let id): ids.append(id)
        case .text(let range):
          var part = range == text.indices ? text : Array(text[range])
          normalizer.apply(to: &part)
          append(normalised: part, normalized, splitter, to: &ids, limit: limit, &work)
        }
      }
    }
  }

  private func append(
    normalised text: [UInt32], _ matcher: AddedTokenMatcher, _ splitter: BytePairSplitter,
    to ids: inout [Int32], limit: Int, _ work: inout BytePairModel.Workspace
  ) {
    for piece in matcher.pieces(of: text) where ids.count < limit {
      switch piece {
      case .token(let id): ids.append(id)
      case .text(let range):
        let part = range == text.indices ? text : Array(text[range])
        appendWords(of: part, splitter, [], to: &ids, limit: limit, &work)
      }
    }
  }

  private func appendWords(
    of text: [UInt32], _ splitter: BytePairSplitter, _ specialIDs: [Int32],
    to ids: inout [Int32], limit: Int, _ work: inout BytePairModel.Workspace
  ) {
    var index = 0
    while ids.count < limit, let (piece, end) = splitter.next(in: text, from: index) {
      switch piece {
      case .special(let place): ids.append(specialIDs[place])
      case .word(let range): model.append(text[range], to: &ids, &work)
      }
      index = end
    }
  }
}
