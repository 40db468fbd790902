import StrictJSON
import Testing

@testable import Tokenization

/// A decoder changes no id; one that the library fails on is refused. The library's answers to these
/// very decoders were taken from tokenizers 0.15.2, 0.22.2 and 0.23.1, which agree.
struct TokenizerDecoderTests {
  private static let wordPiece: JSONValue = ["type": "WordPiece", "prefix": "##", "cleanup": true]

  static let accepted: [JSONValue] = [
    .null, wordPiece, ["prefix": "##", "cleanup": true], ["suffix": "</w>"],
    ["type": "ByteLevel", "add_prefix_space": true, "trim_offsets": true, "use_regex": true],
    ["type": "ByteLevel", "add_prefix_space": true, "trim_offsets": true],
    ["type": "Metaspace", "replacement": "_", "add_prefix_space": true],
    ["type": "BPEDecoder", "suffix": "</w>"],
    ["type": "CTC", "pad_token": "a", "word_delimiter_token": "b", "cleanup": true],
    ["type": "Sequence", "decoders": [wordPiece, ["type": "Fuse"]]],
    ["type": "Sequence", "decoders": []],
    ["type": "Replace", "pattern": ["String": "a"], "content": "b"],
    ["type": "Fuse"], ["type": "Strip", "content": "a", "start": 0, "stop": 1],
    ["type": "ByteFallback"],
  ]

  @Test(arguments: accepted)
  func whicheverItIsTheIdsAreTheSame(decoder: JSONValue) throws {
    var tokenizer = SmallTokenizer()
    let own = try tokenizer.tokenizer().ids(of: "hello world", maximumLength: 9)
    tokenizer.parts["decoder"] = decoder
    #expect(try tokenizer.tokenizer().ids(of: "hello world", maximumLength: 9) == own)
  }

  private static let known =
    "is not supported; known: BPEDecoder, ByteFallback, ByteLevel, CTC, Fuse, Metaspace, Replace, "
    + "Sequence, Strip, WordPiece"

  static let refused: [(decoder: JSONValue, fault: String)] = [
    (["type": "Magic"], "decoder 'Magic' \(known)"),
    (["type": "wordpiece"], "decoder 'wordpiece' \(known)"),
    (["type": "DecodeStream"], "decoder 'DecodeStream' \(known)"),
    (["type": "Sequence", "decoders": [["type": "Magic"]]], "decoder 'Magic' \(known)"),
    (["type": "Sequence", "decoders": [3]], "'decoders' holds the number 3, expected decoders"),
    (["type": "Sequence"], "the key 'decoders' is missing"),
    (["type": "WordPiece"], "the key 'prefix' is missing"),
    (["type": "Metaspace"], "the key 'replacement' is missing"),
    ([:], "the key 'type' is missing"), (["type": 3], "'type' is the number 3, expected a string"),
    (["type": .null], "'type' is null, expected a string"),
    ("WordPiece", "'decoder' is the string \"WordPiece\", expected an object"),
  ]

  @Test(arguments: refused)
  func whatTheLibraryFailsOnIsNamed(decoder: JSONValue, fault: String) {
    var tokenizer = SmallTokenizer()
    tokenizer.parts["decoder"] = decoder
    do {
      _ = try tokenizer.tokenizer()
      Issue.record("accepted")
    } catch {
      #expect("\(error)".hasPrefix("tokenizer.json:") && "\(error)".contains(fault), "\(error)")
    }
  }
}
