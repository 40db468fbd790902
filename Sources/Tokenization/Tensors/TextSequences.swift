/// Texts as the tokens that one model takes: prepared, segmented, cut and checked.
///
/// The gate and the library for apps have this one type, so that they cannot differ.
package struct TextSequences: Sendable {
  package var preparation: TextPreparation
  package let tokenizer: any TextTokenizer
  package let limits: TokenLimits
  /// Whether an input is two texts.
  package let readsPairs: Bool

  /// - Parameters:
  ///   - preparation: changes to a text before the tokenizer sees it.
  ///   - tokenizer: read with the same lowercasing and framing as `preparation` says.
  ///   - limits: what the model takes of tokens.
  package init(
    preparation: TextPreparation, tokenizer: any TextTokenizer, limits: TokenLimits
  ) {
    self.preparation = preparation
    self.tokenizer = tokenizer
    self.limits = limits
    readsPairs = preparation.framing == .twoTexts
  }

  /// The tokens of a text cut to a length, whatever else the model asks for.
  package func tokens(of text: String, maximumLength: Int) -> TextTokens {
    TextTokens(tokenizer.ids(of: preparation.apply(to: text), maximumLength: maximumLength))
  }

  /// The same of two texts; nil for a tokenizer of single texts.
  package func tokens(
    of first: String, and second: String, maximumLength: Int
  ) -> TextTokens? {
    tokenizer.tokens(
      of: preparation.apply(to: first), and: preparation.apply(to: second),
      maximumLength: maximumLength)
  }
}
