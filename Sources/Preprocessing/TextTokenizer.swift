/// Turns text into the ids that a text encoder takes.
package protocol TextTokenizer: Sendable {
  /// One more than the highest id that can come out; what the model's table needs as rows.
  var vocabularySize: Int { get }
  /// The id that fills up short texts of a batch.
  var paddingID: Int32 { get }
  /// How many tokens the file's own `truncation` allows, special tokens included, if it has one.
  var declaredMaximumLength: Int? { get }
  /// How many tokens `model_max_length` of `tokenizer_config.json` allows, special tokens included,
  /// if it sets a limit.
  var configuredMaximumLength: Int? { get }
  /// Which end of a text is left out where it is too long.
  var truncationSide: TextSide { get }

  /// The ids of one text between the special tokens.
  ///
  /// - Parameter maximumLength: how many ids at most, special tokens included; what is too much is
  ///   left out at the end of the text. A limit below the number of special tokens gives just them.
  func ids(of text: String, maximumLength: Int) -> [Int32]
}

extension TextTokenizer {
  package var configuredMaximumLength: Int? { nil }
  package var truncationSide: TextSide { .right }
}

/// An end of a text.
package enum TextSide: String, CaseIterable, Sendable {
  case left, right
}

/// What is done to text before it is cut into words.
package enum TextCleaning: Sendable {
  /// What `normalizer` and `pre_tokenizer` of the tokenizer file say, as Hugging Face's library.
  case asFileSays
  /// What OpenCLIP's own tokenizer does, whatever the file says.
  case openCLIP
}
