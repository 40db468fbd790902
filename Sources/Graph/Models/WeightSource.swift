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
  /// As `floats(of:)`, with the digits that are stored.
  func doubles(of name: TensorName) throws -> [Double]
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
  package func doubles(of name: TensorName) throws -> [Double] {
    try floats(of: name).map(Double.init)
  }

  package func floats(of name: TensorName, first count: Int) throws -> [Float] {
    Array(try floats(of: name).prefix(count))
  }

  package func forEachPiece(of name: TensorName, _ body: (Span<Float>) -> Bool) throws {
    let values = try floats(of: name)
    _ = body(values.span)
  }

  package func wholeNumberType(of name: TensorName) -> String? { nil }
}

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

extension WeightCollection: WeightSource {
  package var names: [TensorName] { tensors.map(\.name) }

  package func shape(of name: TensorName) -> [Int]? { self[name]?.shape }

  package func wholeNumberType(of name: TensorName) -> String? {
    guard let type = self[name]?.elementType, type.isWholeNumber else { return nil }
    return type.rawValue
  }

  package func floats(of name: TensorName) throws -> [Float] { try tensor(name).floats() }

  package func doubles(of name: TensorName) throws -> [Double] { try tensor(name).doubles() }

  package func floats(of name: TensorName, first count: Int) throws -> [Float] {
    let tensor = try tensor(name)
    return try tensor.floats(in: 0..<min(count, tensor.elementCount))
  }

  package func forEachPiece(of name: TensorName, _ body: (Span<Float>) -> Bool) throws {
    let tensor = try tensor(name)
    try tensor.requireCapacity()
    try tensor.forEachPiece(body)
  }

  private func tensor(_ name: TensorName) throws -> Tensor {
    guard let tensor = self[name] else {
      throw ModelError.missingWeight(origin: origin, name: name)
    }
    return tensor
  }
}
