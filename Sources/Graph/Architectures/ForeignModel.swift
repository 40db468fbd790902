import StrictJSON

/// A folder in which no architecture was recognised, and the kind of model its files state.
enum ForeignModel {
  private static let configName = "config.json"

  /// The error for such a folder.
  ///
  /// - Parameter programs: how people can have such a model read, each to follow "or".
  /// - Throws: if its files cannot be read.
  static func error(
    _ files: ModelFiles, known: [any RecognisedArchitecture.Type], programs: [String]
  ) throws -> ModelError {
    let signatures = known.map { "\($0.name): \($0.signature)" }
    let entries = try SentenceModules.entries(files)
    let transformer = entries?.first { $0.kind == .transformer }
    // A chain of modules without a transformer is of another kind, whatever else the folder holds.
    if transformer == nil { for entry in entries ?? [] { _ = try entry.known() } }
    let path = transformer?.file(configName) ?? configName
    guard let config = try files.object(path), let name = name(config), !isRead(config, known)
    else {
      return .notRecognised(origin: files.origin, lookedFor: signatures)
    }
    return .otherArchitecture(
      place: files.name(of: path), name: name, known: signatures, programs: programs)
  }

  /// Whether the model is of a kind that is read, and something else is missing.
  private static func isRead(
    _ config: JSONObject, _ known: [any RecognisedArchitecture.Type]
  ) -> Bool {
    guard let type = config["model_type"]?.string else { return false }
    return known.contains { $0.modelTypes.contains(type) }
  }

  /// As `'roberta' (RobertaModel)`.
  private static func name(_ config: JSONObject) -> String? {
    let type = config["model_type"]?.string.map { "'\($0.prefix(60))'" }
    let classes = (config["architectures"]?.array ?? []).compactMap(\.string)
      .map { String($0.prefix(60)) }.joined(separator: ", ")
    guard !classes.isEmpty else { return type }
    return type.map { "\($0) (\(classes))" } ?? classes
  }
}
