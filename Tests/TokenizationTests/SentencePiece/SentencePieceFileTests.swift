import StrictJSON
import TestSupport
import Testing

@testable import Tokenization

/// Folders with a model of SentencePiece and no `tokenizer.json`. Ids beside the library: the rows of
/// `piece_files.json`.
struct SentencePieceFileTests {
  private struct Folder {
    var model = SmallSentencePiece()
    var name = TokenizerFiles.Name.sentencePieceBPE
    var configuration: [String: JSONValue] = ["tokenizer_class": "XLMRobertaTokenizer"]
    var config: [String: JSONValue] = ["transformers_version": "4.57.6"]

    func read() throws -> any TextTokenizer {
      let file = { (name: TokenizerFiles.Name, bytes: [UInt8]) in
        TokenizerFiles.File(origin: name.rawValue, bytes: bytes)
      }
      return try TextTokenizers.read(
        TokenizerFiles([
          name: file(name, model.bytes),
          .configuration: file(
            .configuration, Array(JSONValue.object(configuration).compact.utf8)),
          .model: file(.model, Array(JSONValue.object(config).compact.utf8)),
        ]))
    }

    var refusal: String {
      do {
        _ = try read()
        return "accepted"
      } catch { return "\(error)" }
    }
  }

  private static func ids(_ text: String, _ change: (inout Folder) -> Void = { _ in }) throws
    -> [Int32]
  {
    var folder = Folder()
    change(&folder)
    return try folder.read().ids(of: text, maximumLength: 100)
  }

  // XLM-RoBERTa's class has four pieces of its own first: a piece n of the file is n + 1.
  @Test func theClassRenumbersThePieces() throws {
    #expect(try Self.ids("ab x") == [0, 8, 6, 4, 3, 2])
    #expect(try Self.ids("(a<mask>") == [0, 9, 8, 11, 2])
  }

  @Test func camembertsClassHasMoreOfItsOwn() throws {
    let ids = try Self.ids("ab") { $0.configuration["tokenizer_class"] = "CamembertTokenizer" }
    #expect(ids == [5, 11, 9, 6])
  }

  // Up to 4.57 the mark for masks takes the space before it, from 5.0 on it does not.
  @Test func theVersionThatSavedItCounts() throws {
    #expect(try Self.ids("a <mask>") == [0, 8, 11, 2])
    let five = try Self.ids("a <mask>") { $0.config = ["transformers_version": "5.23.0"] }
    #expect(five == [0, 8, 11, 2])
    let spaces = "a  \u{3000}b"
    #expect(
      try Self.ids(spaces) != Self.ids(spaces) { $0.config["transformers_version"] = "5.0.0" })
  }

  // "A" becomes "fi", and the file has no piece for it; unknown characters in a row are one token.
  @Test func theMapOfCharactersCounts() throws {
    #expect(try Self.ids("aA") == [0, 8, 3, 2])
    let mapped = try Self.ids("aA") {
      $0.model.map = SmallSentencePiece.characterMap
      $0.model.pieces.append(("fi", -2, 1))
    }
    #expect(mapped == [0, 8, 11, 2])
  }

  private static let cases: [(message: String, change: @Sendable (inout Folder) -> Void)] = [
    (
      "sentencepiece.bpe.model:1:1: transformers 4 and 5 make different tokenizers of this file, and "
        + "config.json does not say in 'transformers_version' which one saved the model; save it "
        + "again with the version in use", { $0.config = [:] }
    ),
    (
      "sentencepiece.bpe.model:1:1: is a model of the type 'bpe'; supported without tokenizer.json: "
        + "'unigram'", { $0.model.modelType = 2 }
    ),
    (
      "sentencepiece.bpe.model:1:1: has 10 pieces, and its unknown piece has the id 10",
      { $0.model.unknownID = 10 }
    ),
    (
      "sentencepiece.bpe.model:1:1: the piece 4 is empty", { $0.model.pieces[4].text = "" }
    ),
    (
      "sentencepiece.bpe.model:1:1: the piece 4 has the score nan, expected a number",
      { $0.model.pieces[4].score = .nan }
    ),
    (
      "sentencepiece.bpe.model:1:1: the pieces 5 and 6 are the same, 'a'",
      { $0.model.pieces[5].text = "a" }
    ),
    (
      "sentencepiece.bpe.model:1:1: 'precompiled_charsmap' is shorter than its first number",
      { $0.model.map = [1] }
    ),
    (
      "sentencepiece.bpe.model:1:1: 'add_prefix_space' false is supported with tokenizer.json only",
      { $0.configuration["add_prefix_space"] = false }
    ),
    (
      "sentencepiece.bpe.model:1:1: 'bos_token' is '<b>', supported without tokenizer.json: '<s>'",
      { $0.configuration["bos_token"] = "<b>" }
    ),
    (
      "spiece.model:1:1: the tokenizer's class does not make a tokenizer of it, and "
        + "tokenizer.json is missing", { $0.name = .sentencePiece }
    ),
  ]

  @Test(arguments: cases.indices) func refuses(_ index: Int) {
    var folder = Folder()
    Self.cases[index].change(&folder)
    #expect(folder.refusal == Self.cases[index].message)
  }

  @Test func refusesWhatIsNoModel() {
    let file = TokenizerFiles.File(origin: "spiece.model", bytes: [0x0A, 0xFF])
    #expect(throws: JSONError.self) { try SentencePieceFile(file) }
  }

  // ALBERT's class up to 4.57 lowers the score of a number with a comma by 100.
  @Test func albertsClassKeepsNumbersAndCommasApart() throws {
    let file = try SentencePieceFile(
      TokenizerFiles.File(origin: "spiece.model", bytes: SmallSentencePiece().bytes))
    #expect(UnigramClass.albert.pieces(file, extraTokens: 0, .four)[9].score == -101)
    #expect(UnigramClass.albert.pieces(file, extraTokens: 0, .five)[9].score == -1)
  }
}
