package import Graph
import Tokenization

/// Finds texts that need tokens which a model has no more.
package struct DroppedTokenSearch: Sendable {
  private let whole: any TextTokenizer
  private let smaller: any TextTokenizer
  private let kept: KeptTokens
  private let preparation: TextPreparation
  private let maximumLength: Int

  /// - Parameters:
  ///   - model: with fewer tokens.
  ///   - text: of the tokenizer before, as `Model.wholeTokenizerText()` gives it.
  ///   - origin: where the text is, for messages.
  /// - Throws: as `Model.wholeTokenizer(_:origin:)`.
  package init(_ model: Model, whole text: [UInt8], origin: String) throws {
    guard case .tokens(let maximum, _) = model.architecture.input,
      let smaller = try model.tokenizer()
    else { throw VocabularyError.noTexts(origin: model.origin) }
    (whole, kept) = try model.wholeTokenizer(text, origin: origin)
    self.smaller = smaller
    preparation = model.architecture.preparation
    maximumLength = maximum
  }

  /// Whether a text has other tokens than before, as far as the model reads it.
  package func needsDropped(_ text: String) -> Bool {
    let text = preparation.apply(to: text)
    let before = whole.ids(of: text, maximumLength: maximumLength).map { kept.newID(of: $0) }
    return before != smaller.ids(of: text, maximumLength: maximumLength).map(Optional.some)
  }

  /// The lines of texts that need dropped tokens, ascending.
  package func lines(of inputs: InputLines) -> [Int] {
    zip(inputs.inputs, inputs.lines).compactMap { input, line in
      guard case .text(let text) = input else { return nil }
      return needsDropped(text) ? line : nil
    }
  }
}
