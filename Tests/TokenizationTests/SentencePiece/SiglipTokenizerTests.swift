import StrictJSON
import TestSupport
import Testing

@testable import Tokenization

/// SigLIP's tokenizer on a small model. The ids are those of transformers 4.57.6 and 5.23 with
/// SentencePiece 0.2.3; 200 texts beside both: the rows of `siglip_pieces.json`.
struct SiglipTokenizerTests {
  private struct Folder {
    var model = SmallSentencePiece()
    var configuration: [String: JSONValue] = ["tokenizer_class": "SiglipTokenizer"]
    var version = "5.23.0"
    var others: [TokenizerFiles.Name: JSONValue] = [:]

    init() { model.pieces += [("σ", -2, 1), ("ς", -2, 1)] }

    var files: TokenizerFiles {
      let text = { (value: JSONValue) in Array(value.compact.utf8) }
      return TokenizerFiles { name in
        let bytes: [UInt8]? =
          switch name {
          case .sentencePiece: model.bytes
          case .configuration: text(.object(configuration))
          case .model: text(.object(["transformers_version": .string(version)]))
          default: others[name].map(text)
          }
        return bytes.map { TokenizerFiles.File(origin: name.rawValue, bytes: $0) }
      }
    }

    func ids(_ text: String, _ length: Int = 64) throws -> [Int32] {
      try TextTokenizers.read(files).ids(of: text, maximumLength: length)
    }
  }

  @Test(arguments: [
    ("Ab a", [7, 5, 7, 2]), ("xy a", [3, 0, 7, 2]), ("a(b", [7, 5, 2]), ("aΣ", [7, 11, 2]),
    ("a </s>", [7, 2]), ("", [2]), ("</s>a", [2, 4, 2]), ("xyabab", [3, 0, 6, 6, 2]),
    ("a  b", [7, 3, 5, 2]), ("a</S>b", [7, 0, 5, 2]),
  ])
  func givesTheLibrarysIDs(_ text: String, _ ids: [Int32]) throws {
    #expect(try Folder().ids(text) == ids)
  }

  // transformers 4 makes letters small one by one, and before it looks for special tokens.
  @Test func theVersionThatSavedItCounts() throws {
    var folder = Folder()
    folder.version = "4.57.6"
    #expect(try folder.ids("aΣ") == [7, 10, 2])
    #expect(try folder.ids("a</S>b") == [7, 2, 5, 2])
  }

  @Test func capitalsMayStay() throws {
    var folder = Folder()
    folder.configuration["do_lower_case"] = false
    #expect(try folder.ids("Ab a") == [3, 0, 5, 7, 2])
  }

  @Test func longTextsAreCutBeforeTheEnd() throws {
    #expect(try Folder().ids("a b a b", 3) == [7, 3, 2])
    var folder = Folder()
    folder.configuration["truncation_side"] = "left"
    #expect(try folder.ids("a b a b", 3) == [3, 5, 2])
    #expect(try folder.ids("a b", 1) == [2])
  }

  // The class does not look at it: this one is no tokenizer.
  @Test func otherFilesOfTokenizersAreLeftOut() throws {
    var folder = Folder()
    folder.others[.tokenizer] = .object(["version": "2.0"])
    #expect(try folder.ids("Ab a") == [7, 5, 7, 2])
    #expect(folder.files.names == [.configuration, .model, .sentencePiece])
  }

  private static let faults: [(message: String, change: @Sendable (inout Folder) -> Void)] = [
    (
      "tokenizer_config.json:1:20: 'sp_model_kwargs' is {\"enable_sampling\":true}, which is not "
        + "supported; supported: {}",
      { $0.configuration["sp_model_kwargs"] = .object(["enable_sampling": true]) }
    ),
    (
      "tokenizer_config.json:1:14: 'pad_token' is null, which is not the same as no such key; give "
        + "it a value or leave it out",
      { $0.configuration["pad_token"] = .null }
    ),
    (
      "spiece.model:1:1: has 0 pieces for unknown characters, expected 1",
      { $0.model.pieces[0].type = 1 }
    ),
    (
      "spiece.model:1:1: has 1 pieces for bytes, and 'byte_fallback' is false",
      { $0.model.pieces.append(("<0x41>", 0, 6)) }
    ),
  ]

  @Test(arguments: faults.indices)
  func faultsAreNamed(_ index: Int) {
    var folder = Folder()
    Self.faults[index].change(&folder)
    let files = folder.files
    let refusal: String
    do {
      _ = try TextTokenizers.read(files)
      refusal = "accepted"
    } catch { refusal = "\(error)" }
    #expect(refusal == Self.faults[index].message)
  }
}
