package import Weights

/// A source of a model's weights: the original files or a compressed set.
///
/// The executor reads weights only through this, so that two runs of one graph can differ only in
/// their weights.
package protocol WeightSource: Sendable {
  /// Names of all tensors, sorted by their UTF-8 bytes.
  var names: [TensorName] { get }
  /// Shape of a tensor, or nil if the source has no tensor of that name.
  func shape(of name: TensorName) -> [Int]?
  /// All values of a tensor as Float, row-major.
  ///
  /// - Throws: the source's own error when the tensor is missing or cannot be converted.
  func floats(of name: TensorName) throws -> [Float]
  /// The first values of a tensor, at most `count`, as `floats(of:)` gives them.
  func floats(of name: TensorName, first count: Int) throws -> [Float]
  /// Lends all values of a tensor as `floats(of:)` gives them, piece by piece, until `body` returns
  /// false. All pieces but the last have a multiple of 4096 values.
  func forEachPiece(of name: TensorName, _ body: (Span<Float>) -> Bool) throws
  /// The stored type of a tensor of whole numbers or truth values: `I8`, `BOOL`, …; nil for
  /// floating point, and where it is not known.
  func wholeNumberType(of name: TensorName) -> String?
}

extension WeightSource {
  package func floats(of name: TensorName, first count: Int) throws -> [Float] {
    Array(try floats(of: name).prefix(count))
  }

  package func forEachPiece(of name: TensorName, _ body: (Span<Float>) -> Bool) throws {
    let values = try floats(of: name)
    _ = body(values.span)
  }

  package func wholeNumberType(of name: TensorName) -> String? { nil }
}
