import StrictJSON

/// Turns text into the ids of a byte-pair model, id for id as Hugging Face's library `tokenizers`
/// (0.22 and 0.23) does from the same `tokenizer.json`, or as OpenCLIP's own tokenizer (3.3).
package struct BytePairTokenizer: PipelineTokenizer {
  /// The suffix of a word's last byte in CLIP's vocabulary.
  static let wordEnd = "</w>"

  let model: BytePairModel
  package let pipeline: TokenizerPipeline
  /// The special tokens that OpenCLIP finds in a text, where its own cleaning replaces the file's
  /// normalizer and pre-tokenizer.
  let openCLIP: [Int32]?

  package var unknownID: Int32? { model.spellsEveryByte ? nil : model.settings.unknownID }

  package func differences(from other: any TextTokenizer) -> [String] {
    guard let other = other as? BytePairTokenizer else { return ["the kind of tokenizer"] }
    var found = TokenizerDifferences()
    found.compare(model.vocabulary, other.model.vocabulary)
    found.compare(model.merges == other.model.merges, "the merges")
    found.compare(model.settings == other.model.settings, "how words are cut into pieces")
    found.compare(openCLIP == other.openCLIP, "how a text is cleaned and cut")
    found.compare(pipeline, other.pipeline)
    return found.parts
  }

  package func ids(of text: String, maximumLength: Int) -> [Int32] {
    guard let openCLIP else {
      return pipeline.ids(of: text, maximumLength: maximumLength, model)
    }
    return pipeline.template.ids(
      around: text, maximumLength: maximumLength, cutting: pipeline.sides.truncation
    ) { text, ids, limit in
      append(OpenCLIPCleaning.clean(text), openCLIP, to: &ids, limit: limit)
    }
  }

  package func tokens(
    of first: String, and second: String, maximumLength: Int
  ) -> TextTokens? {
    guard openCLIP == nil else { return nil }
    return pipeline.tokens(of: first, and: second, maximumLength: maximumLength, model)
  }

  /// Appends the ids of a cleaned text; may stop once there are as many as the limit.
  private func append(
    _ text: [UInt32], _ special: [Int32], to ids: inout [Int32], limit: Int
  ) {
    var work = model.makeWorkspace()
    var bytes: [UInt32] = []
    var index = 0
    while ids.count < limit,
      let (piece, end) = BytePairSplitter.openCLIP.next(in: text, from: index)
    {
      switch piece {
      case .special(let place): ids.append(special[place])
      case .word(let range):
        bytes.removeAll(keepingCapacity: true)
        ByteAlphabet.append(text[range], to: &bytes)
        model.append(bytes.indices, of: bytes, to: &ids, &work)
      }
      index = end
    }
  }
}

extension BytePairTokenizer: TokenizerOfFile {
  static let modelType = "BPE"

  static func read(
    _ file: TokenizerFile, _ context: TokenizerContext, _ lowercasing: TextPreparation.Lowercasing
  ) throws(PreprocessingError) -> BytePairTokenizer {
    try BytePairAssembly(context, file, .asFileSays).huggingFace(lowercasing)
  }
}
