package import Graph
package import Weights

/// A weight as it will be stored, and its compression error.
package struct CompressedTensor: Sendable {
  package let reference: WeightReference
  package let content: Content
  /// Type of the stored floats: scales, palette entries, uncompressed values.
  package let floats: FloatType
  /// ‖w − ŵ‖ / ‖w‖ in Double, ŵ being the result of `dequantized`; 0 if nothing was lost or all
  /// values are zero.
  package let relativeError: Double

  package var name: TensorName { reference.name }
  package var shape: [Int] { reference.shape }
  package var role: WeightRole { reference.role }

  /// Whether the values differ from the original although no scheme applies: calibration fitted
  /// them to make up for the loss of the weight beside it.
  package private(set) var isRefitted = false

  /// Of the values `dequantized` gives, if it was taken when the tensor was made.
  private let knownChecksum: ValueChecksum?

  /// Puts a tensor together from stored parts, whose floats have the type `floats` already.
  ///
  /// - Throws: `CompressionError.inconsistent` when the parts' sizes do not fit the shape.
  package init(
    _ reference: WeightReference, _ content: Content, floats: FloatType = .float32,
    relativeError: Double
  ) throws(CompressionError) {
    self.init(unchecked: reference, content, floats, relativeError, nil)
    try content.codes.check(for: reference)
  }

  /// The same with the error measured against the values it was made from.
  package init(
    _ reference: WeightReference, _ content: Content, floats: FloatType, madeFrom values: [Float]
  ) throws(CompressionError) {
    self.init(made: content, of: reference, floats: floats, from: values)
    try content.codes.check(for: reference)
  }

  /// The same of parts that were just made for the shape.
  init(
    made content: Content, of reference: WeightReference, floats: FloatType,
    from values: [Float]
  ) {
    let bare = CompressedTensor(unchecked: reference, content, floats, 0, nil)
    let (error, checksum) = bare.measured(against: values)
    self.init(unchecked: reference, content, floats, error, checksum)
  }

  private init(
    unchecked reference: WeightReference, _ content: Content, _ floats: FloatType,
    _ relativeError: Double, _ checksum: ValueChecksum?
  ) {
    self.reference = reference
    self.content = content
    self.floats = floats
    self.relativeError = relativeError
    knownChecksum = checksum
  }

  /// Of the values `dequantized` gives.
  package var checksum: ValueChecksum { knownChecksum ?? checksum(first: reference.elementCount) }

  /// The scheme it is stored by; nil if it is kept as it was.
  package var scheme: Scheme? { content.codes.scheme(of: reference) }

  /// A phrase for listings: the scheme's, "kept", or "refitted".
  package var schemeLabel: String { scheme?.label ?? (isRefitted ? Self.refittedLabel : "kept") }

  /// The word in listings for a weight without a scheme that was fitted to inputs.
  package static let refittedLabel = "refitted"

  /// The same, marked as fitted to inputs.
  package func refitted() -> CompressedTensor {
    var tensor = self
    tensor.isRefitted = true
    return tensor
  }

  /// Bits per stored element, or per vector of them, without scales and palettes.
  package var bits: Int { scheme?.own.storedBits(floats) ?? 8 * floats.byteCount }

  /// Bytes as stored, scales and palettes included.
  package var byteCount: Int { content.codes.byteCount(floats) }
}
