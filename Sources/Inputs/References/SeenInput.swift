package import Weights

/// An input as a model sees it: inputs written differently are equal if the model cannot tell them
/// apart.
package enum SeenInput: Hashable, Sendable {
  /// Token ids, those around the text included, without padding.
  case tokens([Int32])
  /// Numbers; −0 is 0.
  case values([Float])
  /// The digest of an image's pixels, prepared as the model takes them.
  case pixels(ContentDigest)
  /// The digest of an image's file, if it was not decoded.
  case file(ContentDigest)
  /// An input as it was written, where no model runs.
  case written(Input)

  /// An input as it is written, without a model.
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
