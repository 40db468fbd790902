/// Changes that sentence-transformers makes to a text before the tokenizer sees it.
package struct TextPreparation: Equatable, Sendable {
  /// How a text becomes lower case where `sentence_bert_config.json` has `do_lower_case`.
  package enum Lowercasing: Equatable, Sendable {
    case none
    /// The whole text as by Python's `str.lower`, special tokens in it too, as in
    /// sentence-transformers up to 5.3.
    case wholeText
    /// A step before the tokenizer's own normalizer, after the search for special tokens, as in
    /// sentence-transformers from 5.4 on.
    case normalizer
  }

  /// The text before every text.
  package var prompt: String
  /// Whether white space at the ends is removed, as by Python's `str.strip`: up to 5.3.
  package var strips: Bool
  package var lowercasing: Lowercasing

  package init(prompt: String = "", strips: Bool = false, lowercasing: Lowercasing = .none) {
    self.prompt = prompt
    self.strips = strips
    self.lowercasing = lowercasing
  }

  /// The text that the tokenizer sees: the prompt, then the text; stripped; in lower case.
  package func apply(to text: String) -> String {
    guard strips || lowercasing == .wholeText || !prompt.isEmpty else { return text }
    var scalars = (prompt.unicodeScalars + text.unicodeScalars).map(\.value)
    if strips { PythonText.strip(&scalars) }
    if lowercasing == .wholeText { PythonText.lowercase(&scalars) }
    var result = String.UnicodeScalarView()
    result.append(contentsOf: scalars.compactMap { Unicode.Scalar($0) })
    return String(result)
  }
}
