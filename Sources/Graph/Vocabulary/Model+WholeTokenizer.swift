package import Tokenization

extension Model {
  /// The text of this model's tokenizer, for beside a model with fewer tokens.
  ///
  /// - Throws: if the files of the tokenizer are malformed.
  package func wholeTokenizerText() throws -> [UInt8] {
    try WholeTokenizer.text(of: try files.tokenizerFiles(in: architecture.tokenizerFolder))
  }

  /// The tokenizer from which this model's tokens were taken.
  ///
  /// - Parameters:
  ///   - text: of `wholeTokenizerText()`.
  ///   - origin: where the text is, for messages.
  /// - Returns: the tokenizer, and the tokens of it that this model has.
  /// - Throws: if this model has all its tokens, or the text is that of another model.
  package func wholeTokenizer(
    _ text: [UInt8], origin: String
  ) throws -> (tokenizer: any TextTokenizer, kept: KeptTokens) {
    guard let record = vocabulary else { throw VocabularyError.noTexts(origin: self.origin) }
    let smaller = try files.tokenizerFiles(in: architecture.tokenizerFolder)
    let whole = try WholeTokenizer(
      text, origin: origin, besides: smaller, rows: record.kept + record.dropped)
    let tokenizer = try TextTokenizers.read(
      whole.files, cleaning: architecture.isPreparedAsOpenCLIP ? .openCLIP : .asFileSays,
      lowercasing: architecture.preparation.lowercasing, framing: architecture.preparation.framing)
    return (tokenizer, whole.kept)
  }
}
