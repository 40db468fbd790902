package import Weights

/// The inputs that a compressed model was fitted to.
package struct CalibrationRecord: Hashable, Sendable, CustomStringConvertible {
  /// Digest of the calibration set.
  package let digest: ContentDigest
  /// Number of its inputs that were used, at least 1.
  package let inputs: Int

  package init(digest: ContentDigest, inputs: Int) {
    precondition(inputs > 0, "at least one input")
    self.digest = digest
    self.inputs = inputs
  }

  /// Parses a `description`; nil for any other text.
  package init?(_ text: String) {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 2, let digest = ContentDigest(hex: String(words[0])),
      let inputs = Int(words[1]), inputs > 0, String(inputs) == words[1]
    else { return nil }
    self.init(digest: digest, inputs: inputs)
  }

  /// Digest and number, as compressed models carry them.
  package var description: String { "\(digest.hex) \(inputs)" }
}
