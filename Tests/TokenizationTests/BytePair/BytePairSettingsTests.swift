import StrictJSON
import Testing

@testable import Tokenization

/// Settings of the model that CLIP does not use; the ids are those of Hugging Face's library.
struct BytePairSettingsTests {
  /// A file of characters; `vocabulary` has its pieces as ids in order.
  private static func tokenizer(
    _ vocabulary: [String], _ merges: [String], _ settings: [String: JSONValue] = [:],
    preTokenizer: JSONValue = .null
  ) throws -> any TextTokenizer {
    var model: [String: JSONValue] = [
      "type": "BPE", "vocab": SmallTokenizer.ids(of: vocabulary),
      "merges": .array(merges.map { .string($0) }),
    ]
    model.merge(settings) { $1 }
    let file: JSONValue = [
      "version": "1.0", "added_tokens": [], "pre_tokenizer": preTokenizer,
      "model": .object(model),
    ]
    return try TextTokenizers.read(
      json: Array(file.compact.utf8), origin: "tokenizer.json", cleaning: .asFileSays)
  }

  private static func ids(_ tokenizer: any TextTokenizer, _ text: String) -> [Int32] {
    tokenizer.ids(of: text, maximumLength: 99)
  }

  private static let pieces = ["<unk>", "a", "b", "ab", "<0xC3>", "<0xA9>"]

  @Test func unknownCharacters() throws {
    let plain = try Self.tokenizer(Self.pieces, ["a b"])
    #expect(Self.ids(plain, "abxya") == [3, 1] && plain.unknownID == nil)
    let unknown = try Self.tokenizer(Self.pieces, ["a b"], ["unk_token": "<unk>"])
    #expect(Self.ids(unknown, "abxya") == [3, 0, 0, 1] && unknown.unknownID == 0)
    let fused = try Self.tokenizer(
      Self.pieces, ["a b"], ["unk_token": "<unk>", "fuse_unk": true])
    #expect(Self.ids(fused, "abxya") == [3, 0, 1])
  }

  /// A character whose bytes are not all there is unknown, and goes behind one whose bytes are.
  @Test func bytesOfUnknownCharacters() throws {
    let tokenizer = try Self.tokenizer(
      Self.pieces, [], ["unk_token": "<unk>", "byte_fallback": true])
    #expect(Self.ids(tokenizer, "a\u{E9}b") == [1, 4, 5, 2])
    #expect(Self.ids(tokenizer, "\u{E8}\u{E9}b") == [4, 5, 0, 2])
  }

  @Test func wholeWordsFirst() throws {
    let pieces = ["a", "b", "c", "ab", "abc"]
    #expect(Self.ids(try Self.tokenizer(pieces, ["a b"]), "abc") == [3, 2])
    let whole = try Self.tokenizer(pieces, ["a b"], ["ignore_merges": true])
    #expect(Self.ids(whole, "abc") == [4] && Self.ids(whole, "abca") == [3, 2, 0])
  }

  @Test func affixes() throws {
    let pieces = ["a", "##a", "##b", "ab", "##b</w>", "ab</w>", "a</w>", "aa"]
    let tokenizer = try Self.tokenizer(
      pieces, ["a ##b", "a ##b</w>"],
      ["continuing_subword_prefix": "##", "end_of_word_suffix": "</w>"],
      preTokenizer: ["type": "WhitespaceSplit"])
    #expect(Self.ids(tokenizer, "ab a aba abab") == [5, 6, 3, 3, 1, 4])
  }

  /// The first line of a file of merges, where it was taken along.
  @Test func versionOfMerges() throws {
    let tokenizer = try Self.tokenizer(["a", "b", "ab"], ["#version: 0.2", "a b"])
    #expect(Self.ids(tokenizer, "ab") == [2])
  }

  /// A text without any space is one word; a search through all pairs would take hours.
  @Test(.timeLimit(.minutes(240))) func longWords() throws {
    let tokenizer = try Self.tokenizer(
      ["a", "aa", "aaaa"], ["a a", "aa aa"],
      preTokenizer: [
        "type": "Split", "pattern": ["String": " "], "behavior": "MergedWithPrevious",
        "invert": false,
      ])
    let text = String(repeating: "a", count: 1 << 20)
    #expect(
      tokenizer.ids(of: text, maximumLength: .max)
        == [Int32](repeating: 2, count: 1 << 18))
  }
}

/// What transformers 4 and 5 make of files of byte pairs.
struct BytePairClassTests {
  private static func files(
    _ kind: String, _ version: JSONValue, _ configuration: [String: JSONValue] = [:],
    addsSpace: Bool = false
  ) -> TokenizerFiles {
    var small = SmallBytePairs()
    small.model["end_of_word_suffix"] = .null
    small.parts["normalizer"] = .null
    small.parts["pre_tokenizer"] = .object(
      SmallBytePairs.byteLevel.merging(["add_prefix_space": .bool(addsSpace)]) { $1 })
    small.parts["added_tokens"] = [
      SmallBytePairs.added("<|startoftext|>", 519, isNormalized: false),
      SmallBytePairs.added("<|endoftext|>", 520, isNormalized: false),
    ]
    let names: [String: JSONValue] = [
      "tokenizer_class": .string(kind), "bos_token": "<|startoftext|>",
      "eos_token": "<|endoftext|>", "cls_token": "<|startoftext|>", "sep_token": "<|endoftext|>",
      "unk_token": "<|endoftext|>", "pad_token": "<|endoftext|>", "mask_token": "<|endoftext|>",
    ]
    let settings = JSONValue.object(names.merging(configuration) { $1 })
    let model: JSONValue = ["model_type": "roberta", "transformers_version": version]
    let file = { (name: TokenizerFiles.Name, bytes: [UInt8]) in
      (name, TokenizerFiles.File(origin: name.rawValue, bytes: bytes))
    }
    return TokenizerFiles(
      Dictionary(uniqueKeysWithValues: [
        file(.tokenizer, small.json), file(.configuration, Array(settings.compact.utf8)),
        file(.model, Array(model.compact.utf8)),
      ]))
  }

  private static func ids(_ files: TokenizerFiles) throws -> [Int32] {
    try TextTokenizers.read(files).ids(of: "he", maximumLength: 9)
  }

  @Test func robertaReadsTheSameInBoth() throws {
    for version in [JSONValue.null, "4.57.6", "5.23.0"] {
      #expect(try Self.ids(Self.files("RobertaTokenizer", version)) == [519, 512, 520])
    }
  }

  /// Up to 4.57 `add_prefix_space` of `tokenizer_config.json` counts, false where it is missing.
  @Test func spacesInFront() throws {
    let plain = "PreTrainedTokenizerFast"
    #expect(try Self.ids(Self.files(plain, "4.57.6", addsSpace: true)) == [519, 512, 520])
    #expect(try Self.ids(Self.files(plain, "5.23.0", addsSpace: true)) == [519, 32, 512, 520])
    #expect(throws: PreprocessingError.self) {
      try Self.ids(Self.files(plain, .null, addsSpace: true))
    }
    let said: [String: JSONValue] = ["add_prefix_space": true]
    #expect(try Self.ids(Self.files(plain, .null, said, addsSpace: true)) == [519, 32, 512, 520])
  }

  @Test func refusesAMaskThatNoFileLists() {
    #expect {
      try Self.ids(Self.files("RobertaTokenizer", "4.57.6", ["mask_token": "h"]))
    } throws: {
      "\($0)".hasSuffix(
        "the token for masks, 'h', is not among the added tokens: versions of the library disagree "
          + "how it is then found")
    }
  }
}
