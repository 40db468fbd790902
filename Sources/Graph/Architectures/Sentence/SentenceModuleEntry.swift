import StrictJSON

/// One line of sentence-transformers' `modules.json`.
struct SentenceModuleEntry {
  /// The kinds of module that Ingot knows.
  enum Kind: String, CaseIterable {
    case transformer = "Transformer"
    case pooling = "Pooling"
    case dense = "Dense"
    case layerNorm = "LayerNorm"
    case dropout = "Dropout"
    case normalize = "Normalize"
  }

  /// The class, as the file says.
  let type: String
  /// The module's folder inside the model's: empty, or without a slash at its end.
  let path: String

  private let entry: JSONObject

  private static let rules = KeyRules(
    understood: ["type", "path", "name"],
    harmless: ["idx": "the order is that of the list"],
    neutral: ["kwargs": [.array([])]])

  init(_ node: JSONNode, in file: String) throws {
    guard let entry = node.object else {
      throw JSONError(
        origin: file, position: node.position,
        fault: "is \(node.kind), expected an object with 'type' and 'path'")
    }
    self.entry = entry
    type = try entry.string("type")
    path = try Self.inside(try entry.string("path"), of: file)
  }

  /// The kind of module, if it is one of those that Ingot knows.
  var kind: Kind? { Kind.allCases.first { $0.types.contains(type) } }

  /// The kind of module.
  ///
  /// - Throws: if it is not known, or the entry says more than is understood.
  func known() throws -> Kind {
    try Self.rules.check(entry)
    if entry["name"] != nil { _ = try entry.string("name") }
    guard let kind else {
      throw ModelError.unsupported(
        place: "\(entry.origin): 'type'", found: "'\(type)'",
        supported: "\(Kind.words) of sentence-transformers")
    }
    return kind
  }

  /// The module's name; usually a number.
  var name: String? { entry["name"]?.string }

  /// A fault of the entry, or of one of its keys.
  func error(_ fault: String, key: String? = nil) -> JSONError {
    entry.error(fault, at: key.flatMap { entry[$0]?.position } ?? entry.position)
  }

  /// A path that stays in the model's folder.
  ///
  /// By bytes: a combining mark behind a slash would hide it from a split by characters.
  private static func inside(_ path: String, of file: String) throws(ModelError) -> String {
    if path.isEmpty { return path }
    let segments = path.utf8.split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let isInside = segments.allSatisfy { segment in
      !["", ".", ".."].contains { segment.elementsEqual($0.utf8) }
    }
    guard isInside else {
      throw .unsupported(
        place: file, found: "the path '\(path)'", supported: "paths inside the model's folder")
    }
    return path
  }

  /// The path of one of the module's files, seen from the model's folder.
  func file(_ name: String) -> String { path.isEmpty ? name : "\(path)/\(name)" }
}

extension SentenceModuleEntry.Kind {
  /// How the versions of the library call the module: 2 to 5.3, then 5.4 and later, with the paths
  /// that each re-exports.
  var types: [String] {
    let file = self == .layerNorm ? "layer_norm" : rawValue.lowercased()
    let homes: [String] =
      switch self {
      case .transformer, .dense: ["base.modules"]
      case .normalize: ["base.modules", "sentence_transformer.modules"]
      case .pooling, .layerNorm, .dropout: ["sentence_transformer.modules"]
      }
    return [
      "sentence_transformers.models.\(rawValue)",
      "sentence_transformers.models.\(rawValue).\(rawValue)",
      "sentence_transformers.sentence_transformer.modules.\(rawValue)",
    ]
      + homes.flatMap { home in
        [
          "sentence_transformers.\(home).\(rawValue)",
          "sentence_transformers.\(home).\(file).\(rawValue)",
        ]
      }
  }

  static var words: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
