import StrictJSON
import Testing

@testable import Tokenization

/// Nulls in `tokenizer_config.json` and `special_tokens_map.json`, and lengths that are floats.
@Suite struct TokenizerNullTests {
  private static func folder(_ configuration: [String: JSONValue]) -> SmallFolder {
    var folder = SmallFolder()
    folder.configuration = configuration
    return folder
  }

  @Test(arguments: [
    "tokenizer_class", "strip_accents", "add_bos_token", "add_eos_token", "from_slow", "clean_text",
    "wordpieces_prefix", "backend", "files_loaded", "tokenizer_file", "vocab_file", "gguf_file",
    "full_tokenizer_file",
    "bos_token", "eos_token", "mask_token", "additional_special_tokens", "never_split",
  ])
  func takesWhatTheLibraryTakesForNothing(key: String) {
    #expect(Self.folder([key: .null]).refusal == "accepted")
  }

  @Test(arguments: [
    "do_lower_case", "tokenize_chinese_chars", "truncation_side", "padding_side", "pad_token",
    "model_input_names", "added_tokens_decoder", "extra_special_tokens", "split_special_tokens",
    "init_inputs", "auto_map", "fast_tokenizer_files",
  ])
  func refusesWhatItFailsOn(key: String) {
    let refusal = Self.folder([key: .null]).refusal
    #expect(
      refusal.hasPrefix("tokenizer_config.json: '\(key)' is null, which is not "), "\(refusal)")
  }

  @Test func theOldMapMayNotTakeThePaddingAway() {
    var folder = SmallFolder()
    folder.specialTokens = ["mask_token": .null]
    #expect(folder.refusal == "accepted")
    folder.specialTokens = ["pad_token": .null]
    #expect(folder.refusal.hasPrefix("special_tokens_map.json: 'pad_token' is null, which is not "))
  }

  /// A limit of null does not limit, whatever the old name says.
  @Test func aLimitOfNullIsNone() throws {
    let both = Self.folder(["max_len": 6, "model_max_length": .null])
    #expect(try both.read().configuredMaximumLength == nil)
    #expect(try Self.folder(["max_len": .null]).read().configuredMaximumLength == nil)
  }

  /// To the library `20.0` is a float, with which it cuts no text.
  @Test(arguments: ["20.0", "2e1"])
  func refusesALengthThatIsAFloat(json: String) {
    let text = #"{"model_max_length": \#(json)}"#
    let file = TokenizerFiles.File(origin: "tokenizer_config.json", bytes: Array(text.utf8))
    do {
      _ = try TokenizerConfiguration(file)
      Issue.record("accepted")
    } catch {
      #expect("\(error)".hasSuffix("expected an integer, without a point or an exponent"))
    }
  }
}
