import StrictJSON
import Testing

@testable import Tokenization

/// Files that say how text becomes ids of byte pairs, and texts that are cleaned as OpenCLIP does.
extension FuzzTests {
  /// A file in the form of CLIP's: all bytes, a few merges, and with a change for another seed.
  private static func bytePairs(_ merges: JSONValue, _ postProcessor: JSONValue) -> [UInt8] {
    let alphabet = ByteAlphabet.scalars.compactMap { Unicode.Scalar($0).map { String($0) } }
    let tokens =
      alphabet + alphabet.map { $0 + "</w>" } + ["he", "ll", "hell", "hello</w>", "<s>", "</s>"]
    let vocabulary = Dictionary(
      uniqueKeysWithValues: tokens.enumerated().map { ($1, JSONValue.integer($0)) })
    let added: JSONValue = [
      "id": 517, "content": "</s>", "special": true, "normalized": true, "single_word": false,
      "lstrip": false, "rstrip": true,
    ]
    let file: JSONValue = [
      "version": "1.0", "truncation": ["max_length": 8], "padding": ["pad_id": 0],
      "added_tokens": [added],
      "normalizer": [
        "type": "Sequence",
        "normalizers": [
          ["type": "NFC"], ["type": "Replace", "pattern": ["Regex": "\\s+"], "content": " "],
          ["type": "Lowercase"],
        ],
      ],
      "pre_tokenizer": [
        "type": "Sequence",
        "pretokenizers": [
          [
            "type": "Split", "pattern": ["Regex": .string(BytePairSplitter.pattern)],
            "behavior": "Removed", "invert": true,
          ],
          ["type": "ByteLevel", "add_prefix_space": false],
        ],
      ],
      "post_processor": postProcessor,
      "model": [
        "type": "BPE", "dropout": .null, "unk_token": "</s>", "continuing_subword_prefix": "",
        "end_of_word_suffix": "</w>", "fuse_unk": false, "byte_fallback": false,
        "ignore_merges": false, "vocab": .object(vocabulary), "merges": merges,
      ],
    ]
    return Array(file.compact.utf8)
  }

  private static let bytePairFiles = [
    bytePairs(
      ["h e", "l l", "he ll", "hell o</w>"],
      ["type": "RobertaProcessing", "sep": ["</s>", 517], "cls": ["<s>", 516]]),
    bytePairs(
      [["h", "e"], ["l", "l"], ["he", "ll"], ["hell", "o</w>"]],
      [
        "type": "TemplateProcessing", "pair": [],
        "single": [
          ["SpecialToken": ["id": "<s>"]], ["Sequence": ["id": "A"]],
          ["SpecialToken": ["id": "</s>"]],
        ],
        "special_tokens": [
          "<s>": ["id": "<s>", "ids": [516], "tokens": ["<s>"]],
          "</s>": ["id": "</s>", "ids": [517], "tokens": ["</s>"]],
        ],
      ]),
  ]

  private static let clipTexts = [
    "", "Hello, hellhello </s> it's 12", "caf\u{C3}\u{A9} &amp;#65; \u{201C}\u{1F600}\u{0}",
    "<end_of_text>\u{17F}\u{3A3}", String(repeating: "ab ", count: 40),
  ]

  @Test func bytePairTokenizers() {
    run("byte-pair tokenizers", FuzzTests.bytePairFiles) { bytes in
      var accepted: Bool?
      for cleaning in [TextCleaning.asFileSays, .openCLIP] {
        let isSound = parsing([PreprocessingError.self]) {
          let tokenizer = try TextTokenizers.read(json: bytes, origin: "f", cleaning: cleaning)
          guard tokenizer.paddingID >= 0 else { return false }
          return FuzzTests.clipTexts.allSatisfy { FuzzTests.isSound(tokenizer, $0) }
        }
        if let isSound { accepted = (accepted ?? true) && isSound }
      }
      return accepted
    }
  }

  /// Texts of any bytes: cleaning ends, cleaned text holds scalars only, and nothing to be collapsed.
  @Test func textsCleanedAsOpenCLIP() {
    let seeds = bytes([
      "l'\u{E9}t\u{E9} \u{C3}\u{A9}t\u{C3}\u{A9} \u{E2}\u{80}\u{94} &amp;lt; <b>\r\n\u{FF21}\u{FB03}",
      "\u{1B}[1m\u{ED}\u{A0}\u{BD}\u{ED}\u{B8}\u{80} \u{C0}\u{80} &#x110000; \u{3A3}\u{301}",
      "\u{420}\u{457} \u{221A}\u{A9} \u{C3} la mode \u{FFFD} \u{85} &notit; &EACUTE; 's",
    ])
    run("texts cleaned as OpenCLIP", seeds + [[0xFF]]) { bytes in
      // Half of the texts are kept as an example of what is refused: those that are not UTF-8.
      guard bytes == [0xFF] || String(utf8: bytes) != nil else { return nil }
      let text = String(decoding: bytes, as: UTF8.self).unicodeScalars.map(\.value)
      let cleaned = OpenCLIPCleaning.clean(text)
      let pairs = zip(cleaned, cleaned.dropFirst())
      return cleaned.allSatisfy { Unicode.Scalar($0) != nil } && cleaned.first != 0x20
        && cleaned.last != 0x20 && !pairs.contains { $0 == 0x20 && $1 == 0x20 }
    }
  }

  /// Whether all ids are those of the vocabulary, and a limit only cuts.
  private static func isSound(_ tokenizer: any TextTokenizer, _ text: String) -> Bool {
    let all = tokenizer.ids(of: text, maximumLength: 1 << 20)
    guard all.allSatisfy({ 0..<tokenizer.vocabularySize ~= Int($0) }) else { return false }
    let bare = tokenizer.ids(of: "", maximumLength: 1 << 20)
    return [0, 1, 7, tokenizer.declaredMaximumLength ?? 77].allSatisfy { limit in
      let ids = tokenizer.ids(of: text, maximumLength: limit)
      return ids.count == min(max(limit, bare.count), all.count)
    }
  }
}
