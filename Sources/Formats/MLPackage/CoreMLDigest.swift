import SwiftProtobuf
package import Weights

/// The digest by which a receipt names a Core ML package.
///
/// A package carries the digest of the receipt that names it, so that digest cannot be part of what
/// is named: `model.mlmodel` counts without it. Everything else counts byte for byte.
package enum CoreMLDigest {
  /// Key of the receipt's digest in the user-defined metadata.
  package static let receiptKey = "dev.ingot.receipt"
  /// The one file that counts without its receipt.
  package static let modelPath = MLPackageLayout.model
  /// Largest such file that is read, in bytes. It holds no large constants.
  package static let modelLimit = 16 << 20

  /// The digest of a package: `ContentDigest.combining` of its files by their paths.
  ///
  /// - Parameters:
  ///   - files: paths inside the package and digests; that of the model file is not used.
  ///   - model: the bytes of the file at `modelPath`.
  /// - Throws: SwiftProtobuf's error when the model's bytes are not a message.
  package static func digest(
    of files: [(name: String, digest: ContentDigest)], model: [UInt8]
  ) throws -> ContentDigest {
    let named = try ofModel(model)
    return .combining(files.map { ($0.name, $0.name == modelPath ? named : $0.digest) })
  }

  /// The digest of a receipt that a model's bytes name, if they do.
  package static func receipt(in model: [UInt8]) throws -> String? {
    try SpecModel(serializedBytes: model).description_p.metadata.userDefined[receiptKey]
  }

  /// A model's bytes with the digest of the receipt that names it.
  static func naming(_ receipt: ContentDigest, in bytes: [UInt8]) throws -> [UInt8] {
    var model = try SpecModel(serializedBytes: bytes)
    model.description_p.metadata.userDefined[receiptKey] = receipt.hex
    return try model.deterministicBytes()
  }

  /// The digest that counts for the model file.
  static func ofModel(_ bytes: [UInt8]) throws -> ContentDigest {
    ContentDigest(of: try withoutReceipt(bytes))
  }

  /// The model's bytes without the receipt's digest; untouched if they hold no digest.
  private static func withoutReceipt(_ bytes: [UInt8]) throws -> [UInt8] {
    var model = try SpecModel(serializedBytes: bytes)
    guard model.description_p.metadata.userDefined.removeValue(forKey: receiptKey) != nil else {
      return bytes
    }
    return try model.deterministicBytes()
  }
}
