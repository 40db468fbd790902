/// Prepares a text for the pieces of a SentencePiece model, as the library SentencePiece (0.2) does
/// itself.
///
/// Source: SentencePiece's `Normalizer`.
struct SentencePieceNormalizer: Equatable, Sendable {
  static let visibleSpace: UInt32 = 0x2581
  private static let space: UInt32 = 0x20

  /// The map of characters; nil if the model has none.
  var map: CharacterMap?
  /// Whether a space goes before a text that is not empty, or behind it.
  var addsSpace = true
  var spaceIsSuffix = false
  /// Whether runs of spaces become one, and the ends lose theirs.
  var dropsExtraSpace = true
  /// Whether a space becomes `▁`.
  var showsSpace = true
  /// Pieces that are never changed.
  var fixed: [[UInt32]] = []

  /// The text as pieces spell it.
  func normalised(_ text: [UInt32]) -> [UInt32] {
    var index = 0
    if dropsExtraSpace {
      while index < text.count {
        let (content, count) = prefix(of: text, from: index)
        guard content == [SentencePieceNormalizer.space] else { break }
        index += count
      }
    }
    guard index < text.count else { return [] }
    var result = addsSpace && !spaceIsSuffix ? [shownSpace] : []
    append(text, from: index, to: &result)
    if dropsExtraSpace {
      while result.last == shownSpace { result.removeLast() }
    }
    if addsSpace && spaceIsSuffix { result.append(shownSpace) }
    return result
  }

  private var shownSpace: UInt32 {
    showsSpace ? SentencePieceNormalizer.visibleSpace : SentencePieceNormalizer.space
  }

  private func append(_ text: [UInt32], from start: Int, to result: inout [UInt32]) {
    var index = start
    var isBehindSpace = dropsExtraSpace
    while index < text.count {
      let (content, count) = prefix(of: text, from: index)
      let kept = isBehindSpace ? content.drop { $0 == SentencePieceNormalizer.space } : content[...]
      for scalar in kept {
        result.append(scalar == SentencePieceNormalizer.space ? shownSpace : scalar)
      }
      if let last = kept.last { isBehindSpace = last == SentencePieceNormalizer.space }
      isBehindSpace = isBehindSpace && dropsExtraSpace
      index += count
    }
  }

  /// What the text at a place becomes, and the number of scalars that this replaces.
  private func prefix(of text: [UInt32], from start: Int) -> (content: [UInt32], count: Int) {
    let found = fixed.filter { text[start...].starts(with: $0) }.max { $0.count < $1.count }
    if let found { return (found, found.count) }
    return map?.longest(text, from: start) ?? ([text[start]], 1)
  }
}
