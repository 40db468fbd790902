import StrictJSON
package import Weights

/// A package's list of its parts: its `Manifest.json`.
package struct MLPackageManifest: Equatable, Sendable {
  /// One part of a package.
  package struct Item: Equatable, Sendable {
    /// A UUID in packages of coremltools and Ingot; any text in others'.
    package let identifier: String
    /// From the package's folder `Data`, parts joined by `/`, none empty, `.` or `..`.
    package let path: String
    package let name: String
    package let author: String
    package let description: String
  }

  /// Format written, and the newest read.
  package static let formatVersion = "1.0.0"

  /// In the order written.
  package let items: [Item]
  /// The item that holds the model.
  package let root: Item

  /// The manifest of a package that Ingot writes.
  ///
  /// - Parameter digest: of what the package holds; the identifiers follow from it.
  package init(digest: ContentDigest, hasWeights: Bool) {
    let author = "com.apple.CoreML"
    let model = MLPackageLayout.modelItem
    let weights = MLPackageLayout.weightsItem
    root = Item(
      identifier: MLPackageManifest.identifier(of: model, in: digest), path: model,
      name: "model.mlmodel", author: author, description: "CoreML Model Specification")
    // coremltools finds the weights by this author and name.
    let weightsItem = Item(
      identifier: MLPackageManifest.identifier(of: weights, in: digest), path: weights,
      name: "weights", author: author, description: "CoreML Model Weights")
    items = hasWeights ? [root, weightsItem] : [root]
  }

  init(items: [Item], root: Item) {
    self.items = items
    self.root = root
  }

  /// The text, always the same bytes for the same items.
  package var text: [UInt8] {
    let entries = items.map { item in
      let entry: JSONValue = [
        "author": .string(item.author), "description": .string(item.description),
        "name": .string(item.name), "path": .string(item.path),
      ]
      return (item.identifier, entry)
    }
    let value: JSONValue = [
      "fileFormatVersion": .string(MLPackageManifest.formatVersion),
      "itemInfoEntries": .object(Dictionary(entries) { _, last in last }),
      "rootModelIdentifier": .string(root.identifier),
    ]
    return Array(value.pretty.utf8)
  }

  /// A UUID of version 8 (RFC 9562: bits of one's own choosing) from the start of a digest over the
  /// item's path and the content.
  private static func identifier(of path: String, in digest: ContentDigest) -> String {
    var digits = Array(ContentDigest.combining([(path, digest)]).hex.prefix(32))
    digits[12] = "8"
    // The variant: the two upper bits of this digit are 1 and 0.
    digits[16] = Array("89ab")[(digits[16].hexDigitValue ?? 0) & 3]
    let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
    return groups.map { String(digits[$0]) }.joined(separator: "-")
  }
}
