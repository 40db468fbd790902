package import StrictJSON

/// The files that say how a model's texts become token ids; each may be missing.
package struct TokenizerFiles: Sendable {
  /// A file as it was read.
  package struct File: Sendable {
    /// The file's name in messages.
    let origin: String
    let bytes: [UInt8]

    package init(origin: String, bytes: [UInt8]) {
      self.origin = origin
      self.bytes = bytes
    }
  }

  /// A file by its name in a folder that Hugging Face's library `transformers` wrote.
  package enum Name: String, CaseIterable, Sendable {
    /// The whole tokenizer.
    case tokenizer = "tokenizer.json"
    /// Settings that the library lays over the tokenizer, its class above all.
    case configuration = "tokenizer_config.json"
    case specialTokens = "special_tokens_map.json"
    case addedTokens = "added_tokens.json"
    /// The model's own file: its kind and the version of the library that saved it.
    case model = "config.json"
    /// The pieces of WordPiece, a line each.
    case vocabulary = "vocab.txt"
    /// The tokens of byte pairs with their ids, and the merges, a line each.
    case bytePairs = "vocab.json"
    case merges = "merges.txt"
    /// A model of SentencePiece, by the names that different classes of the library give it.
    case sentencePiece = "spiece.model"
    case sentencePieceBPE = "sentencepiece.bpe.model"
    case sentencePieceOfDeberta = "spm.model"
    case sentencePieceOfGemma = "tokenizer.model"

    /// Files of pieces, which count in folders without `tokenizer.json` only.
    package static let pieces: [Name] = [
      .vocabulary, .bytePairs, .merges, .sentencePiece, .sentencePieceBPE, .sentencePieceOfDeberta,
      .sentencePieceOfGemma,
    ]
  }

  private let files: [Name: File]

  package init(_ files: [Name: File]) { self.files = files }

  /// Reads the files of a folder or another container; beside `tokenizer.json` no files of pieces,
  /// and that file only if the tokenizer's class looks at it.
  ///
  /// - Parameter read: the bytes of a file and its name in messages; nil if it does not exist.
  package init(reading read: (Name) throws -> File?) rethrows {
    var files: [Name: File] = [:]
    for name in Name.allCases where !Name.pieces.contains(name) { files[name] = try read(name) }
    if TokenizerFiles.ignoresFile(files) { files[.tokenizer] = nil }
    if files[.tokenizer] == nil {
      for name in Name.pieces { files[name] = try read(name) }
    }
    self.files = files
  }

  /// The bytes of each, as they were read.
  package var contents: [Name: [UInt8]] { files.mapValues(\.bytes) }

  /// Whether the tokenizer's class does not look at `tokenizer.json`.
  private static func ignoresFile(_ files: [Name: File]) -> Bool {
    func word(_ name: Name, _ key: String) -> String? {
      guard let file = files[name] else { return nil }
      // Whoever uses a file that is broken says so.
      do throws(JSONError) {
        return try JSONParser.parseObject(file.bytes, origin: file.origin)[key]?.string
      } catch { return nil }
    }
    guard files[.tokenizer] != nil else { return false }
    return TokenizerKind.ignoresFile(
      (
        word(.configuration, "tokenizer_class"), word(.model, "tokenizer_class"),
        word(.model, "model_type")
      ))
  }

  /// The files that exist and count.
  package var names: [Name] { Name.allCases.filter { files[$0] != nil } }

  subscript(name: Name) -> File? { files[name] }

  /// The first file of pieces.
  var pieces: File? { Name.pieces.lazy.compactMap { files[$0] }.first }

  /// The same files with some added or replaced.
  func replacing(_ others: [Name: File]) -> TokenizerFiles {
    TokenizerFiles(files.merging(others) { $1 })
  }

  /// The key under which a package states `modelFacts()`.
  package static let factsKey = "dev.ingot.tokenizer"

  /// The facts of `config.json` about the tokenizer and nothing else, by key, for places where the
  /// model's own file is left out.
  ///
  /// - Throws: if the file is malformed.
  package func modelFacts() throws(PreprocessingError) -> [String: String] {
    let model = try ModelDescription(self[.model])
    var facts: [String: String] = [:]
    for word in [model.className, model.modelType, model.version] {
      if let word { facts[word.key] = word.text }
    }
    return facts
  }

  /// Such facts as the file they stand for.
  package static func file(of facts: [String: String]) -> JSONValue {
    .object(facts.mapValues(JSONValue.string))
  }

  /// Whether both hold the same bytes, and what `config.json` says about the tokenizer is the same.
  ///
  /// Files of pieces are not read beside `tokenizer.json`, and count without it only.
  package func isSame(as other: TokenizerFiles) throws(PreprocessingError) -> Bool {
    let isWhole = self[.tokenizer] != nil
    for name in Name.allCases where name != .model && !(isWhole && Name.pieces.contains(name)) {
      guard self[name]?.bytes == other[name]?.bytes else { return false }
    }
    return try modelFacts() == other.modelFacts()
  }

  /// Whether the files a text tokenizer is built from are present.
  package func hasTokenizer(for cleaning: TextCleaning) -> Bool {
    self[.tokenizer] != nil || cleaning == .asFileSays && pieces != nil
  }
}

extension JSONParser.Limits {
  /// For a `tokenizer.json`: Gemma's has 262,144 pieces and 514,906 merges of three values each.
  static let tokenizer = JSONParser.Limits(values: 4_000_000)
}
