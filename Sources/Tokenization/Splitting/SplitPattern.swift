/// What the part `Split` looks for in a text: the expressions of well-known tokenizers, each a
/// scanner of its own, or a plain string.
///
/// No expression is interpreted: one that is not listed here is refused.
enum SplitPattern: Equatable, Sendable {
  /// A string that is not empty.
  case string([UInt32])
  case words(WordPattern)
  /// The words of CLIP, with its special tokens in front or not.
  case clip(withTokens: Bool)
  /// `\p{N}`, or up to three of them.
  case numbers(most: Int)
  /// `\s+`
  case space
  /// One number, as the part `Digits` knows them.
  case digit

  /// The expression of GPT-2, which the part `ByteLevel` uses too.
  static let gpt2 = WordPattern(
    contractions: .small, letters: .afterSpace, numbers: .afterSpace, trailing: [],
    cutsLines: false)
  /// The expression of Qwen 2 and 3.
  static let qwen = SplitPattern.words(
    WordPattern(
      contractions: .anyCase, letters: .afterSign, numbers: .single, trailing: lineEnds,
      cutsLines: true))
  private static let lineEnds: [UInt32] = [0x0A, 0x0D]

  /// Every expression that is known.
  static let known: [(text: String, pattern: SplitPattern)] = [
    // GPT-2, RoBERTa, ModernBERT.
    (
      #"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"#,
      .words(gpt2)
    ),
    // GPT-4 (cl100k), Llama 3, OLMo 2.
    (
      #"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}|"#
        + #" ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"#,
      .words(
        WordPattern(
          contractions: .anyCase, letters: .afterSign, numbers: .upToThree, trailing: lineEnds,
          cutsLines: true))
    ),
    // Qwen 2 and 3.
    (
      #"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}|"#
        + #" ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"#,
      qwen
    ),
    // Qwen 3.5.
    (
      #"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}|"#
        + #" ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"#,
      .words(
        WordPattern(
          contractions: .anyCase, letters: .afterSignWithMarks, numbers: .single,
          trailing: lineEnds, cutsLines: true))
    ),
    // GPT-4o (o200k).
    (
      #"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+"#
        + #"(?i:'s|'t|'re|'ve|'m|'ll|'d)?|"#
        + #"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*"#
        + #"(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|"#
        + #"\s*[\r\n]+|\s+(?!\S)|\s+"#,
      .words(
        WordPattern(
          contractions: .atEnds, letters: .byCase, numbers: .upToThree,
          trailing: lineEnds + [0x2F], cutsLines: true))
    ),
    (BytePairSplitter.pattern, .clip(withTokens: false)),
    (BytePairSplitter.patternWithTokens, .clip(withTokens: true)),
    (#"\p{N}"#, .numbers(most: 1)), (#"\p{N}{1,3}"#, .numbers(most: 3)), (#"\s+"#, .space),
  ]

  /// The first match in a part of a text that does not begin before `start`.
  func match(in text: [UInt32], _ range: Range<Int>, from start: Int) -> Range<Int>? {
    guard start < range.upperBound else { return nil }
    switch self {
    case .string(let wanted): return SplitPattern.match(wanted, in: text, start..<range.upperBound)
    case .words(let pattern): return start..<pattern.end(in: text, range, from: start)
    case .clip(let withTokens):
      let splitter = withTokens ? BytePairSplitter.huggingFaceWithTokens : .huggingFace
      return splitter.word(in: text[start..<range.upperBound])
    case .numbers(let most): return run(of: .number, most, in: text, start..<range.upperBound)
    case .digit: return run(of: .digit, 1, in: text, start..<range.upperBound)
    case .space: return run(of: .whitespace, .max, in: text, start..<range.upperBound)
    }
  }

  private func run(
    of wanted: CharacterClass, _ most: Int, in text: [UInt32], _ range: Range<Int>
  ) -> Range<Int>? {
    let isWanted = { (index: Int) in CharacterClasses.bytePair[text[index]].contains(wanted) }
    guard let first = range.first(where: isWanted) else { return nil }
    var end = first + 1
    while end < range.upperBound, end - first < most, isWanted(end) { end += 1 }
    return first..<end
  }

  private static func match(
    _ wanted: [UInt32], in text: [UInt32], _ range: Range<Int>
  ) -> Range<Int>? {
    var index = range.lowerBound
    while range.upperBound - index >= wanted.count {
      if text[index] == wanted[0], text[index..<index + wanted.count].elementsEqual(wanted) {
        return index..<index + wanted.count
      }
      index += 1
    }
    return nil
  }
}
