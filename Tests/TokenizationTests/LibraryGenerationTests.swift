import StrictJSON
import Testing

@testable import Tokenization

/// Files that give different tokenizers in transformers 4 and 5.
@Suite struct LibraryGenerationTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let change: @Sendable (inout SmallFolder) -> Void

    init(_ name: String, _ change: @escaping @Sendable (inout SmallFolder) -> Void) {
      testDescription = name
      self.change = change
    }
  }

  static let cases = [
    Case("the normalizer") { $0.tokenizer?.parts["normalizer"] = ["type": "Lowercase"] },
    Case("the normalizer") {
      $0.tokenizer?.parts["normalizer"] = [
        "type": "BertNormalizer", "clean_text": false, "handle_chinese_chars": true,
        "strip_accents": .null, "lowercase": true,
      ]
    },
    Case("the pre_tokenizer") { $0.tokenizer?.parts["pre_tokenizer"] = ["type": "Whitespace"] },
    Case("how words are cut into pieces") {
      $0.tokenizer?.model["max_input_chars_per_word"] = 7
    },
    Case("the unknown token") { $0.configuration = ["unk_token": "hello"] },
    Case("the special tokens around a text") { $0.tokenizer?.parts["post_processor"] = .null },
    Case("the added tokens") { $0.configuration = ["added_tokens_decoder": [:]] },
  ]

  private static func folder() -> SmallFolder {
    var folder = SmallFolder()
    folder.tokenizer?.model["max_input_chars_per_word"] = 100
    return folder
  }

  @Test(arguments: cases) func refusesUnlessFourSavedTheModel(_ test: Case) {
    for version in [JSONValue.null, "5.23.0", "unknown"] {
      var folder = Self.folder()
      folder.model?["transformers_version"] = version
      #expect(folder.refusal == "accepted")
      test.change(&folder)
      // Special tokens that differ are added tokens as well.
      #expect(
        folder.refusal.hasPrefix(
          "tokenizer.json: transformers 4 and 5 make different tokenizers of these files, in "))
      #expect(folder.refusal.contains(test.testDescription), "\(folder.refusal)")
    }
    var folder = Self.folder()
    test.change(&folder)
    #expect(folder.refusal == "accepted")
  }

  /// The ids around every text differ, so not even a model that 4 saved is safe with 5.
  @Test func refusesOtherEndsWhicheverSavedTheModel() {
    for (key, version) in [
      ("cls_token", "4.57.6"), ("sep_token", "4.57.6"), ("cls_token", "5.23.0"),
    ] {
      var folder = Self.folder()
      folder.model?["transformers_version"] = .string(version)
      folder.configuration = [key: "hello"]
      #expect(
        version.hasPrefix("5")
          ? folder.refusal.contains("the special tokens around a text")
          : folder.refusal.hasPrefix("tokenizer_config.json: '\(key)' is 'hello', and"))
    }
  }

  @Test func fourTakesWhatTheFileSays() throws {
    var folder = Self.folder()
    folder.tokenizer?.parts["normalizer"] = ["type": "Lowercase"]
    folder.configuration = ["do_lower_case": false]
    #expect(try folder.ids("HELLO CAF\u{C9}") == [5, 15])
  }

  @Test func refusesWhatFourDoesNotLoad() {
    var folder = Self.folder()
    folder.tokenizer?.parts["normalizer"] = .null
    #expect(folder.refusal.contains("tokenizer.json: has no normalizer: transformers up to 4.57"))
    folder.configuration = ["tokenizer_class": "PreTrainedTokenizerFast"]
    #expect(folder.refusal == "accepted")
  }

  /// Classes of other models are BERT's up to 4.57, and take the file as it is from 5.0 on.
  @Test func classesOfOtherModels() throws {
    var folder = Self.folder()
    folder.configuration = ["tokenizer_class": "DistilBertTokenizer", "do_lower_case": false]
    #expect(try folder.ids("Hello hello") == [1, 5])
    folder.model?["transformers_version"] = .null
    #expect(folder.refusal.contains("different tokenizers of these files, in the normalizer"))
    folder.configuration?["do_lower_case"] = true
    #expect(try folder.ids("Hello hello") == [5, 5])
  }
}
