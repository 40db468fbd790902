/// What becomes of the matches of a pattern and of the text between them.
///
/// The names are those of Hugging Face's library, in the spelling of `tokenizer.json`.
enum SplitBehavior: String, CaseIterable, Sendable {
  /// Each is a piece of its own.
  case isolated = "Isolated"
  case removed = "Removed"
  /// A match joins the piece before it, or after it; of matches in a row only one does.
  case mergedWithPrevious = "MergedWithPrevious"
  case mergedWithNext = "MergedWithNext"
  /// Matches in a row are one piece.
  case contiguous = "Contiguous"
}

/// The part `Split`: cuts at the matches of a pattern.
struct SplitStep: Equatable, Sendable {
  let pattern: SplitPattern
  let behavior: SplitBehavior
  /// Whether matches and the text between them change roles.
  let inverts: Bool

  /// A part of a text: a match, or text between matches.
  private struct Part {
    var range: Range<Int>
    let isMatch: Bool
  }

  /// Cuts every word of a text.
  func apply(to text: inout PreTokenizedText) {
    var words: [Range<Int>] = []
    for word in text.words { cut(text.scalars, word, into: &words) }
    text.words = words
  }

  private func cut(_ text: [UInt32], _ word: Range<Int>, into words: inout [Range<Int>]) {
    let parts = parts(of: text, word)
    switch behavior {
    case .isolated: words += parts.map(\.range)
    case .removed: words += parts.filter { !$0.isMatch }.map(\.range)
    case .contiguous: words += SplitStep.join(parts) { $0.isMatch == $1 }
    case .mergedWithPrevious: words += SplitStep.join(parts) { $0.isMatch && !$1 }
    case .mergedWithNext:
      words += SplitStep.join(parts.reversed()) { $0.isMatch && !$1 }.reversed()
    }
  }

  private func parts(of text: [UInt32], _ word: Range<Int>) -> [Part] {
    var parts: [Part] = []
    var done = word.lowerBound
    while let match = pattern.match(in: text, word, from: done) {
      if match.lowerBound > done {
        parts.append(Part(range: done..<match.lowerBound, isMatch: inverts))
      }
      parts.append(Part(range: match, isMatch: !inverts))
      done = match.upperBound
    }
    if done < word.upperBound {
      parts.append(Part(range: done..<word.upperBound, isMatch: inverts))
    }
    return parts
  }

  /// Joins parts, in either order, to those before them.
  ///
  /// - Parameter joins: whether a part is joined, from itself and whether the one before is a match.
  private static func join(
    _ parts: [Part], _ joins: (_ part: Part, _ isAfterMatch: Bool) -> Bool
  ) -> [Range<Int>] {
    var joined: [Range<Int>] = []
    var isAfterMatch = false
    for part in parts {
      if joins(part, isAfterMatch), let last = joined.popLast() {
        joined.append(
          min(
            last.lowerBound, part.range.lowerBound)..<max(
              last.upperBound, part.range.upperBound))
      } else {
        joined.append(part.range)
      }
      isAfterMatch = part.isMatch
    }
    return joined
  }
}
