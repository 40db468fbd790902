package import Weights

/// Weights that lie in files, and say which bytes they are.
///
/// A `Model` takes nothing else, and has no digest but this: what is run and what a receipt names
/// are one object's word.
package protocol WeightFile: WeightSource {
  /// Paths of the files the values are read from.
  var files: [String] { get }
  /// SHA-256 over the bytes the values are read from. Reads them all.
  func digest() -> ContentDigest
}

extension WeightCollection: WeightFile {}
