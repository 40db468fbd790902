/// Where the numbers of a model's weights come from: the original files or a compressed set.
///
/// The executor reads weights only through this, so that two runs of one graph can differ only in
/// their weights.
package protocol WeightSource: Sendable {
  /// Names of all tensors, sorted by their UTF-8 bytes.
  var names: [String] { get }
  /// Shape of a tensor, or nil when there is none of that name.
  func shape(of name: String) -> [Int]?
  /// All values of a tensor as Float, row-major.
  ///
  /// - Throws: the source's own error when the tensor is missing or cannot be converted.
  func floats(of name: String) throws -> [Float]
}
