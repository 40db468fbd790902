package import Weights

/// The texts whose tokens a model kept when the rest of its vocabulary was dropped.
package struct VocabularyRecord: Hashable, Sendable, CustomStringConvertible {
  /// Digest of the corpus, as it was read.
  package let corpus: ContentDigest
  /// Tokens that stayed, at least 1.
  package let kept: Int
  /// Tokens that were dropped.
  package let dropped: Int

  package init(corpus: ContentDigest, kept: Int, dropped: Int) {
    precondition(kept > 0 && dropped >= 0, "at least one token")
    self.corpus = corpus
    self.kept = kept
    self.dropped = dropped
  }

  /// Parses a `description`; nil for any other text.
  package init?(_ text: String) {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, let corpus = ContentDigest(hex: String(words[0])),
      let kept = Int(words[1]), let dropped = Int(words[2]), kept > 0, dropped >= 0
    else { return nil }
    self.init(corpus: corpus, kept: kept, dropped: dropped)
    guard description == text else { return nil }
  }

  /// Digest and numbers, as compressed models carry them.
  package var description: String { "\(corpus.hex) \(kept) \(dropped)" }

  /// `kept 4,012 of 30,522 tokens`, for people.
  package var words: String { "kept \(kept) of \(kept + dropped) tokens" }
}
