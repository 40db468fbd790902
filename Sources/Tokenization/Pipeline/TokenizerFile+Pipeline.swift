import StrictJSON

extension TokenizerFile {
  /// Everything but the model as the file says it.
  ///
  /// - Parameter added: the tokens that the file and others name.
  func pipelineParts(
    _ added: AddedTokens, _ vocabulary: Vocabulary
  ) throws(PreprocessingError) -> PipelineParts {
    PipelineParts(
      normalizer: try Normalizer(root.part("normalizer")),
      preTokenizer: try PreTokenizer(root.part("pre_tokenizer")),
      template: try SpecialTokenTemplate(root.part("post_processor")) { token in
        added.id(of: token) ?? vocabulary.id(of: token)
      },
      added: added)
  }
}

extension TokenizerContext {
  /// A tokenizer without its model.
  ///
  /// The padding id is that of the special token for padding, else of the file's `padding`, else of
  /// `[PAD]`, else 0.
  ///
  /// - Parameters:
  ///   - special: the special tokens of `special(_:)`.
  ///   - lowercasing: of `TextPreparation`; only `.normalizer` is done here.
  ///   - other: the padding id if no file says one, and the vocabulary has no `[PAD]`.
  func pipeline(
    _ parts: PipelineParts, _ vocabulary: Vocabulary,
    _ special: [(name: SpecialTokens.Name, entry: AddedTokenEntry)],
    _ lowercasing: TextPreparation.Lowercasing, padding other: Int32? = nil
  ) throws(PreprocessingError) -> TokenizerPipeline {
    var parts = parts
    if lowercasing == .normalizer { try parts.normalizer.lowercaseFirst(parts.added) }
    let (padding, length) = try reading { () throws(JSONError) in
      (try file?.paddingID(), try file?.declaredMaximumLength())
    }
    let idOf = { (token: String) in parts.added.id(of: token) ?? vocabulary.id(of: token) }
    let named = special.first { $0.name == .padding }?.entry.content
    return try TokenizerPipeline(
      parts, highestID: vocabulary.highestID,
      paddingID: named.map { idOf($0) ?? 0 } ?? padding ?? idOf("[PAD]") ?? other ?? 0,
      lengths: TextLengths(declared: length, configured: configuration.maximumLength),
      sides: try sides())
  }
}
