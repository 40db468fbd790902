extension WordScan {
  /// The end of a word of letters at `start`.
  func letters(_ start: Int) -> Int? {
    switch pattern.letters {
    case .afterSpace: word(of: .letter, start, after: text[start] == 0x20)
    case .afterSign: word(of: .letter, start, after: isBefore(start))
    case .afterSignWithMarks: word(of: [.letter, .combiningMark], start, after: isBefore(start))
    case .byCase: wordByCase(start).map { contraction($0) ?? $0 }
    }
  }

  /// A run of letters, after one scalar of another kind if there is one.
  private func word(of wanted: CharacterClass, _ start: Int, after isPrefixed: Bool) -> Int? {
    if isPrefixed, has(wanted, at: start + 1) { return run(of: wanted, from: start + 1) }
    return has(wanted, at: start) ? run(of: wanted, from: start) : nil
  }

  /// `[^\r\n\p{L}\p{N}]`
  private func isBefore(_ index: Int) -> Bool {
    !isLineEnd(index) && classes(index).isDisjoint(with: [.letter, .number])
  }

  // MARK: By case

  /// Capitals, then small letters; at least one of the latter, else at least one of the former.
  /// Modifiers, other letters and marks are both.
  private func wordByCase(_ start: Int) -> Int? {
    let starts = isBefore(start) ? [start + 1, start] : [start]
    return starts.lazy.compactMap(endingSmall).first
      ?? starts.lazy.compactMap(beginningCapital).first
  }

  private func isCapital(_ index: Int) -> Bool {
    has([.letter, .combiningMark], at: index) && !has(.small, at: index)
  }

  private func isSmall(_ index: Int) -> Bool {
    has([.letter, .combiningMark], at: index) && !has(.capital, at: index)
  }

  private func end(from start: Int, while fits: (Int) -> Bool) -> Int {
    var index = start
    while fits(index) { index += 1 }
    return index
  }

  /// `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+`
  private func endingSmall(_ start: Int) -> Int? {
    let capitals = end(from: start, while: isCapital)
    let small = end(from: capitals, while: isSmall)
    guard small == capitals else { return small }
    // The capitals give back what they must: up to the last that is small as well.
    return (start..<capitals).last(where: isSmall).map { $0 + 1 }
  }

  /// `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*`
  private func beginningCapital(_ start: Int) -> Int? {
    let capitals = end(from: start, while: isCapital)
    return capitals > start ? end(from: capitals, while: isSmall) : nil
  }
}
