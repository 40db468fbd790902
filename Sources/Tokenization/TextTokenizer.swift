package import StrictJSON

/// Turns text into the ids that a text encoder takes.
package protocol TextTokenizer: Sendable {
  /// One more than the highest possible id: the rows that the model's table needs.
  var vocabularySize: Int { get }
  /// The id that fills up short texts of a batch.
  var paddingID: Int32 { get }
  /// The id of words that the vocabulary does not have; nil if every text can be spelt.
  var unknownID: Int32? { get }
  /// The most tokens by the file's own `truncation`, special tokens included, if it has one.
  var declaredMaximumLength: Int? { get }
  /// The most tokens by `model_max_length` of `tokenizer_config.json`, special tokens included,
  /// if it sets a limit.
  var configuredMaximumLength: Int? { get }
  /// The ends of texts that are cut and padded.
  var sides: TextSides { get }

  /// Refuses tokens that the model's files name but its table has no row for.
  ///
  /// - Parameter rows: of the model's table of tokens.
  func requireRows(_ rows: Int) throws(PreprocessingError)

  /// Numbers of special tokens before and behind every text.
  var specialTokenCounts: (before: Int, behind: Int) { get }

  /// The parts in which this tokenizer gives other ids than another, in words; empty if both give
  /// the same ids for every text.
  func differences(from other: any TextTokenizer) -> [String]

  /// The ids of one text between the special tokens.
  ///
  /// - Parameter maximumLength: the most ids, special tokens included; the rest is cut at the end
  ///   that `sides` says. A limit below the number of special tokens gives just them.
  func ids(of text: String, maximumLength: Int) -> [Int32]

  /// The tokens of two texts with the special tokens around and between them; nil for a tokenizer
  /// of single texts.
  ///
  /// - Parameter maximumLength: the most tokens, special ones included; the longer text is cut
  ///   first, at the end that `sides` says.
  func tokens(of first: String, and second: String, maximumLength: Int) -> TextTokens?
}

extension TextTokenizer {
  package func tokens(
    of first: String, and second: String, maximumLength: Int
  ) -> TextTokens? { nil }
}

/// An end of a text.
package enum TextSide: String, CaseIterable, Sendable {
  case left, right
}

/// The ends of texts that are cut and padded.
package struct TextSides: Equatable, Sendable {
  /// The end at which a text that is too long is cut.
  package var truncation = TextSide.right
  /// The side on which the library pads the shorter texts of a batch. Reported only: here every
  /// text gets the numbers that it has alone. With padding on the left, where the library counts
  /// positions from the padding on, it has other numbers in a batch.
  package var padding = TextSide.right
}

/// The normalisation and splitting of text before words become tokens.
/// The raw value is an input configuration's word for it.
package enum TextCleaning: String, Sendable {
  /// By `normalizer` and `pre_tokenizer` of the tokenizer file, as Hugging Face's library.
  case asFileSays = "as-file-says"
  /// As OpenCLIP's own tokenizer, whatever the file says.
  case openCLIP = "open-clip"
}

/// What goes around the tokens of a text. The raw value is a package's word for it.
package enum TokenFraming: String, Sendable {
  /// The special tokens that the tokenizer's files put there.
  case specialTokens = "special-tokens"
  /// Nothing, as in sentence-transformers' `StaticEmbedding`; of the files only `tokenizer.json`
  /// counts.
  case none
  /// Nothing, and of a long text only its first characters are read: the number of tokens that it
  /// is cut to, times the median length of a token, as in model2vec.
  case noneOfCutText = "none-of-cut-text"
  /// The special tokens, with id 0 in place of every separator, as OpenCLIP reads texts for CLIPA.
  case zeroedSeparators = "zeroed-separators"
  /// The special tokens that the tokenizer's files put around and between two texts, which the model
  /// reads together.
  case twoTexts = "two-texts"
}

/// Changes that sentence-transformers and OpenCLIP make to a text before the tokenizer sees it.
///
/// Two are equal when their bytes are: prompts are not compared as Unicode does, since a tokenizer may
/// tell them apart.
package struct TextPreparation: Hashable, Sendable {
  /// How OpenCLIP cleans a text for a tokenizer of Hugging Face: it repairs the text and decodes HTML
  /// characters, then takes one of these ways. The raw values are the library's words.
  package enum Cleaning: String, CaseIterable, Sendable {
    /// White space is collapsed.
    case whitespace
    /// White space is collapsed, and letters are put in lower case.
    case lower
    /// Underscores become spaces, punctuation of ASCII is removed, then as `lower`.
    case canonicalize
  }

  /// How a text becomes lower case where `sentence_bert_config.json` has `do_lower_case`.
  ///
  /// The raw value is an input configuration's word for it.
  package enum Lowercasing: String, Sendable {
    case none
    /// The whole text as by Python's `str.lower`, special tokens in it too, as in
    /// sentence-transformers up to 5.3.
    case wholeText = "whole-text"
    /// A step before the tokenizer's own normalizer, after the search for special tokens, as in
    /// sentence-transformers from 5.4 on.
    case normalizer
  }

  /// The text before every text.
  package var prompt: String
  /// Whether white space at the ends is removed, as by Python's `str.strip`: up to 5.3.
  package var strips: Bool
  package var lowercasing: Lowercasing
  package var framing: TokenFraming
  /// How the text is cleaned first; nil if it is not.
  package var cleaning: Cleaning?

  package init(
    prompt: String = "", strips: Bool = false, lowercasing: Lowercasing = .none,
    framing: TokenFraming = .specialTokens, cleaning: Cleaning? = nil
  ) {
    self.cleaning = cleaning
    self.prompt = prompt
    self.strips = strips
    self.lowercasing = lowercasing
    self.framing = framing
  }

  package static func == (left: TextPreparation, right: TextPreparation) -> Bool {
    left.prompt.utf8.elementsEqual(right.prompt.utf8) && left.strips == right.strips
      && left.lowercasing == right.lowercasing && left.framing == right.framing
      && left.cleaning == right.cleaning
  }

  package func hash(into hasher: inout Hasher) {
    for byte in prompt.utf8 { hasher.combine(byte) }
    hasher.combine(strips)
    hasher.combine(lowercasing)
    hasher.combine(framing)
    hasher.combine(cleaning)
  }

  /// The text that the tokenizer sees: the prompt, then the text; cleaned; stripped; in lower case.
  package func apply(to text: String) -> String {
    guard strips || lowercasing == .wholeText || !prompt.isEmpty || cleaning != nil else {
      return text
    }
    var scalars = (prompt.unicodeScalars + text.unicodeScalars).map(\.value)
    if let cleaning { scalars = OpenCLIPCleaning.clean(scalars, cleaning) }
    if strips { PythonText.strip(&scalars) }
    if lowercasing == .wholeText { PythonText.lowercase(&scalars) }
    var result = String.UnicodeScalarView()
    result.append(contentsOf: scalars.compactMap { Unicode.Scalar($0) })
    return String(result)
  }
}
