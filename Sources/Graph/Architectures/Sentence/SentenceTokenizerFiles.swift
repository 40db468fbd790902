import StrictJSON
import Tokenization

/// The tokenizer's files beside a transformer, and the length that they set.
struct SentenceTokenizerFiles {
  /// Those that exist, as paths in the model's folder.
  let names: [String]
  private let configuration: JSONObject?

  private static let all = [
    "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "added_tokens.json",
  ]

  /// - Parameter folder: of the transformer, seen from the model's; empty for that itself.
  init(_ files: ModelFiles, in folder: String) throws {
    let path = { (name: String) in folder.isEmpty ? name : "\(folder)/\(name)" }
    var found = try Self.all.map(path).filter { try files.bytes(of: $0) != nil }
    // If the whole tokenizer exists, files of its pieces are not read.
    if !found.contains(path(Self.all[0])) {
      found += try TokenizerFiles.Name.pieces.map { path($0.rawValue) }
        .filter { try files.bytes(of: $0) != nil }
    }
    names = found
    configuration = try files.object(path(Self.all[1]))
  }

  /// The length in `tokenizer_config.json`; nil if unlimited, which the library writes as 10³⁰ or
  /// null. The old name counts if the new one is absent.
  func maximumLength() throws -> Int? {
    guard let configuration else { return nil }
    for key in ["model_max_length", "max_len"] {
      guard let node = configuration[key] else { continue }
      if node.isNull { return nil }
      guard let value = node.double, value >= 3, value == value.rounded() else {
        throw configuration.mismatch(key, expected: "a whole number from 3 on", node)
      }
      if value > Double(1 << 30) { return nil }
      return try configuration.plainInteger(key)
    }
    return nil
  }
}
