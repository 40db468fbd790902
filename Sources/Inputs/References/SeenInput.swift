package import Weights

/// What a model sees of an input: inputs of which it sees the same are one to it, however they are
/// written.
package enum SeenInput: Hashable, Sendable {
  /// Token ids, those around the text included, without padding.
  case tokens([Int32])
  /// Numbers; −0 is 0.
  case values([Float])
  /// The digest of an image's pixels, prepared as the model takes them.
  case pixels(ContentDigest)
  /// The digest of an image's file, where nobody decoded it.
  case file(ContentDigest)
  /// An input as it was written, where no model runs.
  case written(Input)

  /// What an input says by itself, without a model.
  ///
  /// - Throws: `FileError` when an image cannot be read.
  package init(_ input: Input, images: ImageFiles) throws {
    self =
      switch input {
      case .text: .written(input)
      case .values(let values): .values(values)
      case .image(let path): .file(try images.digest(of: path))
      }
  }
}
