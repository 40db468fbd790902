/// Splits text into words, each encoded alone: contractions, runs of letters, single numbers, runs
/// of anything else but white space.
///
/// This is `'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+`, the expression of CLIP.
struct BytePairSplitter: Sendable {
  /// The expression by which CLIP's tokenizers split text.
  static let pattern = #"'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"#
  /// The expression of transformers from 5.0 on, with the special tokens in front.
  static let patternWithTokens = #"<\|startoftext\|>|<\|endoftext\|>|"# + pattern

  /// A part of a text that is not skipped.
  enum Piece: Equatable {
    case word(Range<Int>)
    /// A special token that OpenCLIP finds in the text, by its place in `specialTokens`.
    case special(Int)
  }

  /// With letters and numbers as Hugging Face's library defines them.
  static let huggingFace = BytePairSplitter(classes: .bytePair, specialTokens: [])
  /// The same, but text spelled like a special token is an ordinary word.
  static let huggingFaceWithTokens = BytePairSplitter(
    classes: .bytePair, specialTokens: ["<|startoftext|>", "<|endoftext|>"], cutsAsWords: true)
  /// As OpenCLIP: with the special tokens in front, in any case.
  static let openCLIP = BytePairSplitter(
    classes: .cleaning, specialTokens: ["<start_of_text>", "<end_of_text>"])

  /// Kinds of scalars; one outside letters, numbers and white space is of the remaining kind.
  private let classes: CharacterClasses
  private let specialTokens: [[UInt32]]
  /// Whether a long s is an s.
  private let ignoresCase: Bool
  /// Whether special tokens are ordinary words, to be joined from bytes.
  let cutsAsWords: Bool

  private init(classes: CharacterClasses, specialTokens: [String], cutsAsWords: Bool = false) {
    self.classes = classes
    self.specialTokens = specialTokens.map { $0.unicodeScalars.map(\.value) }
    self.cutsAsWords = cutsAsWords
    ignoresCase = !specialTokens.isEmpty && !cutsAsWords
  }

  /// Whether another one splits text in the same way.
  func cuts(as other: BytePairSplitter) -> Bool {
    specialTokens == other.specialTokens && cutsAsWords == other.cutsAsWords
      && ignoresCase == other.ignoresCase
  }

  private static let contractions = ["'s", "'t", "'re", "'ve", "'m", "'ll", "'d"].map {
    $0.unicodeScalars.map(\.value)
  }

  /// The first piece from `start` on and its end, or nil if only white space is left.
  func next(in text: [UInt32], from start: Int) -> (piece: Piece, end: Int)? {
    next(in: text[start...])
  }

  /// The first word of a part of a text, a special token too, or nil if only white space is left.
  func word(in text: ArraySlice<UInt32>) -> Range<Int>? {
    guard let (piece, end) = next(in: text) else { return nil }
    switch piece {
    case .word(let range): return range
    case .special(let place): return end - specialTokens[place].count..<end
    }
  }

  private func next(in text: ArraySlice<UInt32>) -> (piece: Piece, end: Int)? {
    var index = text.startIndex
    while index < text.endIndex, classes[text[index]].contains(.whitespace) { index += 1 }
    guard index < text.endIndex else { return nil }
    if let special = special(in: text, at: index) { return special }
    let end = wordEnd(in: text, at: index)
    return (.word(index..<end), end)
  }

  private func wordEnd(in text: ArraySlice<UInt32>, at index: Int) -> Int {
    if text[index] == 0x27 {
      for word in Self.contractions where matches(word, text, at: index) {
        return index + word.count
      }
    }
    let kind = kind(text[index])
    guard kind != .number else { return index + 1 }
    var end = index + 1
    while end < text.endIndex, self.kind(text[end]) == kind { end += 1 }
    return end
  }

  private func kind(_ scalar: UInt32) -> CharacterClass {
    classes[scalar].intersection([.letter, .number, .whitespace])
  }

  /// Spelled exactly, a special token is one; with a long s in it, it is an ordinary word.
  private func special(in text: ArraySlice<UInt32>, at index: Int) -> (Piece, Int)? {
    for (place, token) in specialTokens.enumerated() where matches(token, text, at: index) {
      let range = index..<index + token.count
      let isToken = !cutsAsWords && text[range].elementsEqual(token)
      return (isToken ? .special(place) : .word(range), range.upperBound)
    }
    return nil
  }

  /// Whether the text in lower case has this word at `index`.
  private func matches(_ word: [UInt32], _ text: ArraySlice<UInt32>, at index: Int) -> Bool {
    guard text.endIndex - index >= word.count else { return false }
    return word.indices.allSatisfy {
      text[index + $0] == word[$0]
        || ignoresCase && word[$0] == 0x73 && text[index + $0] == 0x17F
    }
  }
}
