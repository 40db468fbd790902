/// How SigLIP's class prepares a text: without punctuation of ASCII, with single plain spaces, in
/// lower case unless its files say otherwise.
///
/// Source: `canonicalize_text` of transformers, from the repository big_vision.
struct SiglipCleaning: Equatable, Sendable {
  /// When letters become lower case.
  enum Lowercasing: Sendable {
    case never
    /// Each by itself, before special tokens are looked for, up to transformers 4.57: `</S>` becomes
    /// a special token.
    case letters
    /// The parts between special tokens as Python's `str.lower` does, from 5.0 on: a sigma may be one
    /// at the end of a word.
    case parts
  }

  let lowercasing: Lowercasing

  /// The text in which special tokens are looked for.
  func beforeTokens(_ text: [UInt32], _ special: AddedTokenMatcher) -> [UInt32] {
    guard lowercasing == .letters else { return text }
    var result: [UInt32] = []
    result.reserveCapacity(text.count)
    var done = 0
    for part in special.pieces(of: text) {
      guard case .text(let range) = part else { continue }
      result += text[done..<range.lowerBound]
      for scalar in text[range] { ScalarMapping.lowercase.append(scalar, to: &result) }
      done = range.upperBound
    }
    return result + text[done...]
  }

  /// A part between special tokens as SentencePiece sees it.
  func clean(_ part: ArraySlice<UInt32>) -> [UInt32] {
    var text = Array(part)
    if lowercasing == .parts { PythonText.lowercase(&text) }
    text.removeAll(where: SiglipCleaning.isPunctuation)
    PythonText.collapseSpace(&text)
    PythonText.strip(&text)
    return text
  }

  /// Whether a scalar is in Python's `string.punctuation`.
  private static func isPunctuation(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E: true
    default: false
    }
  }
}
