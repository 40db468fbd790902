import StrictJSON
import Testing

@testable import Tokenization

/// `vocab.txt` in place of `tokenizer.json`; ids by `SmallTokenizer.vocabulary`.
@Suite struct VocabularyFileTests {
  private static func folder(_ pieces: [String] = SmallTokenizer.vocabulary) -> SmallFolder {
    var folder = SmallFolder()
    folder.tokenizer = nil
    folder.vocabulary = pieces.map { $0 + "\n" }.joined()
    return folder
  }

  @Test func givesTheIDsOfTheWholeFile() throws {
    let (listed, whole) = (try Self.folder().read(), try SmallFolder().read())
    for text in ["Hello, unaffable CAF\u{C9} 中国 [SEP]", "", "[MASK]a", "1222 ΣΑΣ\u{1}\u{A0}i"] {
      #expect(
        listed.ids(of: text, maximumLength: 100) == whole.ids(of: text, maximumLength: 100))
    }
    #expect(listed.vocabularySize == whole.vocabularySize)
    #expect(listed.paddingID == 0)
  }

  @Test func theConfigurationSaysTheRest() throws {
    var folder = Self.folder()
    folder.configuration = [
      "do_lower_case": false, "cls_token": "hello", "sep_token": "world", "pad_token": "!",
      "unk_token": ",", "tokenize_chinese_chars": false,
    ]
    let tokenizer = try folder.read()
    #expect(tokenizer.ids(of: "Hello 中国 a", maximumLength: 9) == [5, 18, 18, 11, 6])
    #expect(tokenizer.paddingID == 17)
  }

  @Test func isNotReadBesideTheWholeFile() throws {
    var folder = SmallFolder()
    folder.vocabulary = "a\na\n"
    #expect(try folder.ids("hello") == [5])
  }

  @Test(arguments: ["\n", "\r\n"]) func readsLines(end: String) throws {
    var folder = Self.folder()
    folder.vocabulary = SmallTokenizer.vocabulary.joined(separator: end)
    #expect(try folder.ids("hello \u{915}") == [5, 33])
  }

  @Test func aLineOfWhiteSpaceIsAPieceThatNoTextHas() throws {
    let folder = Self.folder(SmallTokenizer.vocabulary + ["\u{2028}", "new"])
    #expect(try folder.ids("new \u{2028}") == [35])
  }

  @Test(arguments: [
    ("[UNK]\na\na\n", "vocab.txt:3:1: 'a' appears twice"),
    ("[UNK]\n\n\u{2028}\n", "vocab.txt:3:1: '\u{2028}' appears twice"),
    (
      "[UNK]\na \n",
      "vocab.txt:2:1: 'a ' ends with white space, which only some versions of the library take as a "
        + "part of the piece; remove it"
    ),
    (
      "[UNK]\na\rb\n",
      "vocab.txt:2:1: 'a\rb' holds a carriage return, which only some versions of the library take "
        + "as the end of a line; remove it"
    ),
    ("", "vocab.txt:1:1: is empty"),
    ("a\nb\n", "vocab.txt:1:1: unk_token '[UNK]' is not in the vocabulary"),
  ])
  func refuses(text: String, message: String) {
    var folder = Self.folder()
    folder.vocabulary = text
    #expect(throws: PreprocessingError.self) { try folder.read() }
    do { _ = try folder.read() } catch { #expect("\(error)" == message) }
  }

  @Test func refusesWhatIsNoText() {
    let file = TokenizerFiles.File(origin: "vocab.txt", bytes: [0x61, 0x0A, 0xFF])
    #expect(throws: JSONError.self) { try VocabularyFile.vocabulary(file) }
  }

  @Test(arguments: ["PreTrainedTokenizerFast", "CLIPTokenizer"])
  func onlyBertsTokenizerIsMadeOfIt(name: JSONValue) {
    var folder = Self.folder()
    folder.configuration = ["tokenizer_class": name]
    #expect(
      folder.refusal
        == "vocab.txt: the tokenizer's class does not make a tokenizer of it, and "
        + "tokenizer.json is missing")
  }
}
