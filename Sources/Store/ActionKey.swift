package import StrictJSON
package import Weights

/// Names a piece of work by everything its result depends on.
package struct ActionKey: Hashable, Sendable, CustomStringConvertible {
  package let digest: ContentDigest

  /// 64 lower-case hexadecimal digits.
  package var description: String { digest.hex }

  /// - Parameter inputs: everything the result depends on; equal inputs give equal keys.
  package init(_ inputs: JSONValue) { digest = ContentDigest(of: Array(inputs.compact.utf8)) }

  /// A key that was made before.
  package init(digest: ContentDigest) { self.digest = digest }
}
