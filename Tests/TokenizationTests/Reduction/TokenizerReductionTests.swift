import StrictJSON
import Testing

@testable import Tokenization

/// Tokenizers with fewer tokens: which ones must stay, and the files that are left.
struct TokenizerReductionTests {
  private func reduction(_ folder: SmallFolder) throws -> TokenizerReduction {
    try TokenizerReduction(folder.files)
  }

  /// The files of a folder with only these tokens, read again.
  private func reduced(_ folder: SmallFolder, _ kept: KeptTokens) throws -> any TextTokenizer {
    let changed = try reduction(folder).files(keeping: kept)
    let files = TokenizerFiles { name in
      changed[name].map { .init(origin: name.rawValue, bytes: $0) } ?? folder.files[name]
    }
    return try TextTokenizers.read(files)
  }

  private func json(_ text: String) throws -> JSONObject {
    try JSONParser.parseObject(Array(text.utf8), origin: "tokenizer.json")
  }

  @Test func textsOfKeptTokensKeepTheirIDsUpToRenumbering() throws {
    let folder = SmallFolder()
    let before = try folder.read()
    let used = Set(before.ids(of: "hello unaffable 中!", maximumLength: 100))
    let kept = try reduction(folder).kept(using: used, rows: 40)
    // Special tokens stay whether a text uses them or not.
    #expect(kept.ids.starts(with: [0, 1, 2, 3, 4]))
    #expect(kept.ids.count == used.count + 3 && kept.dropped == 40 - kept.ids.count)
    let after = try reduced(folder, kept)
    for text in ["hello", "unaffable!", "中 hello", "[MASK] un", "xyz", ""] {
      let old = before.ids(of: text, maximumLength: 100).map { kept.newID(of: $0) }
      #expect(after.ids(of: text, maximumLength: 100).map(Optional.some) == old, "\(text)")
    }
    // A dropped piece is unknown, or spelt by others.
    #expect(after.ids(of: "world", maximumLength: 100) == [2, 1, 3])
  }

  @Test func idsInEveryFileAreTheNewOnes() throws {
    var folder = SmallFolder()
    folder.tokenizer?.parts["added_tokens"] = .array(
      (0..<5).map { SmallTokenizer.added(SmallTokenizer.vocabulary[$0], $0) }
        + [SmallTokenizer.added("<own>", 34)])
    folder.addedTokens = ["<own>": 34]
    folder.configuration = [
      "added_tokens_decoder": [
        "0": ["content": "[PAD]", "special": true], "1": ["content": "[UNK]", "special": true],
        "2": ["content": "[CLS]", "special": true], "3": ["content": "[SEP]", "special": true],
        "4": ["content": "[MASK]", "special": true],
        "34": ["content": "<own>", "special": true],
      ]
    ]
    let kept = try reduction(folder).kept(using: [5], rows: 35)
    #expect(kept.ids == [0, 1, 2, 3, 4, 5, 34])
    let after = try reduced(folder, kept)
    #expect(after.ids(of: "hello<own>", maximumLength: 10) == [2, 5, 6, 3])
    #expect(after.vocabularySize == 7)
  }

