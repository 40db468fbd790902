import StrictJSON
import Testing

@testable import Tokenization

/// Tokenizers are compared as they were read, not as they are written.
@Suite struct TokenizerDifferencesTests {
  private static func small(_ change: (inout SmallTokenizer) -> Void = { _ in }) throws
    -> WordPieceTokenizer
  {
    var tokenizer = SmallTokenizer()
    change(&tokenizer)
    return try tokenizer.tokenizer()
  }

  @Test func theSameFileHasNone() throws {
    #expect(try Self.small().differences(from: try Self.small()) == [])
    let pairs = try SmallBytePairs().tokenizer()
    #expect(pairs.differences(from: try SmallBytePairs().tokenizer()) == [])
  }

  /// `vocab.txt` and `tokenizer.json` of one vocabulary.
  @Test func otherFilesOfTheSameHaveNone() throws {
    var whole = SmallFolder(), listed = SmallFolder()
    whole.tokenizer?.model["max_input_chars_per_word"] = 100
    listed.tokenizer = nil
    listed.vocabulary = SmallTokenizer.vocabulary.map { $0 + "\n" }.joined()
    #expect(try listed.read().differences(from: try whole.read()) == [])
    #expect(try whole.read().differences(from: try listed.read()) == [])
  }

  @Test func twoWordsInEachOthersPlace() throws {
    var pieces = SmallTokenizer.vocabulary
    pieces.swapAt(5, 6)
    let swapped = try Self.small { $0.model["vocab"] = SmallTokenizer.ids(of: pieces) }
    let found = swapped.differences(from: try Self.small())
    let words = ["'hello' 6 instead of 5", "'world' 5 instead of 6"]
    #expect(found.count == 1)
    #expect(words.contains { found.first == "2 pieces have another id, \($0)" }, "\(found)")
  }

  @Test func aPieceMoreOrLess() throws {
    let more = try Self.small {
      $0.model["vocab"] = SmallTokenizer.ids(of: SmallTokenizer.vocabulary + ["more"])
    }
    #expect(
      more.differences(from: try Self.small())
        == ["1 piece has another id, 'more' 34 instead of none"])
    #expect(
      try Self.small().differences(from: more) == ["the vocabulary has 34 pieces instead of 35"])
  }

  @Test func everyPartIsNamed() throws {
    let other = try Self.small {
      $0.parts["normalizer"] = .null
      $0.parts["pre_tokenizer"] = ["type": "Whitespace"]
      $0.parts["post_processor"] = .null
      $0.parts["added_tokens"] = []
      $0.model["max_input_chars_per_word"] = 5
      $0.model["unk_token"] = "hello"
    }
    #expect(
      other.differences(from: try Self.small()) == [
        "the unknown token", "how words are cut into pieces", "the normalizer",
        "the pre_tokenizer", "the special tokens around a text", "the added tokens",
      ])
  }

  @Test func anotherKindIsNoComparison() throws {
    #expect(
      try SmallBytePairs().tokenizer().differences(from: try Self.small())
        == ["the kind of tokenizer"])
  }
}
