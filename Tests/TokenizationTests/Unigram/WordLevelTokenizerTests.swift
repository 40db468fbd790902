import StrictJSON
import TestSupport
import Testing

@testable import Tokenization

struct WordLevelTokenizerTests {
  private static func read(
    _ change: (inout SmallTokenizer) -> Void = { _ in }
  ) throws -> any TextTokenizer {
    var small = SmallTokenizer()
    small.model = [
      "type": "WordLevel", "unk_token": "[UNK]",
      "vocab": SmallTokenizer.ids(of: SmallTokenizer.vocabulary),
    ]
    change(&small)
    return try TextTokenizers.read(
      json: small.json, origin: "tokenizer.json", cleaning: .asFileSays)
  }

  @Test func givesEachWordOneID() throws {
    let tokenizer = try Self.read()
    let ids = tokenizer.ids(of: "Hello WORLD unaff [MASK]!", maximumLength: 16)
    #expect(ids == [2, 5, 6, 1, 4, 17, 3])
    #expect(tokenizer.ids(of: "hello world", maximumLength: 3) == [2, 5, 3])
    #expect(tokenizer.unknownID == 1 && tokenizer.paddingID == 0)
    #expect(tokenizer.differences(from: try Self.read()).isEmpty)
  }

  @Test func differsInItsUnknownToken() throws {
    let other = try Self.read { $0.model["unk_token"] = "[MASK]" }
    #expect(try Self.read().differences(from: other) == ["the unknown token"])
    #expect(
      try Self.read().differences(from: SmallTokenizer().tokenizer()) == ["the kind of tokenizer"])
  }
}
