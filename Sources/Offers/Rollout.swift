import Crypto
package import StrictJSON

/// Which devices a version is for while it is widened.
///
/// A device falls into one of 10,000 buckets by the salt and its own name, so that a larger share holds all
/// devices of a smaller one, and another salt draws anew. The salt stays while a version is widened.
package struct Rollout: Equatable, Sendable {
  package let salt: String
  /// Devices in ten thousand that take it.
  package let permyriad: Int

  /// Every device.
  package static let whole = 10_000

  /// - Parameter permyriad: 0...10,000.
  package init(salt: String, permyriad: Int) {
    precondition((0...Rollout.whole).contains(permyriad), "a share of ten thousand")
    (self.salt, self.permyriad) = (salt, permyriad)
  }

  init(_ object: JSONObject) throws(JSONError) {
    salt = try object.string("salt")
    permyriad = try object.plainInteger("permyriad", in: 0...Rollout.whole)
  }

  package var json: JSONValue { ["salt": .string(salt), "permyriad": .integer(permyriad)] }

  /// The bucket of a device, 0..<10,000: the first 8 bytes of SHA-256(salt, a zero byte, name) as a number of
  /// which the highest byte is first, modulo 10,000.
  package func bucket(of installID: String) -> Int {
    let digest = SHA256.hash(data: Array(salt.utf8) + [0] + Array(installID.utf8))
    let number = digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return Int(number % UInt64(Rollout.whole))
  }

  /// Whether a device takes it.
  package func admits(_ installID: String) -> Bool { bucket(of: installID) < permyriad }
}
