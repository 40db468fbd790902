package import Formats
package import Graph

/// Which model of the app an entry is.
package enum ModelIdentity: Hashable, Sendable {
  /// A model that every customer gets, by its name in the project.
  case shared(name: String, encoder: EncoderKind? = nil)
  /// A customer's own model.
  case flow(id: Int, name: String, modelVersion: Int, encoder: EncoderKind? = nil)

  /// The model's name; its encoders share one.
  package var name: String {
    switch self {
    case .shared(let name, _), .flow(_, let name, _, _): name
    }
  }

  /// Which encoder it is of a model that has several; nil if it is the whole model.
  package var encoder: EncoderKind? {
    switch self {
    case .shared(_, let encoder), .flow(_, _, _, let encoder): encoder
    }
  }

  /// The name, and behind it the encoder: `clip/image`. Names its folder in the package.
  package var title: String { encoder.map { "\(name)/\($0.rawValue)" } ?? name }

  /// The identity of one encoder of the same model; of the whole model for nil.
  package func of(_ encoder: EncoderKind?) -> ModelIdentity {
    switch self {
    case .shared(let name, _): .shared(name: name, encoder: encoder)
    case .flow(let id, let name, let modelVersion, _):
      .flow(id: id, name: name, modelVersion: modelVersion, encoder: encoder)
    }
  }

  /// The model's path in a package: its file, or the folder of its files.
  package func path(format: ModelFormat) throws(PackagingError) -> PackagePath {
    try PackagePath("models/\(title)/model.\(format.name)")
  }

  /// The path in a package of a file that prepares the model's inputs and is not in the model.
  package func companionPath(_ file: String) throws(PackagingError) -> PackagePath {
    try PackagePath("models/\(title)/\(file)")
  }

  /// Path of the model's receipt in a package.
  package func receiptPath() throws(PackagingError) -> PackagePath {
    try PackagePath("receipts/\(title).json")
  }
}

extension Collection where Element == ModelIdentity {
  /// The first that cannot be in one package with those before it.
  ///
  /// Names are compared without case; only different encoders of one model share a name.
  var firstClash: ModelIdentity? {
    var taken: [String: [ModelIdentity]] = [:]
    for identity in self {
      let others = taken[identity.name.lowercased(), default: []]
      let areParts = others.allSatisfy { other in
        other.of(nil) == identity.of(nil) && other.encoder != nil
          && other.encoder != identity.encoder
      }
      guard others.isEmpty || identity.encoder != nil && areParts else { return identity }
      taken[identity.name.lowercased()] = others + [identity]
    }
    return nil
  }
}
