import Files
package import Graph
import StrictJSON
import Tokenization
package import Weights

/// Texts like those that an app will see, whose tokens a model keeps when the others are dropped.
///
/// A file of inputs, as `InputLines` reads it.
package struct VocabularyCorpus: Sendable {
  /// The file, for messages.
  package let origin: String
  /// SHA-256 of the file's bytes.
  package let digest: ContentDigest
  /// A note on how the file was read, for people; nil if its name says JSON lines.
  package let decision: String?
  private let texts: [(text: String, line: Int)]

  /// Reads the file that a command's option names, or standard input.
  ///
  /// - Throws: `FileError`, or `JSONError` with line and column of what is not a text.
  package init(argument: String) throws {
    let file = try InputFile(argument: argument, limit: InputLines.sizeLimit)
    let lines = try InputLines(file, blankLines: .skipped)
    origin = file.origin
    digest = ContentDigest(of: file.bytes)
    decision = lines.decision
    texts = try zip(lines.inputs, lines.lines).map { input, line in
      guard case .text(let text) = input else {
        throw JSONError(
          origin: file.origin, position: JSONPosition(line: line, column: 1),
          fault: "is \(input.words), a corpus of tokens holds texts")
      }
      return (text, line)
    }
    guard !texts.isEmpty else {
      throw JSONError(
        origin: origin, position: JSONPosition(line: 1, column: 1),
        fault: "the corpus is empty; without texts no token would be kept")
    }
  }

  /// The encoders of a model, those of texts with the tokens that a corpus needs; nil if none takes
  /// texts.
  ///
  /// - Parameter corpus: nil leaves all as they are.
  /// - Throws: as the other `reduce`.
  package static func reduce(_ encoders: [Model], by corpus: VocabularyCorpus?) throws -> [Model]? {
    guard let corpus else { return encoders }
    guard encoders.contains(where: { $0.kind == .text }) else { return nil }
    return try encoders.map { $0.kind == .text ? try corpus.reduce($0) : $0 }
  }

  /// A model with the tokens that these texts need, and its prompts.
  ///
  /// Every text is segmented by both tokenizers to its end, and must give the same tokens.
  ///
  /// - Throws: `VocabularyError`, tokenizer errors, and `JSONError` for the line of a text that is
  ///   segmented in another way.
  package func reduce(_ model: Model) throws -> Model {
    guard case .tokens(_, let rows) = model.architecture.input,
      let tokenizer = try model.tokenizer()
    else { throw VocabularyError.noTexts(origin: model.origin) }
    let preparation = model.architecture.preparation
    var used: Set<Int32> = []
    func ids(_ text: String) -> [Int32] {
      tokenizer.ids(of: preparation.apply(to: text), maximumLength: Int(Int32.max))
    }
    for (text, _) in texts { used.formUnion(ids(text)) }
    for prompt in model.architecture.prompts?.choices ?? [] { used.formUnion(ids(prompt.text)) }
    used.insert(tokenizer.paddingID)
    if let end = model.architecture.endToken { used.insert(end) }
    let kept = try model.tokenizerReduction().kept(using: used, rows: rows)
    let smaller = try model.keeping(
      kept,
      record: VocabularyRecord(corpus: digest, kept: kept.ids.count, dropped: kept.dropped))
    guard let after = try smaller.tokenizer() else {
      throw VocabularyError.noTexts(origin: model.origin)
    }
    for (text, line) in texts {
      let expected = ids(text).map { kept.newID(of: $0) }
      let found = after.ids(
        of: smaller.architecture.preparation.apply(to: text), maximumLength: Int(Int32.max))
      guard found.map(Optional.some) == expected else {
        throw JSONError(
          origin: origin, position: JSONPosition(line: line, column: 1),
          fault: "the smaller tokenizer gives other tokens of this text; nothing was dropped")
      }
    }
    return smaller
  }
}