  @Test func mergesThatLeadToAKeptTokenStay() throws {
    let part = try json(
      """
      {"type": "BPE", "unk_token": null, "vocab": {"a": 0, "b": 1, "c": 2, "ab": 3, "bc": 4,
        "abc": 5, "ca": 6, "é": 7, "e\u{301}": 8}, "merges": ["a b", ["b", "c"], "ab c", "a bc", "c a"]}
      """)
    let model = try ReducibleModels.model("BPE", part)
    // "abc" is made of "ab" and "c", or of "a" and "bc": both ways stay, in their order.
    #expect(model.needed(by: [5]).isSuperset(of: [0, 1, 2, 3, 4, 5]))
    #expect(!model.needed(by: [5]).contains(6))
    let kept = try #require(
      KeptTokens(ids: model.needed(by: [5]).sorted(), rowsBefore: 9))
    let tree = model.reduced(JSONTree(part), keeping: kept)
    let text = String(decoding: tree.bytes, as: UTF8.self)
    #expect(text.contains(#""merges":["a b",["b","c"],"ab c","a bc"]"#))
    #expect(!text.contains("\"ca\""))
  }

  @Test func theLowestScoreAndBytesOfUnigramStay() throws {
    let part = try json(
      """
      {"type": "Unigram", "unk_id": 1, "byte_fallback": true, "vocab": [["<pad>", 0], ["<unk>", 0],
        ["▁a", -2.5], ["b", -9.75], ["<0x0A>", 0], ["▁ab", -3.125e0]]}
      """)
    let model = try ReducibleModels.model("Unigram", part)
    #expect(model.needed(by: [2]) == [1, 3, 4])
    let kept = try #require(KeptTokens(ids: [1, 2, 3, 4], rowsBefore: 6))
    let text = String(
      decoding: model.reduced(JSONTree(part), keeping: kept).bytes, as: UTF8.self)
    #expect(
      text
        == #"{"type":"Unigram","unk_id":0,"byte_fallback":true,"vocab":[["<unk>",0],["▁a",-2.5],["b",-9.75],["<0x0A>",0]]}"#
    )
  }

  @Test func tokensAreFoundByTheirBytesInTheWholeVocabulary() throws {
    let folder = SmallFolder()
    let kept = try reduction(folder).kept(using: [14, 15], rows: 40)
    var smaller = folder
    smaller.tokenizer = nil
    let changed = try reduction(folder).files(keeping: kept)
    let files = TokenizerFiles { name in
      changed[name].map { .init(origin: name.rawValue, bytes: $0) }
    }
    #expect(try reduction(folder).kept(in: TokenizerReduction(files), rows: 40) == kept)
  }

  @Test func theWholeTokenizerComesBackFromItsText() throws {
    let folder = SmallFolder()
    let kept = try reduction(folder).kept(using: [14, 15], rows: 40)
    let changed = try reduction(folder).files(keeping: kept)
    let smaller = TokenizerFiles { name in
      changed[name].map { .init(origin: name.rawValue, bytes: $0) } ?? folder.files[name]
    }
    let text = try WholeTokenizer.text(of: folder.files)
    let whole = try WholeTokenizer(text, origin: "all", besides: smaller, rows: 40)
    #expect(whole.kept == kept)
    let (before, after) = (try folder.read(), try TextTokenizers.read(whole.files))
    for sentence in ["hello world", "unaffable!", ""] {
      #expect(
        after.ids(of: sentence, maximumLength: 100) == before.ids(of: sentence, maximumLength: 100))
    }
  }

  @Test func theWholeTokenizerOfAnotherModelIsRefused() throws {
    let folder = SmallFolder()
    let kept = try reduction(folder).kept(using: [14, 15], rows: 40)
    var other = folder
    other.tokenizer?.model["unk_token"] = "[PAD]"
    let changed = try reduction(other).files(keeping: kept)
    let smaller = TokenizerFiles { name in
      changed[name].map { .init(origin: name.rawValue, bytes: $0) } ?? other.files[name]
    }
    let text = try WholeTokenizer.text(of: folder.files)
    let fault = #expect(throws: PreprocessingError.self) {
      try WholeTokenizer(text, origin: "all", besides: smaller, rows: 40)
    }
    #expect("\(try #require(fault))".contains("all:1:1: is not the tokenizer that tokens were"))
  }

  @Test func aForeignTokenIsRefused() throws {
    var other = SmallFolder()
    other.tokenizer?.model["vocab"] = SmallTokenizer.ids(
      of: SmallTokenizer.vocabulary.map { $0 == "hello" ? "hallo" : $0 })
    let fault = #expect(throws: PreprocessingError.self) {
      try self.reduction(SmallFolder()).kept(in: self.reduction(other), rows: 40)
    }
    #expect("\(try #require(fault))".contains("the token 'hallo' has the id 5, which is not one"))
  }

  @Test(arguments: [[], [3, 2], [-1], [7]] as [[Int32]])
  func keptIDsAscendWithinTheTable(_ ids: [Int32]) {
    #expect(KeptTokens(ids: ids, rowsBefore: 7) == nil)
  }

  @Test func aFolderWithoutTheWholeTokenizerIsRefused() throws {
    var folder = SmallFolder()
    folder.tokenizer = nil
    folder.vocabulary = "[PAD]\n[UNK]\n"
    let fault = #expect(throws: PreprocessingError.self) { try self.reduction(folder) }
    #expect("\(try #require(fault))".contains("tokens can be dropped from a tokenizer.json only"))
  }
}
