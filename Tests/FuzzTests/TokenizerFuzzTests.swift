import StrictJSON
import Testing

@testable import Tokenization

/// Files that say how text becomes ids.
extension FuzzTests {
  private static let vocabulary =
    ###"{"[PAD]":0,"[UNK]":1,"[CLS]":2,"[SEP]":3,"[MASK]":4,"hello":5,"un":6,"##aff":7,"###
    + ###""##able":8,"a":9,"##b":10,"\u00e9":11,"e\u0301":12,"\u4e2d":13,"!":14,"":15}"###

  private static func added(_ content: String, _ id: Int, _ flags: String) -> String {
    let names = ["special", "normalized", "single_word", "lstrip", "rstrip"]
    let members = zip(names, flags).map { "\"\($0)\":\($1 == "1")" }
    return "{\"id\":\(id),\"content\":\"\(content)\",\(members.joined(separator: ","))}"
  }

  static let tokenizers = bytes([
    #"{"version":"1.0","truncation":{"max_length":8,"strategy":"LongestFirst","stride":0},"#
      + #""padding":{"pad_id":0},"added_tokens":[\#(added("[CLS]", 2, "10000")),"#
      + #"\#(added("[MASK]", 4, "10011")),\#(added("New", 16, "01100"))],"#
      + #""normalizer":{"type":"BertNormalizer","clean_text":true,"#
      + #""handle_chinese_chars":true,"strip_accents":null,"lowercase":true},"#
      + #""pre_tokenizer":{"type":"BertPreTokenizer"},"post_processor":"#
      + #"{"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"[CLS]","type_id":0}},"#
      + #"{"Sequence":{"id":"A","type_id":0}},{"SpecialToken":{"id":"[SEP]","type_id":0}}],"#
      + #""pair":[],"special_tokens":{"[CLS]":{"id":"[CLS]","ids":[2],"tokens":["[CLS]"]},"#
      + #""[SEP]":{"id":"[SEP]","ids":[3],"tokens":["[SEP]"]}}},"#
      + ###""model":{"type":"WordPiece","unk_token":"[UNK]","continuing_subword_prefix":"##","###
      + #""max_input_chars_per_word":12,"vocab":\#(vocabulary)}}"#,
    #"{"added_tokens":[],"normalizer":{"type":"Sequence","normalizers":[{"type":"NFD"},"#
      + #"{"type":"StripAccents"},{"type":"Lowercase"},{"type":"Strip","strip_left":true,"#
      + #""strip_right":false}]},"pre_tokenizer":{"type":"Sequence","pretokenizers":["#
      + #"{"type":"WhitespaceSplit"},{"type":"Punctuation","behavior":"Isolated"},"#
      + #"{"type":"Whitespace"}]},"post_processor":{"type":"BertProcessing","#
      + #""sep":["[SEP]",3],"cls":["[CLS]",2]},"model":{"unk_token":"a","#
      + #""continuing_subword_prefix":"","max_input_chars_per_word":0,"#
      + #""vocab":{"a":9,"[CLS]":2,"[SEP]":3}}}"#,
  ])

  private static let texts = [
    "", "Hello, unaffable caf\u{E9} [MASK]  New new NEW", "\u{4E2D}a\u{301}\u{0}\u{FFFD}\u{A0} !!",
    "abbbb [CLS][SEP]\u{1F600}e\u{301}\u{E9}", String(repeating: "ab ", count: 40),
  ]

  @Test func tokenizers() {
    run("tokenizers", FuzzTests.tokenizers) { bytes in
      parsing([PreprocessingError.self]) {
        let tokenizer = try WordPieceTokenizer(json: bytes, origin: "f")
        guard tokenizer.paddingID >= 0 else { return false }
        return FuzzTests.texts.allSatisfy { isSound(tokenizer, $0) }
      }
    }
  }

  /// Whether all ids are those of the vocabulary, and a limit only cuts.
  private func isSound(_ tokenizer: WordPieceTokenizer, _ text: String) -> Bool {
    let counts = tokenizer.specialTokenCounts
    let all = tokenizer.ids(of: text, maximumLength: 1 << 20)
    let (before, after) = (Array(all.prefix(counts.before)), Array(all.suffix(counts.behind)))
    guard all.allSatisfy({ 0..<tokenizer.vocabularySize ~= Int($0) }) else { return false }
    let inner = all.dropFirst(before.count).dropLast(after.count)
    return [0, 1, 7, tokenizer.declaredMaximumLength ?? 512].allSatisfy { limit in
      let room = max(0, limit - before.count - after.count)
      return tokenizer.ids(of: text, maximumLength: limit) == before + inner.prefix(room) + after
    }
  }
}
