import StrictJSON
import TestSupport
import Testing

@testable import Tokenization

/// Files that are refused, each with its message.
struct UnigramFileTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let message: String
    let change: @Sendable (inout SmallTokenizer) -> Void
    var testDescription: String { message }

    init(_ message: String, _ change: @escaping @Sendable (inout SmallTokenizer) -> Void) {
      self.message = message
      self.change = change
    }
  }

  static func map(_ text: String) -> JSONValue {
    ["type": "Precompiled", "precompiled_charsmap": .string(text)]
  }

  static let cases: [Case] = [
    Case("'vocab' is empty") { $0.model["vocab"] = [] },
    Case("the piece 0 of 'vocab' is the string \"a\", expected a text and a finite score") {
      $0.model["vocab"] = ["a"]
    },
    Case("the piece 0 of 'vocab' is an array of 2, expected a text and a finite score") {
      $0.model["vocab"] = [["a", "0"]]
    },
    Case("the pieces 0 and 1 of 'vocab' are the same, 'a'") {
      $0.model["vocab"] = [["a", 0], ["a", -1]]
    },
    Case("'unk_id' is the number 13, expected 0...12") { $0.model["unk_id"] = 13 },
    Case(
      "has no 'unk_id': the library fails on a text with a character that it does not know"
    ) { $0.model["unk_id"] = .null },
    Case("'precompiled_charsmap' is not base64") { $0.parts["normalizer"] = map("a") },
    Case("'precompiled_charsmap' is shorter than its first number") {
      $0.parts["normalizer"] = map("")
    },
    Case("'precompiled_charsmap' has a trie of 8 bytes, and 4 bytes follow") {
      $0.parts["normalizer"] = map("CAAAAAAAAAA=")
    },
    Case("'precompiled_charsmap' has a trie that leads out of itself") {
      $0.parts["normalizer"] = map("BAAAAAAAAAA=")
    },
    Case("replacement of pre_tokenizer 'Metaspace' 'ab' is not supported; known: one character") {
      $0.parts["pre_tokenizer"] = ["type": "Metaspace", "replacement": "ab"]
    },
    Case(
      "prepend_scheme of pre_tokenizer 'Metaspace' 'last' is not supported; known: always, first, "
        + "never"
    ) {
      $0.parts["pre_tokenizer"] = [
        "type": "Metaspace", "replacement": "_", "prepend_scheme": "last",
      ]
    },
    Case(
      "add_prefix_space of pre_tokenizer 'Metaspace' with prepend_scheme 'always' 'false' is not "
        + "supported; known: true"
    ) {
      $0.parts["pre_tokenizer"] = [
        "type": "Metaspace", "replacement": "_", "add_prefix_space": false,
      ]
    },
  ]

  @Test(arguments: cases) func refuses(_ test: Case) {
    #expect(SmallUnigram.refusal(test.change) == test.message)
  }

  /// From transformers 5.0 on the class builds everything but the pieces itself.
  @Test func refusesWhatVersionsReadInOtherWays() throws {
    var folder = SmallFolder()
    folder.configuration = ["tokenizer_class": "XLMRobertaTokenizerFast"]
    folder.model = ["model_type": "bert", "transformers_version": "5.23.0"]
    folder.tokenizer = SmallUnigram.file()
    #expect(folder.refusal == "accepted")
    folder.tokenizer = SmallUnigram.file {
      $0.parts["pre_tokenizer"] = ["type": "Metaspace", "replacement": "\u{2581}"]
      $0.parts["normalizer"] = ["type": "NFKC"]
    }
    #expect(
      folder.refusal.hasPrefix(
        "tokenizer.json: transformers 4 and 5 make different tokenizers of these files, in "
          + "the normalizer, the pre_tokenizer (4 takes"), "\(folder.refusal)")
    folder.model?["transformers_version"] = "4.57.6"
    #expect(folder.refusal == "accepted")
  }
}
