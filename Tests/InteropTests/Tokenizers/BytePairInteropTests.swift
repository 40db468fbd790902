import Foundation
import StrictJSON
import TestSupport
import Testing
import Tokenization

/// Our ids of CLIP's vocabulary against those of Hugging Face's tokenizers library and of OpenCLIP,
/// text by text.
@Suite(.enabled(if: Oracle.isAvailable, "no oracle environment: run scripts/test"))
struct BytePairInteropTests {
  /// Who else makes ids of a text.
  enum Peer: String, CaseIterable, CustomTestStringConvertible {
    case huggingFace, huggingFaceRaw, openCLIP

    var testDescription: String { rawValue }
    var cleaning: TextCleaning { self == .openCLIP ? .openCLIP : .asFileSays }

    /// One line of ids for each line of a file of texts.
    func ids(_ tokenizer: String, _ texts: String, _ maximumLength: Int) throws -> String {
      self == .openCLIP
        ? try Oracle.run("tokenize_openclip.py", [texts, "\(maximumLength)"])
        : try Oracle.run("tokenize_hf.py", [tokenizer, texts, "\(maximumLength)"])
    }
  }

  /// Another `tokenizer.json` than the one made from OpenCLIP's vocabulary.
  static let otherTokenizer = ProcessInfo.processInfo.environment["INGOT_CLIP_TOKENIZER"]

  @Test(arguments: Peer.allCases, [77, 9]) func knownStrings(_ peer: Peer, length: Int) throws {
    try compare(peer, Self.knownStrings(), length)
  }

  @Test(arguments: Peer.allCases) func randomStrings(_ peer: Peer) throws {
    try compare(peer, TokenizerInteropTests.randomStrings(), 77)
    try compare(peer, Self.brokenStrings(count: 40_000), 77)
  }

  /// Scalars of every kind between letters, and twice in a row.
  @Test(arguments: [Peer.huggingFace, .openCLIP]) func everyScalar(_ peer: Peer) throws {
    for part in CharacterTokenizer.parts { try compare(peer, part.texts, 2000) }
  }

  /// How Hugging Face's way and OpenCLIP's differ, where neither is wrong.
  @Test func theTwoWaysDiffer() throws {
    let folder = try TemporaryFolder()
    let json = try Self.tokenizer(in: folder, .huggingFace).json
    let file = try TextTokenizers.read(json: json, origin: "f", cleaning: .asFileSays)
    let openCLIP = try TextTokenizers.read(json: json, origin: "f", cleaning: .openCLIP)
    let differing = ["it’s", "&amp;", "ﬁ", "schÃ¶n", "ΑΣ", "Ａ", "<start_of_text>", "a\u{0}b"]
    let same = ["a photo of a cat", "İ", "猫の写真", "e\u{301}", "\u{1F600}", "", "x&y", "a\t b"]
    for (texts, areSame) in [(differing, false), (same, true)] {
      for text in texts {
        let ids = [file, openCLIP].map { $0.ids(of: text, maximumLength: 77) }
        #expect((ids[0] == ids[1]) == areSame, "\(text): \(ids)")
      }
    }
    #expect(file.paddingID == 49407 && openCLIP.paddingID == 0)
    #expect(file.vocabularySize == 49408 && openCLIP.vocabularySize == 49408)
  }

  /// Numbers too long for Python's `int` end OpenCLIP with an error; here they are read.
  @Test func whereOpenCLIPFails() throws {
    let folder = try TemporaryFolder()
    let texts = [4300, 4301].map { "&#" + String(repeating: "1", count: $0) + ";" }
    let lines = texts.map { JSONValue.object(["text": .string($0)]).compact + "\n" }.joined()
    try lines.write(toFile: folder.path("in.jsonl"), atomically: true, encoding: .utf8)
    let printed = try Oracle.run("tokenize_openclip.py", [folder.path("in.jsonl"), "77"])
    let json = try Self.tokenizer(in: folder, .openCLIP).json
    let tokenizer = try TextTokenizers.read(json: json, origin: "f", cleaning: .openCLIP)
    let ours = texts.map { "\(tokenizer.ids(of: $0, maximumLength: 77))" }
    #expect(printed.split(separator: "\n").map { String($0) } == [ours[0], "null"])
    #expect(ours[1] == ours[0])
  }

