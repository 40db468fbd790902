package import Files
package import PackageNames
package import Packaging
import StrictJSON
package import Weights

/// The program that builds, as far as it decides the bytes it makes.
package struct BuildTool: Sendable {
  /// The version that manifests record.
  package let version: SemanticVersion
  private let digest: Meanwhile<ContentDigest>
  /// Versions of the libraries that compute, by name.
  package let libraries: [String: String]

  /// A program whose file is read while other work begins: it is large.
  ///
  /// - Throws: `PackagingError.badField` when the version is none.
  package init(
    version: String, program: MappedFile, libraries: [String: String]
  ) throws(PackagingError) {
    try self.init(
      version: version, digest: Meanwhile { ContentDigest(of: program) }, libraries: libraries)
  }

  /// - Throws: `PackagingError.badField` when the version is none.
  package init(
    version: String, program: ContentDigest, libraries: [String: String]
  ) throws(PackagingError) {
    try self.init(
      version: version, digest: Meanwhile(isLittle: true) { program }, libraries: libraries)
  }

  private init(
    version: String, digest: Meanwhile<ContentDigest>, libraries: [String: String]
  ) throws(PackagingError) {
    guard let parsed = SemanticVersion(version) else {
      throw .badField(field: "toolVersion", found: version, expected: "a version such as 1.4.0")
    }
    self.version = parsed
    self.digest = digest
    self.libraries = libraries
  }

  /// The program's own bytes: two builds of one version do not share results.
  private var program: ContentDigest { digest.value }

  var json: JSONValue {
    [
      "version": .string(version.description), "program": .string(program.hex),
      "libraries": .object(libraries.mapValues(JSONValue.string)),
    ]
  }
}
