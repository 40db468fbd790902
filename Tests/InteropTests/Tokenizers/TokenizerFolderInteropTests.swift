import Foundation
import StrictJSON
import TestSupport
import Testing
import Tokenization

/// Random folders of tokenizer files beside the library `transformers`: the same ids, the same
/// lengths and sides, or a refusal.
struct TokenizerFolderInteropTests {
  private static let length = 16
  static let folders = 160

  @Test(.enabled(if: Oracle.isAvailable, "no oracle environment: run scripts/test"))
  func randomFolders() throws {
    let folder = try TemporaryFolder()
    let texts = try TokenizerInteropTests.trickyStrings() + RandomTokenizerFolder.texts
    let lines = texts.map { JSONValue.object(["text": .string($0)]).compact + "\n" }.joined()
    try lines.write(toFile: folder.path("in.jsonl"), atomically: true, encoding: .utf8)
    var random = RandomTokenizerFolder(texts: texts, seed: 20_261_122)
    for index in 0..<Self.folders {
      try random.write(to: folder.path("folders/\(1000 + index)"))
    }
    let printed = try Oracle.run(
      "tokenize_folders.py", [folder.path("folders"), folder.path("in.jsonl"), "\(Self.length)"])
    let expected = printed.split(separator: "\n")
    try #require(expected.count == Self.folders)
    var accepted = 0
    for line in expected {
      let facts = try JSONParser.parseObject(Array(line.utf8), origin: "tokenize_folders.py")
      let path = folder.path("folders/\(try facts.string("folder"))")
      guard let tokenizer = try? Self.tokenizer(path) else { continue }
      accepted += 1
      let differences = try Self.differences(tokenizer, facts, texts)
      #expect(differences.isEmpty, "\(Self.description(path)): \(differences.prefix(3))")
    }
    #expect(accepted >= Self.folders / 4, "\(accepted) of \(Self.folders) accepted")
  }

  static func tokenizer(_ path: String) throws -> any TextTokenizer {
    let files = try TokenizerFiles { name in
      let path = "\(path)/\(name.rawValue)"
      guard FileManager.default.fileExists(atPath: path) else { return nil }
      return .init(origin: name.rawValue, bytes: [UInt8](try Data(contentsOf: URL(filePath: path))))
    }
    return try TextTokenizers.read(files)
  }

  /// Differences from the library.
  private static func differences(
    _ tokenizer: any TextTokenizer, _ facts: JSONObject, _ texts: [String]
  ) throws -> [String] {
    guard !facts.has("error") else { return ["accepted: \(try facts.string("error"))"] }
    var differences: [String] = []
    for (text, ids) in zip(texts, try facts.array("ids")) {
      let ours = tokenizer.ids(of: text, maximumLength: length)
      guard ours != ids.array?.map({ Int32($0.integer ?? -1) }) else { continue }
      differences.append("\(JSONValue.string(text).compact): \(ours), not \(ids.value.compact)")
    }
    let sides = (tokenizer.sides.truncation.rawValue, tokenizer.sides.padding.rawValue)
    let theirs = (try facts.string("cuts"), try facts.string("pads"))
    if sides != theirs {
      differences.append("sides \(sides)")
    }
    if tokenizer.configuredMaximumLength != facts["limit"]?.integer {
      differences.append("limit \(tokenizer.configuredMaximumLength ?? -1)")
    }
    if facts.has("pad"), Int(tokenizer.paddingID) != facts["pad"]?.integer {
      differences.append("pads with \(tokenizer.paddingID)")
    }
    return differences
  }

  /// All small files of a folder.
  private static func description(_ path: String) -> String {
    TokenizerFiles.Name.allCases.filter { $0 != .vocabulary }.compactMap { name in
      guard let data = FileManager.default.contents(atPath: "\(path)/\(name.rawValue)") else {
        return nil
      }
      let text = String(decoding: data, as: UTF8.self)
      return "\(name.rawValue) \(text.prefix(1500))"
    }.joined(separator: "\n")
  }
}
