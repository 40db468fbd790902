import StrictJSON

/// Everything of a tokenizer but its model, in the order of Hugging Face's library `tokenizers`:
/// added tokens in the text as it was given, the normalizer, added tokens in normalised text, the
/// pre-tokenizer, the model word by word, special tokens around all.
///
/// Truncation and padding of the file are not applied: the caller decides about lengths.
package struct TokenizerPipeline: Sendable {
  let normalizer: Normalizer
  let preTokenizer: PreTokenizer
  let template: SpecialTokenTemplate
  let added: AddedTokens
  /// Looked for in the text as it was given.
  let rawTokens: AddedTokenMatcher
  /// Looked for in normalised text.
  let normalizedTokens: AddedTokenMatcher
  let vocabularySize: Int
  let paddingID: Int32
  let lengths: TextLengths
  let sides: TextSides

  /// Throws if an added token is empty once normalised.
  ///
  /// - Parameter highestID: of the model's vocabulary.
  init(
    _ parts: PipelineParts, highestID: Int32, paddingID: Int32, lengths: TextLengths,
    sides: TextSides
  ) throws(PreprocessingError) {
    normalizer = parts.normalizer
    preTokenizer = parts.preTokenizer
    template = parts.template
    added = parts.added
    (rawTokens, normalizedTokens) = try reading { () throws(JSONError) in
      try parts.added.matchers(parts.normalizer)
    }
    vocabularySize = Int(max(highestID, parts.added.highestListedID)) + 1
    self.paddingID = paddingID
    self.lengths = lengths
    self.sides = sides
  }

  /// The ids of one text between the special tokens, at most `maximumLength` of them.
  func ids(of text: String, maximumLength: Int, _ model: some WordModel) -> [Int32] {
    var work = model.makeWorkspace()
    return template.ids(
      around: text, maximumLength: maximumLength, cutting: sides.truncation
    ) { text, ids, limit in
      append(text, to: &ids, limit: limit, model, &work)
    }
  }

  /// The tokens of two texts between the special tokens, at most `maximumLength` of them; nil if it
  /// is not known what goes around two.
  func tokens(
    of first: String, and second: String, maximumLength: Int, _ model: some WordModel
  ) -> TextTokens? {
    guard let pair = template.pair else { return nil }
    var work = model.makeWorkspace()
    let texts = [first, second].map { text in
      var ids: [Int32] = []
      append(text.unicodeScalars.map(\.value), to: &ids, limit: .max, model, &work)
      return ids
    }
    return pair.tokens(
      around: texts[0], texts[1], maximumLength: maximumLength, cutting: sides.truncation)
  }

  /// Appends the ids of text; may stop once there are as many as the limit.
  private func append<Model: WordModel>(
    _ text: [UInt32], to ids: inout [Int32], limit: Int, _ model: Model,
    _ work: inout Model.Workspace
  ) {
    for piece in rawTokens.pieces(of: text) where ids.count < limit {
      switch piece {
      case .token(let id): ids.append(id)
      case .text(let range):
        var part = PreTokenizedText(
          range == text.indices ? text : Array(text[range]), leading: range.lowerBound == 0 ? 1 : 0)
        normalizer.apply(to: &part)
        append(normalised: part, to: &ids, limit: limit, model, &work)
      }
    }
  }

  private func append<Model: WordModel>(
    normalised text: PreTokenizedText, to ids: inout [Int32], limit: Int, _ model: Model,
    _ work: inout Model.Workspace
  ) {
    for piece in normalizedTokens.pieces(of: text.scalars) where ids.count < limit {
      switch piece {
      case .token(let id): ids.append(id)
      case .text(let range):
        var part = text.part(range)
        preTokenizer.apply(to: &part)
        for word in part.words where ids.count < limit {
          model.append(word, of: part.scalars, to: &ids, &work)
        }
      }
    }
  }
}

/// The part `model` of a tokenizer: turns words into ids.
protocol WordModel: Sendable {
  /// Buffers, kept from word to word of one text.
  associatedtype Workspace

  /// Empty buffers.
  func makeWorkspace() -> Workspace

  /// Appends the ids of one word.
  ///
  /// - Parameter word: a range of `text` that is not empty.
  func append(
    _ word: Range<Int>, of text: [UInt32], to ids: inout [Int32], _ work: inout Workspace)
}

/// The parts of a tokenizer that its model does not hold, as a class of the library reads them.
struct PipelineParts: Equatable, Sendable {
  var normalizer: Normalizer
  var preTokenizer: PreTokenizer
  var template: SpecialTokenTemplate
  var added: AddedTokens

  /// The same, with what goes around two texts only where another reading has it too.
  func sharing(_ other: PipelineParts) -> PipelineParts {
    var shared = self
    if template.pair != other.template.pair { shared.template.pair = nil }
    return shared
  }

  /// Names of the parts in which another reading of the same files differs.
  func differences(from other: PipelineParts) -> [String] {
    var found = TokenizerDifferences()
    found.compare(normalizer == other.normalizer, "the normalizer")
    found.compare(preTokenizer == other.preTokenizer, "the pre_tokenizer")
    found.compare(template == other.template, "the special tokens around a text")
    found.compare(added == other.added, "the added tokens")
    return found.parts
  }
}

/// The most tokens of a text by a model's files, special tokens included.
struct TextLengths: Sendable {
  /// Of `truncation` in `tokenizer.json`.
  var declared: Int?
  /// Of `model_max_length` in `tokenizer_config.json`.
  var configured: Int?
}
