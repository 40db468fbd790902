/// A likely cause why a model gives other outputs than were made elsewhere.
package enum SourceHint: Equatable, Sendable {
  /// The rows are in another order than the lines: a row is what the model gives for this line.
  case order(row: Int, line: Int)
  /// Every direction agrees, and only the lengths of vectors differ.
  case lengths(VectorLengths)
  /// Only texts of so many tokens and more differ; the model cuts at the limit.
  case longTexts(tokens: Int, limit: Int)
  /// Only texts with such letters differ.
  case letters(LetterKind)
  /// Rows that have nothing in common that is known.
  case someRows
  /// Every row is off by as little as half precision loses.
  case halfPrecision
  /// Every row differs; whether they are of texts.
  case everyRow(ofTexts: Bool)
  /// Scores or numbers that are others in a way that is known.
  case outputs(OutputHint)
  /// Sums of trees, or exponentials of them, that differ in their last bits: by so many numbers of 32 bits.
  case sums(steps: Int, areExact: Bool)
  /// Scores or numbers that are others in no way that is known.
  case features
}

/// Which side was normalised, where vectors differ in length alone.
package enum VectorLengths: Equatable, Sendable {
  /// The given ones have length 1, the model's have not.
  case givenAreUnit
  /// The model's have length 1, the given ones have not.
  case modelsAreUnit
  /// Neither; the first of each.
  case first(given: Double, model: Double)
}

/// Letters that tokenizers may be set to change.
package enum LetterKind: String, CaseIterable, Sendable {
  case upperCase = "upper-case"
  /// Accents, and letters beyond ASCII.
  case beyondASCII = "beyond-ascii"

  /// Whether a text has such a letter.
  func occurs(in text: String) -> Bool {
    text.unicodeScalars.contains {
      switch self {
      case .upperCase: $0.properties.isUppercase
      case .beyondASCII: $0.value > 127 && $0.properties.isAlphabetic
      }
    }
  }
}
