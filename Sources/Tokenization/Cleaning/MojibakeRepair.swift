/// Repairs text that was decoded in a wrong encoding, where it looks as if it had been.
///
/// Source: ftfy 6.3, `fix_encoding`; the patterns it looks for are in `MojibakeTables`.
enum MojibakeRepair {
  /// Repairs until nothing changes any more.
  static func repaired(_ text: [UInt32]) -> [UInt32] {
    var text = text
    for _ in 0..<TextRepair.maxRounds(text.count) {
      let next = repairedOnce(text)
      if next == text { break }
      text = next
    }
    return text
  }

  /// Replaces control characters from U+0080 to U+009F by the characters Windows has there.
  static func withoutC1(_ text: [UInt32]) -> [UInt32] {
    text.map {
      0x80...0x9F ~= $0 ? SingleByteEncoding.windows1252.scalar(of: UInt8($0)) : $0
    }
  }

  private static func repairedOnce(_ text: [UInt32]) -> [UInt32] {
    guard text.contains(where: { $0 >= 0x80 }), isLikely(text) else { return text }
    for encoding in SingleByteEncoding.all {
      if let decoded = decoded(text, from: encoding) { return decoded }
    }
    let embedded = repairedWithin(text)
    if embedded != text { return embedded }
    // Latin-1 that was meant to be Windows-1252 if that has a character for each byte, else single
    // control characters: the same replacement.
    return withoutC1(text)
  }

  // MARK: Whole texts

  /// Places where a space may have been a no-break space, a byte of UTF-8. Second bytes that make
  /// unlikely characters are left out.
  private static let altered = SequencePatterns(
    """
    C2-C3 C5 CE D0 D9 | 20
    E2-E3 | 20 | 80-84 86-9F A1-BF
    E0-E3 | 80-84 86-9F A1-BF | 20
    F0 | 20 | 80-BF | 80-BF
    F0 | 80-BF | 20 | 80-BF
    F0 | 80-BF | 80-BF | 20
    """)

  /// Sequences of UTF-8 that lost bytes, replaced by 1A or a question mark.
  private static let lossy = SequencePatterns(
    """
    C2-DF | 1A
    C2-C3 | 3F
    ED | A0-AF | 1A 3F | ED | B0-BF | 1A 3F 80-BF
    ED | A0-AF | 1A 3F 80-BF | ED | B0-BF | 1A 3F
    E0-EF | 1A 3F | 1A 80-BF
    E0-EF | 1A 80-BF | 1A 3F
    F0-F4 | 1A 3F | 1A 80-BF | 1A 80-BF
    F0-F4 | 1A 80-BF | 1A 3F | 1A 80-BF
    F0-F4 | 1A 80-BF | 1A 80-BF | 1A 3F
    1A
    """)

  /// The text that was meant, if all of it is UTF-8 that was read as this encoding.
  private static func decoded(_ text: [UInt32], from encoding: SingleByteEncoding) -> [UInt32]? {
    guard var bytes = encoding.encoded(text) else { return nil }
    if encoding.restoresSpaces && altered.isFound(in: bytes) {
      bytes = altered.replacing(in: separatedGraveA(bytes)) { $0.map { $0 == 0x20 ? 0xA0 : $0 } }
    }
    if encoding.isSloppy { bytes = lossy.replacing(in: bytes) { _ in [0xEF, 0xBF, 0xBD] } }
    return UTF8Variants.decoded(bytes)
  }

  /// Makes an "à" whose second byte became a space a separate word: the space stays behind it,
  /// except in some words of Portuguese.
  private static func separatedGraveA(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      if bytes[index] == 0xC3, index + 1 < bytes.count, bytes[index + 1] == 0x20,
        !isPortuguese(bytes[(index + 2)...])
      {
        result += [0xC3, 0xA0, 0x20]
        index += 2
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return result
  }

  private static func isPortuguese(_ rest: ArraySlice<UInt8>) -> Bool {
    [" ", "quele", "quela", "quilo", "s "].contains { rest.starts(with: $0.utf8) }
  }

  // MARK: Parts of texts

  /// Repairs runs of characters that look like bytes of UTF-8, one run at a time.
  private static func repairedWithin(_ text: [UInt32]) -> [UInt32] {
    let classes = CharacterClasses.cleaning
    var result: [UInt32] = []
    result.reserveCapacity(text.count)
    var index = 0
    while index < text.count {
      let isInside = index > 0 && classes[text[index - 1]].contains(.strictContinuation)
      let end = isInside ? index : runEnd(text, index)
      guard end > index else {
        result.append(text[index])
        index += 1
        continue
      }
      let run = Array(text[index..<end])
      result += run.count < text.count && isLikely(run) ? repaired(run) : run
      index = end
    }
    return result
  }

  /// The end of the characters from `start` that form whole sequences of UTF-8.
  private static func runEnd(_ text: [UInt32], _ start: Int) -> Int {
    let classes = CharacterClasses.cleaning
    var end = start
    while end < text.count {
      let first = classes[text[end]]
      let length =
        first.contains(.firstOfTwo)
        ? 2 : first.contains(.firstOfThree) ? 3 : first.contains(.firstOfFour) ? 4 : 0
      guard length > 0, text.count - end >= length,
        text[end + 1..<end + length].allSatisfy({ classes[$0].contains(.continuation) })
      else { break }
      end += length
    }
    return end
  }

  // MARK: Likelihood

  private static let rules = SequencePatterns(MojibakeTables.rules)
  private static let kinds = ScalarMapping(MojibakeTables.kinds)

  /// Whether the text has neighbours that rarely occur except through a wrong encoding.
  static func isLikely(_ text: [UInt32]) -> Bool {
    let classes = CharacterClasses.cleaning
    return rules.isFound(
      in: text.map { scalar in
        kinds.value(of: scalar).map { UInt8($0) } ?? (classes[scalar].contains(.word) ? 1 : 0)
      })
  }
}
