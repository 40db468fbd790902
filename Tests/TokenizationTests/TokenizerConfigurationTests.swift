import StrictJSON
import Testing

@testable import Tokenization

/// Settings of `tokenizer_config.json` over `tokenizer.json`; ids by `SmallTokenizer.vocabulary`.
@Suite struct TokenizerConfigurationTests {
  private static func folder(_ configuration: [String: JSONValue]?) -> SmallFolder {
    var folder = SmallFolder()
    folder.configuration = configuration
    return folder
  }

  private static func cased() -> SmallTokenizer {
    var small = SmallTokenizer()
    small.parts["normalizer"] = [
      "type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": false,
      "strip_accents": false, "lowercase": false,
    ]
    return small
  }

  @Test func lowerCaseIsBertsDefaultWhateverTheFileSays() throws {
    var folder = Self.folder(nil)
    folder.tokenizer = Self.cased()
    #expect(try folder.ids("Hello CAF\u{C9} 中国") == [5, 14, 20, 21])
    folder.configuration = ["do_lower_case": false, "tokenizer_class": "BertTokenizer"]
    #expect(try folder.ids("Hello hello 中国") == [1, 5, 20, 21])
  }

  @Test func eachSettingCountsBeforeTheFile() throws {
    #expect(try Self.folder(["do_lower_case": false]).ids("Hello hello") == [1, 5])
    #expect(try Self.folder(["strip_accents": false]).ids("caf\u{E9} CAF\u{C9}") == [15, 15])
    #expect(try Self.folder(["strip_accents": .null]).ids("caf\u{E9}") == [14])
    #expect(
      try Self.folder(["do_lower_case": false, "strip_accents": true]).ids("caf\u{E9}") == [14])
    #expect(try Self.folder(["tokenize_chinese_chars": false]).ids("中国 中 国") == [1, 20, 21])
  }

  @Test(arguments: ["PreTrainedTokenizerFast", "TokenizersBackend"])
  func otherClassesLeaveTheFileAlone(name: JSONValue) throws {
    var folder = Self.folder(["tokenizer_class": name, "do_lower_case": true])
    folder.tokenizer = Self.cased()
    #expect(try folder.ids("Hello hello 中国") == [1, 5, 1])
  }

  @Test func theClassOfTheConfigurationCountsFirst() throws {
    var folder = Self.folder(["do_lower_case": false])
    folder.model?["tokenizer_class"] = "PreTrainedTokenizerFast"
    #expect(try folder.ids("Hello") == [5])
    folder.configuration?["tokenizer_class"] = "BertTokenizerFast"
    #expect(try folder.ids("Hello") == [1])
    folder.configuration?["tokenizer_class"] = .null
    #expect(try folder.ids("Hello") == [5])
  }

  @Test func withoutAnyOtherFileTheFileCounts() throws {
    var folder = Self.folder(nil)
    folder.model = nil
    folder.tokenizer = Self.cased()
    #expect(try folder.ids("Hello hello") == [1, 5])
  }

  @Test(arguments: [
    ("LongformerTokenizer", "tokenizer_class", "tokenizer_config.json"),
    ("BertJapaneseTokenizer", "tokenizer_class", "tokenizer_config.json"),
  ])
  func refusesOtherClasses(name: String, key: String, file: String) {
    #expect(
      Self.folder(["tokenizer_class": .string(name)]).refusal
        == "\(file): \(key) '\(name)' is not supported; known: "
        + TokenizerKind.classNames.joined(separator: ", "))
    for known in ["BertTokenizerFast", "GemmaTokenizer", "MPNetTokenizerFast", "TokenizersBackend"]
    {
      #expect(TokenizerKind.classNames.contains(known))
    }
  }

  @Test func refusesAnotherModelOfTheClass() {
    #expect(
      Self.folder(["tokenizer_class": "CLIPTokenizer"]).refusal
        == "tokenizer_config.json: tokenizer_class 'CLIPTokenizer' reads models of the type BPE, "
        + "tokenizer.json has 'WordPiece'")
  }

  // MARK: Lengths and sides

  @Test(
    arguments: [
      ("512", 512), ("3", 3), ("1000000000000000019884624838656", nil), ("1e30", nil),
      ("null", nil),
    ] as [(String, Int?)])
  func readsTheLongestLength(json: String, expected: Int?) throws {
    let text = #"{"model_max_length": \#(json), "tokenizer_class": "BertTokenizer"}"#
    let file = TokenizerFiles.File(origin: "tokenizer_config.json", bytes: Array(text.utf8))
    #expect(try TokenizerConfiguration(file).maximumLength == expected)
  }

  @Test func theOldNameOfTheLengthCountsLast() throws {
    #expect(try Self.folder(["max_len": 40]).read().configuredMaximumLength == 40)
    let both = Self.folder(["max_len": 40, "model_max_length": 50])
    #expect(try both.read().configuredMaximumLength == 50)
    #expect(try Self.folder([:]).read().configuredMaximumLength == nil)
  }

  @Test func cutsTheSideThatIsSaid() throws {
    let ids = { (folder: SmallFolder) in
      try folder.read().ids(of: "hello world a b", maximumLength: 4)
    }
    #expect(try ids(Self.folder([:])) == [2, 5, 6, 3])
    #expect(try ids(Self.folder(["truncation_side": "left"])) == [2, 11, 13, 3])
    var folder = Self.folder([:])
    folder.tokenizer?.parts["truncation"] = ["max_length": 3, "direction": "Left"]
    #expect(try ids(folder) == [2, 11, 13, 3])
    folder.configuration?["truncation_side"] = "right"
    #expect(try ids(folder) == [2, 5, 6, 3])
  }

  @Test func cutsLeftAtEveryLength() throws {
    let tokenizer = try Self.folder(["truncation_side": "left"]).read()
    let all = tokenizer.ids(of: "hello world a b", maximumLength: 100)
    for length in 0...8 {
      let kept = all.dropFirst().dropLast().suffix(max(0, length - 2))
      #expect(tokenizer.ids(of: "hello world a b", maximumLength: length) == [2] + kept + [3])
    }
  }

  @Test func saysWhereTheLibraryPads() throws {
    #expect(try Self.folder([:]).read().sides.padding == .right)
    #expect(try Self.folder(["padding_side": "left"]).read().sides.padding == .left)
    var folder = Self.folder([:])
    folder.tokenizer?.parts["padding"] = ["pad_id": 0, "direction": "Left"]
    #expect(try folder.read().sides.padding == .left)
    folder.configuration?["padding_side"] = "right"
    #expect(try folder.read().sides.padding == .right)
  }

  @Test func thePaddingTokenCountsBeforeTheFilesPadding() throws {
    var folder = Self.folder(["pad_token": "[UNK]"])
    folder.tokenizer?.parts["padding"] = ["pad_id": 0]
    #expect(try folder.read().paddingID == 1)
  }

  // MARK: Added tokens in normalised text

  /// Versions of the library do not agree how such a token is found once the normalizer is another.
  @Test func refusesWhatVersionsFindInDifferentWays() {
    var folder = Self.folder(["do_lower_case": false])
    folder.tokenizer?.parts["added_tokens"] = [
      .object([
        "id": 34, "content": "Two", "special": false, "normalized": true, "single_word": false,
        "lstrip": false, "rstrip": false,
      ])
    ]
    #expect(
      folder.refusal
        == "tokenizer.json: added token 'Two' is looked for in normalised text, and "
        + "tokenizer_config.json changes the normalizer: versions of the library disagree how it is "
        + "then found; supported: 'normalized' false")
    folder.configuration = [:]
    #expect(folder.refusal == "accepted")
  }

  /// `do_lower_case` of sentence_bert_config.json, from sentence-transformers 5.4 on.
  @Test func lowercasesBeforeTheNormalizer() throws {
    var folder = Self.folder(["do_lower_case": false])
    #expect(try folder.ids("Hello CAF\u{C9} [MASK] [mask]", .normalizer) == [5, 15, 4, 27, 29, 28])
    #expect(try folder.ids("ΣΑΣ", .normalizer) == [1])
    // Where lower case is among the steps nothing is put before them.
    folder.configuration = ["tokenizer_class": "PreTrainedTokenizerFast"]
    folder.tokenizer?.parts["normalizer"] = [
      "type": "Sequence", "normalizers": [["type": "NFD"], ["type": "Lowercase"]],
    ]
    #expect(try folder.ids("Hello", .normalizer) == [5])
  }

  // MARK: Refusals

  @Test(
    arguments: [
      ("do_lower_case", .null, "'do_lower_case' is null, which is not the same as no such key"),
      ("do_lower_case", "yes", "'do_lower_case' is the string \"yes\", expected true or false"),
      ("strip_accents", 1, "'strip_accents' is the number 1, expected true or false"),
      ("model_max_length", 2, "'model_max_length' is the number 2, expected 3...1099511627776"),
      ("model_max_length", -1, "'model_max_length' is the number -1, expected 3...1099511627776"),
      (
        "model_max_length", .double(10.5),
        "'model_max_length' is the number 10.5, expected an integer"
      ),
      ("model_max_length", "512", "'model_max_length' is the string \"512\", expected a number"),
      (
        "truncation_side", "middle", "truncation_side 'middle' is not supported; known: left, right"
      ),
      ("padding_side", .null, "'padding_side' is null, which is not the same as no such key"),
      (
        "split_special_tokens", true,
        "'split_special_tokens' is true, which is not supported; supported: false"
      ),
      (
        "auto_map", ["AutoTokenizer": ["x.Y", .null]],
        "'auto_map' is {\"AutoTokenizer\":[\"x.Y\",null]}, which is not supported; supported: no such key"
      ),
      (
        "vocab_file", "/tmp/v.txt",
        "'vocab_file' is the string \"/tmp/v.txt\", which is not supported; supported: null"
      ),
      (
        "image_token", "<image>",
        "the key 'image_token' (the string \"<image>\") is not understood, and it may change what the "
          + "model does"
      ),
      (
        "model_input_names", ["input_ids"],
        "'model_input_names' is \"input_ids\", supported: input_ids first, attention_mask, "
          + "token_type_ids or not"
      ),
      ("tokenizer_class", 3, "'tokenizer_class' is the number 3, expected a string"),
      ("cls_token", .null, "'cls_token' is null, and BERT's tokenizer needs it"),
      ("cls_token", "", "'cls_token' is empty"),
      ("cls_token", 7, "'cls_token' is the number 7, expected a token"),
      ("mask_token", ["content": "[MASK]"], "the key '__type' is missing"),
      ("additional_special_tokens", "[X]", "expected an array"),
      ("additional_special_tokens", [.null], "'additional_special_tokens' holds null"),
      (
        "added_tokens_decoder", ["x": [:]], "'added_tokens_decoder' has the key 'x', expected an id"
      ),
      (
        "added_tokens_decoder", ["-1": [:]],
        "'added_tokens_decoder' has the key '-1', expected an id"
      ),
      (
        "added_tokens_decoder", ["04": [:]],
        "'added_tokens_decoder' has the key '04', expected an id"
      ),
      ("added_tokens_decoder", ["4": "[MASK]"], "expected an added token"),
      ("added_tokens_decoder", .null, "'added_tokens_decoder' is null, which is not the same as"),
    ] as [(String, JSONValue, String)])
  func refuses(key: String, value: JSONValue, message: String) {
    var folder = Self.folder([key: value])
    folder.model?["transformers_version"] = "5.1.0"
    let refusal = folder.refusal
    #expect(refusal.contains(message), "\(refusal)")
  }

  @Test(arguments: [
    "", "[]", "{", "{\"a\": NaN}", "{\"do_lower_case\": true, \"do_lower_case\": 1}",
  ])
  func refusesWhatIsNoObject(text: String) {
    let file = TokenizerFiles.File(origin: "tokenizer_config.json", bytes: Array(text.utf8))
    #expect(throws: PreprocessingError.self) { try TokenizerConfiguration(file) }
  }
}
