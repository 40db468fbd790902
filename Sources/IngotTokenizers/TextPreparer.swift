import StrictJSON
import Tokenization

/// Makes the tensors of a model from texts, by the code with which the gate made them.
public struct TextPreparer: Sendable {
  /// The configuration that it was made of.
  public let configuration: TextConfiguration
  private let tensors: [TextTensors.Name]
  private let texts: TextSequences

  /// Reads the tokenizer.
  ///
  /// - Parameters:
  ///   - configuration: of a model that takes texts.
  ///   - files: the bytes of the tokenizer's files by the names that `TextConfiguration.files` has;
  ///     others are left alone.
  /// - Throws: `InputError` for a configuration of another kind, for a file that is missing or that
  ///   the gate did not read, and for files that do not suit the configuration.
  public init(_ configuration: InputConfiguration, files: [String: [UInt8]]) throws(InputError) {
    guard case .texts(let texts) = configuration.kind else {
      throw .otherKind(found: configuration.kind.words, needed: "one of texts")
    }
    self.configuration = texts
    tensors = configuration.tensors.compactMap(TextTensors.Name.init)
    let tokenizer = try TextPreparer.tokenizer(texts, files)
    self.texts = TextSequences(
      preparation: texts.preparation, tokenizer: tokenizer, limits: texts.limits)
  }

  /// The tensors of a text.
  ///
  /// - Throws: `InputError.text` for a text that the model does not take, `.otherKind` for a model
  ///   that reads two texts together.
  public func prepare(_ text: String) throws(InputError) -> PreparedText {
    guard !texts.readsPairs else {
      throw .otherKind(found: "pairs of texts", needed: "one of single texts")
    }
    return try tensors(texts.tokens(of: text, maximumLength: texts.limits.most))
  }

  /// The tensors of two texts that the model reads together.
  ///
  /// - Throws: as for one text.
  public func prepare(_ first: String, _ second: String) throws(InputError) -> PreparedText {
    guard texts.readsPairs,
      let tokens = texts.tokens(of: first, and: second, maximumLength: texts.limits.most)
    else { throw .otherKind(found: "single texts", needed: "one of pairs of texts") }
    return try tensors(tokens)
  }

  private func tensors(_ tokens: TextTokens) throws(InputError) -> PreparedText {
    do throws(TokenFault) {
      try texts.limits.check(tokens.ids)
    } catch {
      throw .text(error.description)
    }
    let places = TextTensors.places(of: tokens)
    let length = TextTensors.length(for: places, among: configuration.lengths ?? [])
    let all = TextTensors([tokens], length: length, padding: configuration.paddingID)
    return PreparedText(
      tokenCount: tokens.count, length: length,
      tensors: Dictionary(tensors.map { ($0.rawValue, all[$0]) }) { first, _ in first })
  }

  private static func tokenizer(
    _ configuration: TextConfiguration, _ files: [String: [UInt8]]
  ) throws(InputError) -> any TextTokenizer {
    let sources = try sources(configuration, files)
    let tokenizer: any TextTokenizer
    do throws(PreprocessingError) {
      guard sources.hasTokenizer(for: configuration.cleaning) else {
        throw .file(
          JSONError(
            origin: "input configuration", position: JSONPosition(line: 1, column: 1),
            fault: "'files' names no tokenizer"))
      }
      tokenizer = try TextTokenizers.read(
        sources, cleaning: configuration.cleaning,
        lowercasing: configuration.preparation.lowercasing,
        framing: configuration.preparation.framing)
      try tokenizer.requireRows(configuration.limits.rows)
    } catch {
      throw .tokenizer(error.description)
    }
    guard tokenizer.vocabularySize <= configuration.limits.rows else {
      throw .tokenizer(
        "the tokenizer has \(tokenizer.vocabularySize) tokens, the input configuration says that the "
          + "model has rows for \(configuration.limits.rows)")
    }
    guard tokenizer.paddingID == configuration.paddingID else {
      throw .tokenizer(
        "the tokenizer pads with \(tokenizer.paddingID), the input configuration says "
          + "\(configuration.paddingID)")
    }
    return tokenizer
  }

  /// The files that the configuration names, checked, and what it says in place of `config.json`.
  private static func sources(
    _ configuration: TextConfiguration, _ files: [String: [UInt8]]
  ) throws(InputError) -> TokenizerFiles {
    var sources: [TokenizerFiles.Name: TokenizerFiles.File] = [:]
    for (path, needed) in configuration.files.sorted(by: { $0.key < $1.key }) {
      guard let bytes = files[path] else { throw .missingFile(name: path) }
      let found = FileDigest.hex(of: bytes)
      guard found == needed else { throw .otherFile(name: path, found: found, needed: needed) }
      let name = path.split(separator: "/").last.flatMap { TokenizerFiles.Name(rawValue: "\($0)") }
      guard let name, name != .model, sources[name] == nil else {
        throw .configuration(
          "input configuration: 'files' names '\(path)', which is not one file of a tokenizer")
      }
      sources[name] = TokenizerFiles.File(origin: path, bytes: bytes)
    }
    if !configuration.facts.isEmpty {
      sources[.model] = TokenizerFiles.File(
        origin: "input configuration: model",
        bytes: Array(TokenizerFiles.file(of: configuration.facts).compact.utf8))
    }
    return TokenizerFiles(sources)
  }
}

/// The tensors of one input of texts, each of the shape [1, length].
public struct PreparedText: Equatable, Sendable {
  /// Tokens, those around the text included and padding not.
  public let tokenCount: Int
  /// Places of each tensor.
  public let length: Int
  /// Numbers by the name of the model's input: some of `input_ids`, `attention_mask`, and
  /// `token_type_ids`.
  public let tensors: [String: [Int32]]
}
