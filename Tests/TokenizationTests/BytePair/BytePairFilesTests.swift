import StrictJSON
import Testing

@testable import Tokenization

/// Folders with `vocab.json` and `merges.txt` and no `tokenizer.json`. Ids beside the library: the
/// rows of `piece_files.json`.
struct BytePairFilesTests {
  private struct Folder {
    var merges: String? = "#version: 0.2\na b\n"
    var vocabulary =
      #"{"<s>":0,"<pad>":1,"</s>":2,"<unk>":3,"<mask>":4,"a":5,"b":6,"ab":7,"\u0120":8}"#
    var configuration: [String: JSONValue] = ["tokenizer_class": "RobertaTokenizer"]
    var config: [String: JSONValue] = ["transformers_version": "4.57.6"]

    func read() throws -> any TextTokenizer {
      let file = { (name: TokenizerFiles.Name, text: String) in
        TokenizerFiles.File(origin: name.rawValue, bytes: Array(text.utf8))
      }
      var files = [
        TokenizerFiles.Name.bytePairs: file(.bytePairs, vocabulary),
        .configuration: file(.configuration, JSONValue.object(configuration).compact),
        .model: file(.model, JSONValue.object(config).compact),
      ]
      files[.merges] = merges.map { file(.merges, $0) }
      return try TextTokenizers.read(TokenizerFiles(files))
    }

    var refusal: String {
      do {
        _ = try read()
        return "accepted"
      } catch { return "\(error)" }
    }
  }

  // Up to 4.57 the mark for masks takes the space before it, from 5.0 on it does not.
  @Test func theVersionThatSavedItCounts() throws {
    var folder = Folder()
    #expect(try folder.read().ids(of: "ab <mask>", maximumLength: 9) == [0, 7, 4, 2])
    folder.config["transformers_version"] = "5.23.0"
    #expect(try folder.read().ids(of: "ab <mask>", maximumLength: 9) == [0, 7, 8, 4, 2])
  }

  @Test func aFileMaySayHowATokenIsFound() throws {
    var folder = Folder()
    folder.config["transformers_version"] = "5.23.0"
    folder.configuration["mask_token"] = [
      "__type": "AddedToken", "content": "<mask>", "lstrip": true, "rstrip": false,
      "normalized": false, "single_word": false,
    ]
    #expect(try folder.read().ids(of: "ab <mask>", maximumLength: 9) == [0, 7, 4, 2])
  }

  private static let cases: [(message: String, change: @Sendable (inout Folder) -> Void)] = [
    (
      "vocab.json:1:1: transformers 4 and 5 make different tokenizers of this file, and config.json "
        + "does not say in 'transformers_version' which one saved the model; save it again with the "
        + "version in use", { $0.config = [:] }
    ),
    ("vocab.json:1:1: needs merges.txt beside it", { $0.merges = nil }),
    (
      "merges.txt:1:1: does not begin with a line '#version…', which only some versions of the "
        + "library leave out", { $0.merges = "a b\n" }
    ),
    (
      "merges.txt:1:1: does not end with a line break: some versions of the library lose the last "
        + "line", { $0.merges = "#version: 0.2\na b" }
    ),
    (
      "tokenizer_config.json:1:16: 'merges_file' names other merges than merges.txt, which versions "
        + "of transformers read in different ways; remove the key",
      { $0.configuration["merges_file"] = "other.txt" }
    ),
    (
      "vocab.json:1:1: 'cls_token' is null, and the tokenizer's class needs it",
      { $0.configuration["cls_token"] = .null }
    ),
    (
      "vocab.json:1:1: the tokenizer's class does not make a tokenizer of it, and "
        + "tokenizer.json is missing", { $0.configuration["tokenizer_class"] = "BertTokenizer" }
    ),
  ]

  @Test(arguments: cases.indices) func refuses(_ index: Int) {
    var folder = Folder()
    Self.cases[index].change(&folder)
    #expect(folder.refusal == Self.cases[index].message)
  }
}
