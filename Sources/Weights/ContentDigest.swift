import Crypto

/// SHA-256 of some content, as 64 lower-case hexadecimal digits.
package struct ContentDigest: Hashable, Sendable, CustomStringConvertible {
  package let hex: String

  package var description: String { hex }
}
