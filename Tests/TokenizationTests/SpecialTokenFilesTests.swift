import StrictJSON
import Testing

@testable import Tokenization

/// Tokens that other files than `tokenizer.json` name; ids by `SmallTokenizer.vocabulary`.
@Suite struct SpecialTokenFilesTests {
  private static let next = Int32(SmallTokenizer.vocabulary.count)

  private static func folder(_ configuration: [String: JSONValue]? = nil) -> SmallFolder {
    var folder = SmallFolder()
    folder.configuration = configuration
    return folder
  }

  private static func token(_ content: String, _ changes: [String: JSONValue] = [:]) -> JSONValue {
    .object(
      [
        "content": .string(content), "lstrip": false, "normalized": false, "rstrip": false,
        "single_word": false, "special": true,
      ].merging(changes) { $1 })
  }

  private static func typed(_ content: String, _ changes: [String: JSONValue] = [:]) -> JSONValue {
    token(content, changes.merging(["__type": "AddedToken"]) { $1 })
  }

  // MARK: Tokens of the class

  @Test func specialTokensAreFoundThatTheFileDoesNotList() throws {
    var folder = Self.folder()
    folder.tokenizer?.parts["added_tokens"] = []
    #expect(try folder.ids("[MASK] a[SEP]") == [4, 11, 3])
    folder.configuration = ["mask_token": .null]
    #expect(try folder.ids("[MASK]") == [27, 29, 28])
    folder.configuration = ["mask_token": "hello"]
    #expect(try folder.ids("a hello[MASK]") == [11, 5, 27, 29, 28])
  }

  @Test func aSpecialTokenOutsideOfTheVocabularyGetsTheNextID() throws {
    let folder = Self.folder(["mask_token": "<mask>", "additional_special_tokens": ["<a>", "<b>"]])
    let tokenizer = try folder.read()
    #expect(try folder.ids("<mask><b>") == [Self.next, Self.next + 2])
    #expect(tokenizer.vocabularySize == SmallTokenizer.vocabulary.count)
  }

  // MARK: Rows of the model's table

  /// Why a table of so many rows is too short.
  private static func refusal(_ folder: SmallFolder, rows: Int) -> String? {
    do {
      try folder.read().requireRows(rows)
      return nil
    } catch {
      return "\(error)".replacing(#/:[0-9]+:[0-9]+: /#, with: ": ", maxReplacements: 1)
    }
  }

  @Test func aTokenThatAFileNamesNeedsARow() throws {
    let rows = Int(Self.next)
    let folder = Self.folder(["mask_token": "<mask>"])
    #expect(
      Self.refusal(folder, rows: rows)
        == "tokenizer_config.json: added token '<mask>' of 'mask_token' gets the id \(rows), and "
        + "the model's table of tokens has \(rows) rows; name a token of the vocabulary, or make "
        + "the table as long as the tokenizer (resize_token_embeddings) and save both")
    #expect(Self.refusal(folder, rows: rows + 1) == nil)
  }