  /// Fails where a text has other ids than the peer gives, naming the first few such texts.
  private func compare(_ peer: Peer, _ texts: [String], _ maximumLength: Int) throws {
    try #require(!texts.isEmpty)
    let folder = try TemporaryFolder()
    let tokenizerFile = try Self.tokenizer(in: folder, peer)
    let lines = texts.map { JSONValue.object(["text": .string($0)]).compact + "\n" }.joined()
    try lines.write(toFile: folder.path("in.jsonl"), atomically: true, encoding: .utf8)
    let printed = try peer.ids(tokenizerFile.path, folder.path("in.jsonl"), maximumLength)
    let expected = printed.split(separator: "\n")
    try #require(expected.count == texts.count)

    let tokenizer = try TextTokenizers.read(
      json: tokenizerFile.json, origin: "tokenizer.json", cleaning: peer.cleaning)
    var differences: [String] = []
    for (text, ids) in zip(texts, expected) {
      let ours = "\(tokenizer.ids(of: text, maximumLength: maximumLength))"
      if ours != ids {
        differences.append("\(JSONValue.string(text).compact): \(ours), not \(ids)")
      }
    }
    #expect(differences.isEmpty, "\(differences.count) of \(texts.count): \(differences.prefix(9))")
  }

  private static func tokenizer(
    in folder: TemporaryFolder, _ peer: Peer
  ) throws -> (path: String, json: [UInt8]) {
    let path = otherTokenizer ?? folder.path("tokenizer.json")
    if otherTokenizer == nil {
      let options = peer == .huggingFaceRaw ? ["--raw"] : []
      _ = try Oracle.run("make_clip_tokenizer.py", [path] + options)
    }
    return (path, [UInt8](try Data(contentsOf: URL(filePath: path))))
  }

  /// The strings of both scripts.
  private static func knownStrings() throws -> [String] {
    let folder = try TemporaryFolder()
    _ = try Oracle.run("clip_strings.py", [folder.path("strings.jsonl")])
    let own = try TokenizerInteropTests.strings(at: folder.path("strings.jsonl"))
    try #require(own.count >= 1000)
    return try own + TokenizerInteropTests.trickyStrings()
  }

  /// Texts of those characters that bytes of UTF-8 become in other encodings, with characters of HTML
  /// and the characters around them.
  private static func brokenStrings(count: Int) -> [String] {
    let blocks: [ClosedRange<UInt32>] = [
      0x80...0xFF, 0xC0...0xFF, 0xC2...0xC3, 0x80...0xBF, 0xE0...0xEF, 0x100...0x17F,
      0x391...0x3CE, 0x401...0x45F, 0x2013...0x2030, 0x20A7...0x20AC, 0x2122...0x2122,
      0x2550...0x256C, 0x2C6...0x2DD, 0xFB01...0xFB02, 0xFFFD...0xFFFD, 0x61...0x7A, 0x41...0x5A,
      0x20...0x3F, 0x3A3...0x3A3,
    ]
    let words = [
      "&amp;", "&lt", "&#195;", "&eacute;", "&EACUTE;", "Ã©", "â€™", "ðŸ˜€", "\u{301}", "\n",
      "\r\n",
      "\u{1B}[1m", "it's", "<", "Å“", "í\u{A0}½í¸\u{80}", "À\u{80}", "Ã ", " ", "?", "\u{AD}", "ß",
    ]
    var state: UInt64 = 20_260_303
    // A linear congruential generator (Knuth, MMIX): the high bits of the state.
    func random(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    return (0..<count).map { _ in
      var text = ""
      let favourite = blocks[random(blocks.count)]
      for _ in 0...random(7) {
        if random(4) == 0 {
          text += words[random(words.count)]
          continue
        }
        let block = random(2) == 0 ? favourite : blocks[random(blocks.count)]
        let value = block.lowerBound + UInt32(random(block.count))
        if let scalar = Unicode.Scalar(value) { text.unicodeScalars.append(scalar) }
      }
      return text
    }
  }
}
