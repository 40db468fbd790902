import StrictJSON
import TestSupport
import Testing

@testable import Tokenization

/// Folders of Gemma's class with a SentencePiece model of byte pairs and no `tokenizer.json`. Ids
/// beside the library: the rows of `piece_files.json`.
struct SentencePieceBytePairsTests {
  private struct Folder {
    /// Pieces 4...259 are the bytes, then come a, b, c, ab, bc.
    var model = SmallSentencePiece()
    var configuration: [String: JSONValue] = ["tokenizer_class": "GemmaTokenizer"]
    var version = "5.23.0"

    init() {
      typealias Piece = (text: String, score: Float, type: Int)
      let first: [Piece] = [("<pad>", 0, 3), ("<eos>", 0, 3), ("<bos>", 0, 3), ("<unk>", 0, 2)]
      let bytes: [Piece] = (0..<256).map { byte in
        let digits = String(byte, radix: 16, uppercase: true)
        return ("<0x" + (digits.count < 2 ? "0" : "") + digits + ">", 0, 6)
      }
      let words: [Piece] = [
        ("a", -9, 1), ("b", -9, 1), ("c", -9, 1), ("ab", -2, 1), ("bc", -1, 1), ("<mask>", 0, 4),
      ]
      model.modelType = 2
      model.unknownID = 3
      model.pieces = first + bytes + words
    }

    func read() throws -> any TextTokenizer {
      let json = { (name: TokenizerFiles.Name, value: [String: JSONValue]) in
        TokenizerFiles.File(
          origin: name.rawValue, bytes: Array(JSONValue.object(value).compact.utf8))
      }
      let name = TokenizerFiles.Name.sentencePieceOfGemma
      return try TextTokenizers.read(
        TokenizerFiles([
          name: TokenizerFiles.File(origin: name.rawValue, bytes: model.bytes),
          .configuration: json(.configuration, configuration),
          .model: json(.model, ["transformers_version": .string(version)]),
        ]))
    }
  }

  private static func ids(_ text: String, _ change: (inout Folder) -> Void = { _ in }) throws
    -> [Int32]
  {
    var folder = Folder()
    change(&folder)
    return try folder.read().ids(of: text, maximumLength: 100)
  }

  // From 5.0 on the piece with the lower id is made first, up to 4.57 the one with the higher score.
  @Test func generationsOrderTheMerges() throws {
    #expect(try Self.ids("abc") == [263, 262])
    #expect(try Self.ids("abc") { $0.version = "4.57.6" } == [2, 260, 264])
  }

  // Up to 4.57, of equal scores a long left half is first, then a low id.
  @Test func tiesGoByLengthAndID() throws {
    let tied: (inout Folder) -> Void = {
      $0.version = "4.57.6"
      $0.configuration["add_bos_token"] = false
    }
    let same = try Self.ids("abc") {
      tied(&$0)
      $0.model.pieces[263].score = -1
    }
    #expect(same == [263, 262])
    let long = try Self.ids("abca") {
      tied(&$0)
      $0.model.pieces.append(("abc", -1, 1))
      $0.model.pieces.append(("bca", -1, 1))
    }
    #expect(long == [260, 267])
  }

  // Up to 4.57 a tab takes the place of its byte, so that it can be part of a merge.
  @Test func theFourthHasATab() throws {
    let tabs: (inout Folder) -> Void = { $0.model.pieces.append(("\t\t", 0, 1)) }
    #expect(try Self.ids("\t\t", tabs) == [13, 13])
    let four = try Self.ids("\t\t") {
      tabs(&$0)
      $0.version = "4.57.6"
    }
    #expect(four == [2, 266])
  }

  @Test func unknownCharactersBecomeBytes() throws {
    #expect(try Self.ids("é<mask>") == [4 + 0xC3, 4 + 0xA9, 265])
  }

  @Test func settingsPutTokensAround() throws {
    let ids = try Self.ids("a") {
      $0.configuration["add_bos_token"] = true
      $0.configuration["add_eos_token"] = true
    }
    #expect(ids == [2, 260, 1])
    let null = try Self.ids("a") {
      $0.version = "4.57.6"
      $0.configuration["add_bos_token"] = JSONValue.null
    }
    #expect(null == [260])
  }

  private static let cases: [(message: String, change: @Sendable (inout Folder) -> Void)] = [
    (
      "is a model of the type 'unigram'; supported without tokenizer.json: 'bpe'",
      { $0.model.modelType = 1 }
    ),
    (
      "the piece 1 is not '<eos>', as the tokenizer's class has it",
      { $0.model.pieces[1].text = "</s>" }
    ),
    (
      "has no piece for the byte 10, which is supported with tokenizer.json only",
      { $0.model.pieces[14].text = "x" }
    ),
    (
      "'eos_token' is '</s>', supported without tokenizer.json: '<eos>'",
      { $0.configuration["eos_token"] = "</s>" }
    ),
  ]

  @Test(arguments: cases.indices) func refuses(_ index: Int) {
    var folder = Folder()
    Self.cases[index].change(&folder)
    do {
      _ = try folder.read()
      Issue.record("accepted")
    } catch { #expect("\(error)" == "tokenizer.model:1:1: " + Self.cases[index].message) }
  }
}
