package import Formats
package import Graph
import PackageNames

/// The path of a file inside a package: ASCII segments that are safe on every file system.
///
/// A segment matches `[A-Za-z0-9_][A-Za-z0-9._-]*`, which leaves out `.`, `..` and hidden names;
/// a path of more than 99 bytes must have a `/` where the two name fields of a ustar header can part
/// it.
package struct PackagePath: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// Most bytes a path may have.
  package static let maximumLength = 160
  /// Most bytes of a path that nothing parts.
  static let maximumPartLength = 99

  package let string: String

  package var description: String { string }

  /// How a ustar header holds the path, as libarchive writes it: the end of the path, and what
  /// comes before it. Up to 100 bytes are never parted.
  var ustarFields: (name: String, prefix: String) {
    guard string.utf8.count > 100, let slash = Self.parting(string) else { return (string, "") }
    return (String(string[slash...].dropFirst()), String(string[..<slash]))
  }

  /// The first `/` that leaves at most 100 bytes behind it and has at most 155 before it.
  private static func parting(_ string: String) -> String.Index? {
    let bytes = string.utf8
    let start = bytes.index(bytes.startIndex, offsetBy: max(1, bytes.count - 101))
    guard let slash = bytes[start...].firstIndex(of: UInt8(ascii: "/")),
      bytes.distance(from: bytes.startIndex, to: slash) <= 155
    else { return nil }
    return slash
  }

  /// Path of the model that a file at this path would belong to: the first three parts, four where
  /// the third is an encoder's or a member's and not the model itself.
  var ofModel: String {
    let bytes = string.utf8
    var slashes = 0, third = bytes.startIndex
    for index in bytes.indices where bytes[index] == UInt8(ascii: "/") {
      slashes += 1
      if slashes == 2 { third = bytes.index(after: index) }
      let isWhole =
        slashes == 4
        || slashes == 3 && bytes[third...].starts(with: Identifiers.modelStem.utf8)
      if isWhole { return String(string[..<index]) }
    }
    return string
  }

  /// Every folder above, as file systems see it that ignore case, the innermost first.
  var foldedParents: [String] {
    let parts = folded.split(separator: "/")
    return (1..<max(parts.count, 1)).reversed().map { parts.prefix($0).joined(separator: "/") }
  }

  /// The path as file systems see it that ignore case.
  var folded: String { string.lowercased() }

  /// Checks a path, byte by byte.
  package init(_ string: String) throws(PackagingError) {
    let length = string.utf8.count
    let isWhole = length > Self.maximumPartLength && PackagePath.parting(string) == nil
    let limit = isWhole ? Self.maximumPartLength : Self.maximumLength
    guard length <= limit else {
      throw .badPath(string, fault: "has \(length) bytes, at most \(limit) fit")
    }
    for segment in string.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    {
      guard SafePath.isSegment(segment) else {
        throw .badPath(
          string, fault: "each part must match [A-Za-z0-9_][A-Za-z0-9._-]*")
      }
    }
    self.string = string
  }

  package static func < (left: PackagePath, right: PackagePath) -> Bool {
    left.string.utf8.lexicographicallyPrecedes(right.string.utf8)
  }
}

/// Which model of the app an entry is.
package enum ModelIdentity: Hashable, Sendable {
  /// A model that every customer gets, by its name in the project; the name of a member of a family
  /// is `FAMILY/MEMBER`.
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

  /// The family that the model is a member of; nil if it is of none.
  package var family: String? {
    guard case .shared(let name, _) = self, let slash = name.firstIndex(of: "/") else { return nil }
    return String(name[..<slash])
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

  /// Path in a package of what says how the model's inputs are made.
  package func inputsPath() throws(PackagingError) -> PackagePath {
    try PackagePath("inputs/\(title).json")
  }

  /// Path of the model's self-test in a package.
  package func selfTestPath() throws(PackagingError) -> PackagePath {
    try PackagePath("selftests/\(title).json")
  }
}

extension Collection where Element == ModelIdentity {
  /// The first that cannot be in one package with those before it.
  ///
  /// Names are compared without case; only different encoders of one model share a name, and only
  /// members of one family what comes before the `/`.
  var firstClash: ModelIdentity? {
    var taken: [String: [ModelIdentity]] = [:]
    var families: Set<String> = []
    var singles: Set<String> = []
    for identity in self {
      if let family = identity.family?.lowercased() {
        families.insert(family)
        if singles.contains(family) || identity.encoder != nil { return identity }
      } else {
        singles.insert(identity.name.lowercased())
        if families.contains(identity.name.lowercased()) { return identity }
      }
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
