import StrictJSON

@testable import Tokenization

/// The files of a small model's tokenizer, each to be changed or taken away by a test.
struct SmallFolder {
  var tokenizer: SmallTokenizer? = SmallTokenizer()
  var configuration: [String: JSONValue]?
  var specialTokens: [String: JSONValue]?
  var addedTokens: [String: JSONValue]?
  var vocabulary: String?
  var model: [String: JSONValue]? = ["model_type": "bert", "transformers_version": "4.57.6"]

  var files: TokenizerFiles {
    var files: [TokenizerFiles.Name: TokenizerFiles.File] = [:]
    let add = { (name: TokenizerFiles.Name, bytes: [UInt8]?) in
      files[name] = bytes.map { TokenizerFiles.File(origin: name.rawValue, bytes: $0) }
    }
    let json = { (members: [String: JSONValue]?) in
      members.map { Array(JSONValue.object($0).compact.utf8) }
    }
    add(.tokenizer, tokenizer?.json)
    add(.configuration, json(configuration))
    add(.specialTokens, json(specialTokens))
    add(.addedTokens, json(addedTokens))
    add(.vocabulary, vocabulary.map { Array($0.utf8) })
    add(.model, json(model))
    return TokenizerFiles(files)
  }

  func read(
    _ lowercasing: TextPreparation.Lowercasing = .none
  ) throws -> any TextTokenizer {
    try TextTokenizers.read(files, lowercasing: lowercasing)
  }

  /// The ids of a text without the special tokens around it.
  func ids(
    _ text: String, _ lowercasing: TextPreparation.Lowercasing = .none
  ) throws -> [Int32] {
    Array(try read(lowercasing).ids(of: text, maximumLength: 100).dropFirst().dropLast())
  }

  /// Why the files are refused, without the place.
  var refusal: String {
    do {
      _ = try read()
      return "accepted"
    } catch {
      return "\(error)".replacing(#/:[0-9]+:[0-9]+: /#, with: ": ", maxReplacements: 1)
    }
  }
}
