/// The parts in which two tokenizers differ after parsing: their files may say the same in other
/// words.
struct TokenizerDifferences {
  /// The parts, in words.
  private(set) var parts: [String] = []

  /// Compares one part.
  mutating func compare(_ isSame: Bool, _ part: String) {
    if !isSame { parts.append(part) }
  }

  /// Compares the ids of all pieces.
  mutating func compare(_ ours: Vocabulary, _ theirs: Vocabulary) {
    if let difference = ours.difference(from: theirs) { parts.append(difference) }
  }
}

extension Vocabulary {
  /// The first piece, in the order of this vocabulary, to which the other gives another id, and the
  /// number of such pieces; nil if both are equal.
  func difference(from other: Vocabulary) -> String? {
    var first: (piece: String, ours: Int32, theirs: Int32?)?
    var count = 0
    forEach { piece, id in
      let theirs = other.id(of: piece)
      guard theirs != id else { return }
      count += 1
      if first == nil { first = (piece, id, theirs) }
    }
    guard let (piece, ours, theirs) = first else {
      return self.count == other.count
        ? nil : "the vocabulary has \(self.count) pieces instead of \(other.count)"
    }
    return (count == 1 ? "1 piece has" : "\(count) pieces have") + " another id, "
      + "'\(piece.prefix(60))' \(ours) instead of \(theirs.map { "\($0)" } ?? "none")"
  }
}
