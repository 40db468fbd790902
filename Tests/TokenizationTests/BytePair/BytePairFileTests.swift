import StrictJSON
import TestSupport
import Testing

@testable import Tokenization

/// Files of byte pairs that are refused, each with its message.
struct BytePairFileTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let cleaning: TextCleaning
    let change: @Sendable (inout SmallBytePairs) -> Void
    /// Without the place, which follows the file's name.
    let message: String

    init(
      _ name: String, _ message: String, _ cleaning: TextCleaning = .asFileSays,
      _ change: @escaping @Sendable (inout SmallBytePairs) -> Void
    ) {
      self.name = name
      self.cleaning = cleaning
      self.change = change
      self.message = message
    }

    var testDescription: String { name }
  }

  static func split(_ changes: [String: JSONValue]) -> JSONValue {
    SmallBytePairs.sequence(
      SmallBytePairs.split.merging(changes) { $1 }, SmallBytePairs.byteLevel)
  }

  private static let kinds = TextTokenizers.kinds.map { $0.modelType }.joined(separator: ", ")

  static let models: [Case] = [
    Case("another model", "model 'Bigram' is not supported; known: \(kinds)") {
      $0.model["type"] = "Bigram"
    },
    Case(
      "another model for OpenCLIP", "model for OpenCLIP 'WordPiece' is not supported; known: BPE",
      .openCLIP
    ) {
      $0.model["type"] = "WordPiece"
    },
    Case("dropout", "dropout of model 'BPE' 'the number 0.1' is not supported; known: null") {
      $0.model["dropout"] = .double(0.1)
    },
    Case(
      "byte fallback", "byte_fallback of model 'BPE' 'true' is not supported; known: false",
      .openCLIP
    ) { $0.model["byte_fallback"] = true },
    Case(
      "whole words first", "ignore_merges of model 'BPE' 'true' is not supported; known: false",
      .openCLIP
    ) { $0.model["ignore_merges"] = true },
    Case(
      "prefix", "continuing_subword_prefix of model 'BPE' '##' is not supported; known: none",
      .openCLIP
    ) { $0.model["continuing_subword_prefix"] = "##" },
    Case(
      "no suffix", "end_of_word_suffix of model 'BPE' '' is not supported; known: </w>", .openCLIP
    ) { $0.model["end_of_word_suffix"] = .null },
    Case("a merge without the prefix", "merge 0, 'h e', needs '##' before its second half") {
      $0.model["continuing_subword_prefix"] = "##"
    },
    Case("no piece", "'vocab' is empty") {
      $0.model["vocab"] = [:]
      $0.model["merges"] = []
    },
    Case("fusing as text", "'fuse_unk' is the string \"yes\", expected true or false") {
      $0.model["fuse_unk"] = "yes"
    },
    Case("unknown token not known", "unk_token '<unk>' is not in the vocabulary") {
      $0.model["unk_token"] = "<unk>"
    },
    Case("no merges", "the key 'merges' is missing") { $0.model["merges"] = nil },
    Case("merges as text", "'merges' is the string \"h e\", expected an array") {
      $0.model["merges"] = "h e"
    },
    Case("a merge of one", "merge 1 is 'ell', expected two tokens with a space between") {
      $0.model["merges"] = ["h e", "ell"]
    },
    Case("a merge of three", "merge 0 is 'h e l', expected two tokens with a space between") {
      $0.model["merges"] = ["h e l"]
    },
    Case("a pair of three", "merge 0 is an array of 3, expected two tokens") {
      $0.model["merges"] = [["h", "e", "l"]]
    },
    Case("a pair of numbers", "merge 0 is an array of 2, expected two tokens") {
      $0.model["merges"] = [["h", 1]]
    },
    Case("a merge as a number", "merge 0 is the number 5, expected two tokens") {
      $0.model["merges"] = [5]
    },
    Case("left half", "merge 0, 'xy e', needs 'xy', which is not in the vocabulary") {
      $0.model["merges"] = ["xy e"]
    },
    Case("right half", "merge 0, 'h ', needs '', which is not in the vocabulary") {
      $0.model["merges"] = ["h "]
    },
    Case("whole", "merge 0, 'e h', needs 'eh', which is not in the vocabulary") {
      $0.model["merges"] = [["e", "h"]]
    },
    Case("a merge twice", "merge 2, 'h e', appears twice, first as merge 0") {
      $0.model["merges"] = ["h e", "l l", ["h", "e"]]
    },
    Case("a byte within words", "byte 65 has no token: 'A' is not in the vocabulary", .openCLIP) {
      $0.model["vocab"] = SmallTokenizer.ids(
        of: SmallBytePairs.vocabulary().map { $0 == "A" ? "~~" : $0 })
    },
    Case(
      "a byte that ends words", "byte 32 has no token: 'Ġ</w>' is not in the vocabulary", .openCLIP
    ) {
      $0.model["vocab"] = SmallTokenizer.ids(
        of: SmallBytePairs.vocabulary().map { $0 == "Ġ</w>" ? "~~" : $0 })
    },
    Case("one id for two", "'b' and 'c' have the same id 1") {
      $0.model["vocab"] = ["a": 0, "b": 1, "c": 1]
    },
    Case(
      "merges out of order for OpenCLIP",
      "merge 0, 'he ll', comes before merge 1, which makes a half of it", .openCLIP
    ) { $0.model["merges"] = ["he ll", "h e", "l l"] },
  ]

  static let cutting: [Case] = [
    Case(
      "another pattern",
      "pattern of pre_tokenizer 'Split' '\\w+' is not supported; known: "
        + SplitPattern.known.map(\.text).joined(separator: ", ")
    ) { $0.parts["pre_tokenizer"] = split(["pattern": ["Regex": "\\w+"]]) },
    Case("an empty pattern", "'String' is empty") {
      $0.parts["pre_tokenizer"] = split(["pattern": ["String": ""]])
    },
    Case("two patterns", "holds 2 patterns, expected 1") {
      $0.parts["pre_tokenizer"] = split(["pattern": ["String": " ", "Regex": "\\s+"]])
    },
    Case(
      "another behaviour",
      "behavior of pre_tokenizer 'Split' 'Kept' is not supported; known: Isolated, Removed, "
        + "MergedWithPrevious, MergedWithNext, Contiguous"
    ) { $0.parts["pre_tokenizer"] = split(["behavior": "Kept"]) },
    Case("no word on inverting", "the key 'invert' is missing") {
      $0.parts["pre_tokenizer"] = .object(SmallBytePairs.split.filter { $0.key != "invert" })
    },
    Case("no word on a space in front", "the key 'add_prefix_space' is missing") {
      $0.parts["pre_tokenizer"] = ["type": "ByteLevel"]
    },
    Case(
      "another normalizer",
      "normalizer 'NFX' is not supported; known: \(Normalizer.known.joined(separator: ", "))"
    ) { $0.parts["normalizer"] = ["type": "NFX"] },
    Case(
      "special token with another id",
      "special token '<|endoftext|>' has id 3 here and 520 in the vocabulary"
    ) {
      $0.parts["post_processor"] = [
        "type": "RobertaProcessing", "sep": ["<|endoftext|>", 3], "cls": ["<|startoftext|>", 519],
      ]
    },
    Case(
      "no special tokens for OpenCLIP",
      "'post_processor' puts 0 tokens before a text and 0 behind it, OpenCLIP needs 1 and 1",
      .openCLIP
    ) { $0.parts["post_processor"] = .null },
  ]

  @Test(arguments: models + cutting) func refuses(_ test: Case) throws {
    var small = SmallBytePairs()
    test.change(&small)
    #expect(Self.message(small.json, test.cleaning) == test.message)
  }

  /// OpenCLIP cleans and cuts in its own way: what the file says of it is not read.
  @Test func openCLIPLeavesTheFilesWayAside() throws {
    var small = SmallBytePairs()
    small.parts["normalizer"] = ["type": "NFX"]
    small.parts["pre_tokenizer"] = ["type": "Elsewhere"]
    #expect(try small.tokenizer(.openCLIP).ids(of: "Hello", maximumLength: 9) == [519, 515, 520])
  }

  @Test func namesThePlace() {
    let text = Array("{\"model\": {\n\"type\": \"BPE\", \"dropout\": 0.5}}".utf8)
    #expect(throws: PreprocessingError.self) {
      try TextTokenizers.read(json: text, origin: "f.json", cleaning: .openCLIP)
    }
    do {
      _ = try TextTokenizers.read(json: text, origin: "f.json", cleaning: .openCLIP)
    } catch {
      #expect(
        "\(error)" == "f.json:2:27: dropout of model 'BPE' 'the number 0.5' is not supported; "
          + "known: null")
    }
  }

  @Test func aTruncatedFileIsRefusedWherever() throws {
    let json = SmallBytePairs().json
    for length in stride(from: 0, to: json.count, by: 7) {
      #expect(throws: PreprocessingError.self) {
        try TextTokenizers.read(json: Array(json[..<length]), origin: "f", cleaning: .asFileSays)
      }
    }
  }

  private static func message(_ json: [UInt8], _ cleaning: TextCleaning) -> String {
    do {
      _ = try TextTokenizers.read(json: json, origin: "tokenizer.json", cleaning: cleaning)
      return "accepted"
    } catch {
      let parts = "\(error)".split(separator: ": ", maxSplits: 1)
      return parts.count == 2 ? String(parts[1]) : "\(error)"
    }
  }
}
