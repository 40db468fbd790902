/// A token that is found in the text itself, before words are cut.
struct AddedToken: Equatable, Sendable {
  /// The scalars to look for; not empty.
  var text: [UInt32]
  let id: Int32
  /// Does not match right next to a word character.
  let isSingleWord: Bool
  /// Consumes the white space before (after) it.
  let stripsLeft: Bool
  let stripsRight: Bool
}

/// Finds added tokens: the longest match at the leftmost place, then again behind it.
struct AddedTokenMatcher: Sendable {
  /// A part of a text.
  enum Piece: Equatable {
    case text(Range<Int>)
    case token(Int32)
  }

  /// By their first scalar; the longest first, equal ones in the order of the file.
  private var tokensByFirst: [UInt32: [AddedToken]] = [:]
  /// A bit for each value (modulo 64) that a first scalar has: most scalars fail this quick test.
  private var firstBits: UInt64 = 0

  init(_ tokens: [AddedToken]) {
    let sorted = tokens.enumerated().sorted {
      ($1.element.text.count, $0.offset) < ($0.element.text.count, $1.offset)
    }
    for (_, token) in sorted {
      guard let first = token.text.first else { continue }
      tokensByFirst[first, default: []].append(token)
      firstBits |= 1 << UInt64(first & 63)
    }
  }

  /// Cuts a whole text into tokens and the text between them; no piece of text is empty.
  func pieces(of text: [UInt32]) -> [Piece] {
    var pieces: [Piece] = []
    var done = 0
    var index = 0
    while let (token, match) = nextMatch(in: text, from: index) {
      // The search continues behind a match even if the match is rejected.
      index = match.upperBound
      if token.isSingleWord && !stands(alone: match, in: text) { continue }
      let start =
        token.stripsLeft ? max(done, spaceStart(text, before: match.lowerBound)) : match.lowerBound
      let end = token.stripsRight ? spaceEnd(text, after: match.upperBound) : match.upperBound
      if done < start { pieces.append(.text(done..<start)) }
      // A token of white space may lie wholly in the space that the one before consumed.
      if start < end { pieces.append(.token(token.id)) }
      done = end
    }
    if done < text.count { pieces.append(.text(done..<text.count)) }
    return pieces
  }

  private func nextMatch(in text: [UInt32], from start: Int) -> (AddedToken, Range<Int>)? {
    guard firstBits != 0 else { return nil }
    for index in start..<text.count where firstBits >> UInt64(text[index] & 63) & 1 == 1 {
      guard let tokens = tokensByFirst[text[index]] else { continue }
      if let token = tokens.first(where: { text[index...].starts(with: $0.text) }) {
        return (token, index..<index + token.text.count)
      }
    }
    return nil
  }

  private func stands(alone match: Range<Int>, in text: [UInt32]) -> Bool {
    let classes = CharacterClasses.shared
    let isWord = { (index: Int) in
      text.indices.contains(index) && classes[text[index]].contains(.word)
    }
    return !isWord(match.lowerBound - 1) && !isWord(match.upperBound)
  }

  private func spaceStart(_ text: [UInt32], before end: Int) -> Int {
    var start = end
    while start > 0, isSpace(text[start - 1]) { start -= 1 }
    return start
  }

  private func spaceEnd(_ text: [UInt32], after start: Int) -> Int {
    var end = start
    while end < text.count, isSpace(text[end]) { end += 1 }
    return end
  }

  private func isSpace(_ scalar: UInt32) -> Bool {
    CharacterClasses.shared[scalar].contains(.whitespace)
  }
}
