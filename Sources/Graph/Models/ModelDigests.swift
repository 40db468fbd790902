package import Files
package import Weights

/// The bytes of a model: those of its weights, and those of the files that describe it.
package struct ModelDigests: Hashable, Sendable {
  /// Digest of the weight bytes.
  package var weights: ContentDigest
  /// Digests of the files that describe them (a tokenizer too), by path.
  package var files: [String: ContentDigest]

  package init(weights: ContentDigest, files: [String: ContentDigest]) {
    self.weights = weights
    self.files = files
  }
}

extension Model {
  /// The bytes of the model. Reads all of them.
  package func digests() throws(FileError) -> ModelDigests {
    ModelDigests(weights: digest, files: try describingDigests())
  }
}
