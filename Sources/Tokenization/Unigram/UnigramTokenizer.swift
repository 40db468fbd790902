import StrictJSON

/// Turns text into the ids of a Unigram model, id for id as Hugging Face's library `tokenizers`
/// (0.22) does from the same `tokenizer.json`.
struct UnigramTokenizer: PipelineTokenizer, TokenizerOfFile {
  static let modelType = "Unigram"

  let model: UnigramModel
  let pipeline: TokenizerPipeline

  /// None where every unknown character is spelt in bytes.
  var unknownID: Int32? {
    model.byteIDs.map { $0.contains(-1) } == false ? nil : model.unknownID
  }

  static func read(
    _ file: TokenizerFile, _ context: TokenizerContext, _ lowercasing: TextPreparation.Lowercasing
  ) throws(PreprocessingError) -> UnigramTokenizer {
    try UnigramAssembly(context, file, file.unigramModel()).tokenizer(lowercasing)
  }

  func differences(from other: any TextTokenizer) -> [String] {
    guard let other = other as? UnigramTokenizer else { return ["the kind of tokenizer"] }
    var found = TokenizerDifferences()
    found.compare(model.vocabulary, other.model.vocabulary)
    found.compare(model.scores == other.model.scores, "the scores of the pieces")
    found.compare(model.unknownID == other.model.unknownID, "the unknown token")
    found.compare(model.byteIDs == other.model.byteIDs, "the ids of bytes")
    found.compare(pipeline, other.pipeline)
    return found.parts
  }

  func ids(of text: String, maximumLength: Int) -> [Int32] {
    pipeline.ids(of: text, maximumLength: maximumLength, model)
  }

  func tokens(
    of first: String, and second: String, maximumLength: Int
  ) -> TextTokens? {
    pipeline.tokens(of: first, and: second, maximumLength: maximumLength, model)
  }
}
