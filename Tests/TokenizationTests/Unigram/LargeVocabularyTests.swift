import StrictJSON
import Testing

@testable import Tokenization

/// Vocabularies of hundreds of thousands of pieces, as multilingual models have.
struct LargeVocabularyTests {
  /// A Unigram file with pieces `p0` … and three values for each.
  private func file(_ count: Int) -> [UInt8] {
    let pieces = (0..<count).map { #"["p\#($0)",-\#(1 + $0)]"# }.joined(separator: ",")
    return Array(
      """
      {"version": "1.0", "truncation": null, "padding": null, "added_tokens": [],
       "normalizer": null, "pre_tokenizer": null, "post_processor": null, "decoder": null,
       "model": {"type": "Unigram", "unk_id": 0, "vocab": [["<unk>",0],\(pieces)]}}
      """.utf8)
  }

  @Test func moreValuesThanOtherFilesMayHaveAreRead() throws {
    let tokenizer = try TextTokenizers.read(
      json: file(110_000), origin: "tokenizer.json", cleaning: .asFileSays)
    #expect(tokenizer.vocabularySize == 110_001)
    #expect(tokenizer.ids(of: "p109999", maximumLength: 8) == [110_000])
  }

  @Test func thereIsALimit() {
    let text = Array(("[" + String(repeating: "0,", count: 4_000_000) + "0]").utf8)
    let fault = #expect(throws: PreprocessingError.self) {
      try TextTokenizers.read(json: text, origin: "tokenizer.json", cleaning: .asFileSays)
    }
    #expect(
      fault.map { "\($0)" }
        == "tokenizer.json:1:8000000: the text holds more than 4000000 values")
  }
}
