package import Weights

/// Weights stored in files, with a digest of their bytes.
///
/// A `Model` accepts only these and takes its digest from them, so that the weights that run and
/// those that a receipt names come from one object.
package protocol WeightFile: WeightSource {
  /// Paths of the files the values are read from.
  var files: [String] { get }
  /// SHA-256 over the bytes the values are read from. Reads them all.
  func digest() -> ContentDigest
}

extension WeightCollection: WeightFile {}
