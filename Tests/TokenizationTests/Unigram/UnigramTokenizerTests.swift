import StrictJSON
import TestSupport
import Testing

@testable import Tokenization

/// Ids of whole texts; the expected ones are what Hugging Face's library gives for the same file.
struct UnigramTokenizerTests {
  @Test(arguments: [
    ("", [0, 2]),
    ("  ", [0, 2]),
    ("ab", [0, 8, 6, 2]),
    ("b ab", [0, 4, 6, 8, 6, 2]),
    ("<mask>a", [0, 12, 8, 2]),
    ("b <mask>a", [0, 4, 6, 12, 8, 2]),
    // Unknown characters that are neighbours are one unknown token.
    ("bzzb", [0, 4, 6, 3, 6, 2]),
    ("bxyb", [0, 4, 6, 11, 6, 2]),
    ("\u{1F600}", [0, 4, 3, 2]),
  ]) func givesTheLibrarysIDs(_ text: String, _ ids: [Int32]) throws {
    #expect(try SmallUnigram.read().ids(of: text, maximumLength: 64) == ids)
  }

  /// Of two ways with the same sum the one whose last piece begins first counts.
  @Test func takesTheLongerPieceWhereSumsAreEqual() throws {
    let tokenizer = try SmallUnigram.read {
      $0.model["vocab"] = SmallUnigram.vocabulary([
        ("<s>", 0), ("<pad>", 0), ("</s>", 0), ("<unk>", 0), ("\u{2581}", -1), ("a", -1), ("b", -1),
        ("ab", -2),
      ])
      $0.parts["added_tokens"] = []
    }
    #expect(tokenizer.ids(of: "ab", maximumLength: 64) == [0, 4, 7, 2])
  }

  /// With scores above 0 two unknown characters may be better than the piece that they are.
  @Test func takesThePieceThatUnknownCharactersAre() throws {
    let tokenizer = try SmallUnigram.read {
      $0.model["vocab"] = SmallUnigram.vocabulary(SmallUnigram.pieces.map { ($0.0, 30) })
    }
    #expect(tokenizer.ids(of: "bxyb", maximumLength: 64) == [0, 4, 6, 11, 6, 2])
  }

  @Test func spellsUnknownCharactersInBytes() throws {
    let bytes = (0..<256).map { byte in
      let digits = String(byte, radix: 16, uppercase: true)
      return ("<0x\(byte < 16 ? "0" : "")\(digits)>", 0.0)
    }
    let tokenizer = try SmallUnigram.read {
      $0.model["vocab"] = SmallUnigram.vocabulary(SmallUnigram.pieces + bytes)
      $0.model["byte_fallback"] = true
    }
    #expect(tokenizer.unknownID == nil)
    #expect(tokenizer.ids(of: "\u{E9}", maximumLength: 64) == [0, 4, 13 + 0xC3, 13 + 0xA9, 2])
    let partly = try SmallUnigram.read {
      $0.model["vocab"] = SmallUnigram.vocabulary(SmallUnigram.pieces + bytes.prefix(0xA9))
      $0.model["byte_fallback"] = true
    }
    #expect(partly.unknownID == 3)
    #expect(partly.ids(of: "\u{E9}", maximumLength: 64) == [0, 4, 3, 2])
  }

  @Test func cutsAtTheLimit() throws {
    #expect(try SmallUnigram.read().ids(of: "ab ab ab", maximumLength: 4) == [0, 8, 6, 2])
  }

  /// A text without spaces is one word: the time grows with its length, not with its square.
  @Test(.timeLimit(.minutes(240))) func readsALongWord() throws {
    let text = String(repeating: "zab", count: 2_000_000)
    #expect(try SmallUnigram.read().ids(of: text, maximumLength: 1 << 30).count > 2_000_000)
  }

  @Test func differsInItsScores() throws {
    let one = try SmallUnigram.read()
    #expect(one.differences(from: try SmallUnigram.read()).isEmpty)
    let other = try SmallUnigram.read {
      var pieces = SmallUnigram.pieces
      pieces[5].1 = -2.25
      $0.model["vocab"] = SmallUnigram.vocabulary(pieces)
    }
    #expect(one.differences(from: other) == ["the scores of the pieces"])
  }

  /// The library's parser of numbers misses the nearest double by one bit in some of them.
  @Test(arguments: [
    ("-15.275492379532281", -15.27549237953228), ("-9.908701741838819", -9.90870174183882),
    ("-1.8771917354846979", -1.877191735484698), ("0", 0), ("-3", -3), ("1e-400", 0),
    ("2.5E1", 25),
  ]) func readsScoresAsTheLibrary(_ text: String, _ score: Double) throws {
    let node = try JSONParser.parseObject(Array("{\"a\": \(text)}".utf8), origin: "f")
      .required("a")
    #expect(PieceScore.read(node) == score)
  }

  @Test(arguments: ["1e999", "1e99999999999999999999", "true", "\"1\""])
  func refusesOtherScores(_ text: String) throws {
    let node = try JSONParser.parseObject(Array("{\"a\": \(text)}".utf8), origin: "f")
      .required("a")
    #expect(PieceScore.read(node) == nil)
  }
}
