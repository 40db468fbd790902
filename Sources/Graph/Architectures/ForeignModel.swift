import StrictJSON

/// A folder in which no architecture was recognised, and the kind of model its files state.
enum ForeignModel {
  private static let configName = "config.json"
  /// Most names that a message proposes.
  private static let proposals = 3

  /// The error for such a folder.
  ///
  /// - Parameter programs: how people can have such a model read, each to follow "or".
  /// - Throws: if its files cannot be read.
  static func error(
    _ files: ModelFiles, known: [any RecognisedArchitecture.Type], programs: [String]
  ) throws -> ModelError {
    let entries = try SentenceModules.entries(files)
    let transformer = entries?.first { $0.kind == .transformer }
    // A chain of modules without a transformer is of another kind, whatever else the folder holds.
    if transformer == nil { for entry in entries ?? [] { _ = try entry.known() } }
    let path = transformer?.file(configName) ?? configName
    guard let config = try files.object(path), let name = name(config) else {
      return .notRecognised(origin: files.origin, found: nil, lookedFor: [])
    }
    let types = Set(known.flatMap { $0.modelTypes }).sorted()
    let type = config["model_type"]?.string
    if let type, types.contains(type) {
      let signatures = known.filter { $0.modelTypes.contains(type) }.map { $0.signature }
      return .notRecognised(origin: files.origin, found: name, lookedFor: signatures)
    }
    return .otherArchitecture(
      place: files.name(of: path), name: name, nearest: type.map { nearest(to: $0, types) } ?? [],
      programs: programs)
  }

  /// As `'roberta' (RobertaModel)`; nil if no key says a name.
  private static func name(_ config: JSONObject) -> String? {
    let type = config["model_type"]?.string.map { "'\($0.prefix(60))'" }
    let classes = (config["architectures"]?.array ?? []).prefix(proposals).compactMap(\.string)
      .map { String($0.prefix(60)) }.joined(separator: ", ")
    guard classes.isEmpty else { return type.map { "\($0) (\(classes))" } ?? classes }
    // timm's word for the class.
    return type ?? config["architecture"]?.string.map { "'\($0.prefix(60))'" }
  }

  /// The names that share most pairs of neighbouring letters with a name (Dice's coefficient), the
  /// nearest first; those that share two fifths or less are not near.
  static func nearest(to name: String, _ known: [String]) -> [String] {
    let own = pairs(name)
    let shares = known.map { other -> (name: String, share: Double) in
      let pairs = pairs(other)
      let all = max(1, own.count + pairs.count)
      return (other, 2 * Double(own.intersection(pairs).count) / Double(all))
    }
    return shares.filter { $0.share > 0.4 }
      .sorted { ($1.share, $0.name) < ($0.share, $1.name) }
      .prefix(proposals).map(\.name)
  }

  private static func pairs(_ name: String) -> Set<[UInt8]> {
    let letters = Array(name.lowercased().utf8.prefix(60))
    return Set(zip(letters, letters.dropFirst()).map { [$0, $1] })
  }
}
