import Crypto
import Files
package import StrictJSON

/// What metadata says of a file: its length and its digests.
package struct FileFacts: Equatable, Sendable {
  /// Bytes; nil where it is not said.
  package let length: Int?
  /// Hexadecimal digits by the algorithm's name; empty where none is said.
  package let hashes: [String: String]

  package init(length: Int?, hashes: [String: String]) {
    (self.length, self.hashes) = (length, hashes)
  }

  /// The facts of some bytes.
  package init(of bytes: [UInt8]) {
    self.init(length: bytes.count, hashes: ["sha256": HexText.text(SHA256.hash(data: bytes))])
  }

  init(_ object: JSONObject) throws(JSONError) {
    length = object.has("length") ? try object.integer("length", in: 0...Int.max) : nil
    var hashes: [String: String] = [:]
    if object.has("hashes") {
      let digests = try object.object("hashes")
      for (name, _) in digests.members { hashes[name] = try digests.string(name) }
      guard !hashes.isEmpty else {
        throw object.error("has 'hashes' without a digest", at: digests.position)
      }
    }
    self.hashes = hashes
  }

  /// The digest by SHA-256, in hexadecimal; nil where it is not said.
  package var sha256: String? { hashes["sha256"] }

  package var json: [String: JSONValue] {
    var json: [String: JSONValue] = [:]
    if let length { json["length"] = .integer(length) }
    if !hashes.isEmpty { json["hashes"] = .object(hashes.mapValues { .string($0) }) }
    return json
  }

  /// Compares some bytes with what is said.
  ///
  /// - Parameter file: its name, for messages.
  /// - Throws: `MetadataError` that names the length or the digest.
  package func check(_ bytes: [UInt8], file: String) throws(MetadataError) {
    if let length, length != bytes.count {
      throw .length(file: file, found: bytes.count, expected: length)
    }
    for (algorithm, expected) in hashes.sorted(by: { $0.key < $1.key }) {
      let found: String
      switch algorithm {
      case "sha256": found = HexText.text(SHA256.hash(data: bytes))
      case "sha512": found = HexText.text(SHA512.hash(data: bytes))
      default: throw .unknownDigest(file: file, algorithm: algorithm)
      }
      guard found == expected.lowercased() else {
        throw .digest(file: file, found: found, expected: expected)
      }
    }
  }
}
