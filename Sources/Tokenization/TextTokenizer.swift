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
package enum TextCleaning: Sendable {
  /// By `normalizer` and `pre_tokenizer` of the tokenizer file, as Hugging Face's library.
  case asFileSays
  /// As OpenCLIP's own tokenizer, whatever the file says.
  case openCLIP
}
