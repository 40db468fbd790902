import Files
package import Graph
import StrictJSON
import Tokenization

/// The files that prepare a package's inputs, beside it.
extension CoreMLPackage {
  /// The files that prepare a model's inputs, by their names.
  package static func companions(of model: Model) throws -> [String: [UInt8]] {
    let described = model.architecture.describingFiles
    var companions: [String: [UInt8]] = [:]
    for name in companionFiles {
      let inFolder = Folder.join(model.architecture.tokenizerFolder, name)
      let path = described.contains(inFolder) ? inFolder : name
      guard described.contains(path) else { continue }
      companions[name] = try model.files.bytes(of: path)
    }
    if model.architecture.isPreparedAsTimm {
      companions[timmFile] = try model.files.bytes(of: timmFile)
    }
    return companions
  }

  /// Says how timm prepares images. Other models have a file of this name, too, which stays with them.
  static let timmFile = "config.json"

  /// The tokenizer's settings in a model's `config.json`; nil for a model without texts.
  static func tokenizerFacts(of model: Model) throws -> String? {
    guard case .tokens = model.architecture.input else { return nil }
    let files = try model.files.tokenizerFiles(in: model.architecture.tokenizerFolder)
    return TokenizerFiles.file(of: try files.modelFacts()).compact
  }

  /// A package's statement about the files beside it; nil if it predates such statements or is not
  /// Ingot's.
  static func statedCompanions(
    _ message: SpecModel, origin: String
  ) throws -> CompanionDigests? {
    let stated = message.description_p.metadata.userDefined
    return try stated[companionDigestsKey].map {
      try CompanionDigests(
        $0, names: Set((stated[preparationKey] ?? "").split(separator: " ").map(String.init)),
        origin: origin)
    }
  }

  /// The files beside a package, with what it says itself of its tokenizer for `config.json`.
  static func stating(
    _ message: SpecModel, _ files: ModelFiles, origin: String
  ) throws -> ModelFiles {
    guard let facts = message.description_p.metadata.userDefined[tokenizerKey] else { return files }
    let bytes = Array(facts.utf8)
    _ = try JSONParser.parseObject(bytes, origin: "\(origin): metadata '\(tokenizerKey)'")
    return files.replacing(TokenizerFiles.Name.model.rawValue, by: bytes)
  }

  /// The files that prepare inputs: those that the package names, or any that there are.
  static func preparation(_ message: SpecModel, _ files: ModelFiles) throws -> [String] {
    if let named = message.description_p.metadata.userDefined[preparationKey] {
      let names = named.split(separator: " ").map(String.init)
      return (companionFiles + [timmFile]).filter(names.contains)
    }
    return try companionFiles.filter { try files.bytes(of: $0) != nil }
  }
}