  @Test(
    arguments: [
      "unk_token", "cls_token", "sep_token", "pad_token", "mask_token", "bos_token", "eos_token",
    ])
  func everyRoleNeedsARow(key: String) throws {
    var folder = Self.folder([:])
    folder.tokenizer?.parts["added_tokens"] = []
    folder.specialTokens = [key: "<none>"]
    let rows = Int(Self.next)
    let refusal = try #require(Self.refusal(folder, rows: rows))
    #expect(
      refusal.contains("special_tokens_map.json: added token '<none>' of '\(key)' gets the id")
        || refusal.contains("special_tokens_map.json: '\(key)' is '<none>'"), "\(refusal)")
  }

  @Test(arguments: ["additional_special_tokens", "extra_special_tokens"])
  func furtherTokensNeedRows(key: String) {
    let rows = Int(Self.next)
    let folder = Self.folder([key: ["[MASK]", "<a>", "<b>"]])
    #expect(
      Self.refusal(folder, rows: rows + 1)?.contains(
        "added token '<b>' of '\(key)' gets the id \(rows + 1), and the model's table of tokens has "
          + "\(rows + 1) rows") == true)
    #expect(Self.refusal(folder, rows: rows + 2) == nil)
  }

  @Test func tokensOfTheClassNeedNone() throws {
    var folder = Self.folder([:])
    folder.tokenizer?.parts["added_tokens"] = []
    folder.tokenizer?.model["vocab"] = SmallTokenizer.ids(
      of: SmallTokenizer.vocabulary.map { $0 == "[MASK]" ? "m" : $0 })
    #expect(Self.refusal(folder, rows: Int(Self.next)) == nil)
    // A file that names the token of the class means it.
    folder.configuration = ["additional_special_tokens": ["[MASK]"]]
    #expect(Self.refusal(folder, rows: Int(Self.next))?.contains("'[MASK]'") == true)
  }

  @Test func howASpecialTokenIsFoundIsSaidByTheList() throws {
    // "[MASK]" of tokenizer.json takes the space before it along, whatever its role says.
    let folder = Self.folder(["mask_token": Self.typed("[MASK]")])
    #expect(try folder.ids("a [MASK]") == [11, 4])
    var other = Self.folder(["mask_token": Self.typed("<m>", ["lstrip": true])])
    other.addedList(["34": Self.token("<m>")])
    #expect(try other.ids("<m>") == [Self.next])
  }

  // MARK: The list of tokenizer_config.json

  @Test func addsWhatItLists() throws {
    var folder = Self.folder()
    folder.addedList(["34": Self.token("<new>"), "35": Self.token("Two", ["normalized": true])])
    #expect(try folder.ids("<new> <NEW> TWO") == [34, 1, 1, 1, 35])
    #expect(try folder.read().vocabularySize == 36)
  }

  @Test func itsFlagsAndIDsHaveToBeThoseOfTheFile() {
    var folder = Self.folder()
    folder.addedList(["4": Self.token("[MASK]", ["lstrip": true])])
    #expect(folder.refusal == "accepted")
    folder.addedList(["4": Self.token("[MASK]")])
    #expect(
      folder.refusal.contains(
        "tokenizer_config.json: added token '[MASK]' of 'added_tokens_decoder' has 'lstrip' false "
          + "here and true in "
          + "tokenizer.json:1:"), "\(folder.refusal)")
    folder.addedList(["5": Self.token("[MASK]", ["lstrip": true])])
    #expect(
      folder.refusal
        == "tokenizer_config.json: added token '[MASK]' of 'added_tokens_decoder' has id 5 here and "
        + "4 in tokenizer.json")
    folder.addedList(["40": Self.token("<new>")])
    #expect(
      folder.refusal
        == "tokenizer_config.json: added token '<new>' of 'added_tokens_decoder' has id 40, the "
        + "vocabulary gives it 34")
    folder.addedList(["34": Self.token("<new>", ["weight": 1])])
    #expect(folder.refusal.contains("the key 'weight' (the number 1) is not understood"))
  }

  @Test func withItTheOldFilesDoNotCount() throws {
    var folder = Self.folder()
    folder.addedList([:])
    folder.specialTokens = ["mask_token": "hello"]
    folder.addedTokens = ["<old>": 34]
    #expect(try folder.ids("<old> hello") == [1, 1, 1, 5])
  }

  // MARK: The old files

  @Test func theOldMapCountsBeforeTheConfiguration() throws {
    var folder = Self.folder(["mask_token": "world"])
    folder.tokenizer?.parts["added_tokens"] = []
    folder.specialTokens = ["mask_token": ["content": "<m>", "rstrip": true]]
    #expect(try folder.ids("<m>  a") == [Self.next, 11])
    folder.specialTokens = ["mask_token": "[MASK]"]
    #expect(try folder.ids("[MASK]") == [4])
  }

  @Test func theOldListAddsTokens() throws {
    var folder = Self.folder(["additional_special_tokens": ["<s>"]])
    folder.addedTokens = ["<s>": 35, "New": 34]
    #expect(try folder.ids("NEW <S> <s>") == [34, 1, 1, 1, 35])
    #expect(try folder.read().vocabularySize == 36)
  }

  @Test(
    arguments: [
      (["<x>": 40], "added token '<x>' has id 40, the vocabulary gives it 34"),
      (["<x>": 4], "added token '<x>' has the id 4 of '[MASK]' in tokenizer.json"),
      (["<x>": "34"], "'<x>' is the string \"34\", expected an integer"),
      (["<x>": -1], "'<x>' is the number -1, expected 0...2147483646"),
      (["": 34], "an added token is empty"),
      (["[MASK]": 34], "added token '[MASK]' has 'lstrip' false here and true in tokenizer.json"),
    ] as [([String: JSONValue], String)])
  func refusesInTheOldList(tokens: [String: JSONValue], message: String) {
    var folder = Self.folder()
    folder.addedTokens = tokens
    let refusal = folder.refusal
    #expect(refusal.contains(message), "\(refusal)")
  }

  @Test func refusesUnknownKeysInTheOldMap() {
    var folder = Self.folder()
    folder.specialTokens = ["masks": "[MASK]"]
    #expect(
      folder.refusal.contains(
        "special_tokens_map.json: the key 'masks' (the string \"[MASK]\") is not understood"))
    folder.specialTokens = ["mask_token": ["content": "[MASK]", "left": true]]
    #expect(folder.refusal.contains("the key 'left' (true) is not understood"))
    folder.specialTokens = ["mask_token": ["[MASK]"]]
    #expect(folder.refusal.contains("'mask_token' is an array of 1, expected a token"))
  }
}

extension SmallFolder {
  /// Gives `tokenizer_config.json` a list of added tokens.
  fileprivate mutating func addedList(_ tokens: [String: JSONValue]) {
    configuration = (configuration ?? [:]).merging(["added_tokens_decoder": .object(tokens)]) { $1 }
  }
}
