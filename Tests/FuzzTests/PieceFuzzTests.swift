import StrictJSON
import TestSupport
import Testing

@testable import Tokenization

/// Tokenizers of pieces: Unigram, byte pairs by a pattern, single words, and files of pieces in the place
/// of a `tokenizer.json`.
extension FuzzTests {
  private static func file(_ parts: [String: JSONValue]) -> [UInt8] {
    Array(JSONValue.object(parts).compact.utf8)
  }

  private static let pieces: [(String, Double)] = [
    ("<unk>", 0), ("\u{2581}", -2.5), ("a", -1), ("ab", -1.25), ("\u{2581}a", -2), ("<0x0A>", -3),
    ("fi", -4), ("b", -2),
  ]
  private static let unigram: JSONValue = [
    "type": "Unigram", "unk_id": 0, "byte_fallback": true,
    "vocab": .array(pieces.map { [.string($0.0), .double($0.1)] }),
  ]

  private static let added: JSONValue = [
    [
      "id": 8, "content": "<x>", "single_word": true, "lstrip": true, "rstrip": false,
      "normalized": true, "special": false,
    ],
    [
      "id": 0, "content": "<unk>", "single_word": false, "lstrip": false, "rstrip": true,
      "normalized": false, "special": true,
    ],
  ]

  private static func split(_ pattern: String, _ behavior: String) -> JSONValue {
    [
      "type": "Split", "pattern": ["Regex": .string(pattern)], "behavior": .string(behavior),
      "invert": false,
    ]
  }

  private static let qwen =
    #"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*"#
    + #"|\s*[\r\n]+|\s+(?!\S)|\s+"#

  static let pieceTokenizers: [[UInt8]] = [
    file([
      "model": unigram, "added_tokens": added,
      "normalizer": [
        "type": "Sequence",
        "normalizers": [
          ["type": "Nmt"], ["type": "NFKC"],
          ["type": "Replace", "pattern": ["Regex": " {2,}"], "content": " "],
          ["type": "Strip", "strip_left": false, "strip_right": true],
        ],
      ],
      "pre_tokenizer": [
        "type": "Metaspace", "replacement": "\u{2581}", "prepend_scheme": "first", "split": true,
      ],
    ]),
    file([
      "model": unigram,
      "normalizer": [
        "type": "Precompiled",
        "precompiled_charsmap": .string(Base64.encode(SmallSentencePiece.characterMap)),
      ],
      "pre_tokenizer": [
        "type": "Sequence",
        "pretokenizers": [
          ["type": "WhitespaceSplit"], ["type": "Digits", "individual_digits": true],
          ["type": "Metaspace", "replacement": "\u{2581}", "prepend_scheme": "always"],
        ],
      ],
    ]),
    file([
      "model": [
        "type": "BPE", "unk_token": "a", "fuse_unk": true, "byte_fallback": true,
        "ignore_merges": true, "merges": [["a", "b"], ["ab", "a"]],
        "vocab": ["a": 0, "b": 1, "ab": 2, "aba": 3, "<0x0A>": 4, "\u{120}": 5],
      ],
      "normalizer": ["type": "NFC"],
      "pre_tokenizer": [
        "type": "Sequence",
        "pretokenizers": [
          split(qwen, "Isolated"),
          ["type": "ByteLevel", "add_prefix_space": true, "use_regex": false],
        ],
      ],
    ]),
    file([
      "model": [
        "type": "WordLevel", "unk_token": "a", "vocab": ["a": 0, "b": 1, "ab": 2],
      ],
      "pre_tokenizer": ["type": "Whitespace"],
    ]),
  ]

  private static let pieceTexts = [
    "", "ab <x> \u{FB01}Aabba\n  'S 12 <unk>",
    "\u{2581}\u{2581} a\u{301}\u{1F468}\u{200D}\u{1F466}",
    String(repeating: "ab", count: 60),
  ]

  /// Whether all ids are those of the vocabulary, and a limit only cuts.
  private static func hasSoundIDs(
    _ tokenizer: any TextTokenizer, of texts: [String] = pieceTexts
  ) -> Bool {
    guard tokenizer.paddingID >= 0 else { return false }
    let bare = tokenizer.ids(of: "", maximumLength: 1 << 20).count
    return texts.allSatisfy { text in
      let all = tokenizer.ids(of: text, maximumLength: 1 << 20)
      return all.allSatisfy { 0..<tokenizer.vocabularySize ~= Int($0) }
        && [0, 1, 7].allSatisfy { limit in
          tokenizer.ids(of: text, maximumLength: limit).count == min(max(limit, bare), all.count)
        }
    }
  }

  @Test func tokenizersOfPieces() {
    run("tokenizers of pieces", FuzzTests.pieceTokenizers) { bytes in
      parsing([PreprocessingError.self]) {
        FuzzTests.hasSoundIDs(
          try TextTokenizers.read(json: bytes, origin: "f", cleaning: .asFileSays))
      }
    }
  }

  private static let sentencePieces: [[UInt8]] = {
    var mapped = SmallSentencePiece()
    mapped.map = SmallSentencePiece.characterMap
    mapped.pieces.append(("fi", -4, 1))
    return [SmallSentencePiece().bytes, mapped.bytes]
  }()

  @Test(arguments: ["4.57.6", "5.23.0"]) func sentencePieceModels(_ version: String) {
    let config = FuzzTests.file([
      "tokenizer_class": "XLMRobertaTokenizer", "transformers_version": .string(version),
    ])
    run("SentencePiece models, \(version)", FuzzTests.sentencePieces) { bytes in
      parsing([PreprocessingError.self]) {
        FuzzTests.hasSoundIDs(
          try TextTokenizers.read(
            TokenizerFiles([
              .sentencePieceBPE: .init(origin: "f", bytes: bytes),
              .model: .init(origin: "config.json", bytes: config),
            ])))
      }
    }
  }

  private static let table = file([
    "<s>": 0, "</s>": 1, "<unk>": 2, "<mask>": 3, "a": 4, "b": 5, "ab": 6, "<pad>": 7,
  ])
  private static let mergeFile = Array("#version: 0.2\na b\n".utf8)

  @Test(arguments: [TokenizerFiles.Name.bytePairs, .merges])
  func filesOfBytePairs(_ name: TokenizerFiles.Name) {
    let config = FuzzTests.file([
      "tokenizer_class": "RobertaTokenizer", "transformers_version": "4.57.6",
    ])
    let seed = name == .merges ? FuzzTests.mergeFile : FuzzTests.table
    // A special token that the table lacks has an id behind the table, as in the library: no text
    // spells one.
    let texts = FuzzTests.pieceTexts.map { $0.replacing("<unk>", with: "unk") }
    run("files of byte pairs, \(name.rawValue)", [seed]) { bytes in
      let table = name == .merges ? FuzzTests.table : bytes
      let merges = name == .merges ? bytes : FuzzTests.mergeFile
      return parsing([PreprocessingError.self]) {
        FuzzTests.hasSoundIDs(
          try TextTokenizers.read(
            TokenizerFiles([
              .bytePairs: .init(origin: "vocab.json", bytes: table),
              .merges: .init(origin: "merges.txt", bytes: merges),
              .model: .init(origin: "config.json", bytes: config),
            ])), of: texts)
      }
    }
  }
}
