import StrictJSON
import Tokenization

/// The tokenizer's files beside a transformer, and the length that they set.
struct SentenceTokenizerFiles {
  /// Those that exist, as paths in the model's folder.
  let names: [String]
  private let configuration: JSONObject?

  /// - Parameter folder: of the transformer, seen from the model's; empty for that itself.
  init(_ files: ModelFiles, in folder: String) throws {
    let path = { (name: String) in folder.isEmpty ? name : "\(folder)/\(name)" }
    names = try files.tokenizerFiles(in: folder).names.filter { $0 != .model }
      .map { path($0.rawValue) }
    configuration = try files.object(path(TokenizerFiles.Name.configuration.rawValue))
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
