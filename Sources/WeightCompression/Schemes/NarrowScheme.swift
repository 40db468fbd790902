package import Graph

/// Numbers of fewer bits, without scales or tables.
package enum NarrowScheme: Hashable, Sendable {
  /// IEEE 754 half precision.
  case float16
  /// Whole numbers, bit for bit. A format packs them by itself; no recipe asks for it.
  case packed(PackedNumbers)
}

extension NarrowScheme: CompressionScheme {
  package var label: String {
    switch self {
    case .float16: "float16"
    case .packed(let packed): "packed \(packed.bits) \(packed.bits == 1 ? "bit" : "bits")"
    }
  }

  package var isLossless: Bool { false }
  package var fitsEveryWeight: Bool { true }
  package var hasOneScale: Bool { false }
  package var channelUnit: Int { 1 }

  package func validate() {}
  package func fault(of reference: WeightReference) -> TensorRefusal.Fault? { nil }
  package func blocks(of reference: WeightReference) -> [Int] { reference.shape.map { _ in 1 } }

  package func storedBits(_ floats: FloatType) -> Int {
    switch self {
    case .float16: 16
    case .packed(let packed): packed.bits
    }
  }

  package func storedBytes(of reference: WeightReference, _ floats: FloatType) -> Int {
    BitPacking.byteCount(reference.elementCount, bits: storedBits(floats))
  }

  package func stored(for reference: WeightReference) -> Scheme { .narrow(self) }

  package func peakBytes(of reference: WeightReference, jobs: Int) -> Int {
    8 * reference.elementCount
  }

  package func compress(
    _ values: [Float], _ reference: WeightReference, _ floats: FloatType, importance: Importance?,
    jobs: Int
  ) -> CompressedTensor.Content {
    switch self {
    case .float16: .narrow(NarrowCodes(float16: values))
    case .packed(let packed): .narrow(NarrowCodes(packed, values))
    }
  }
}

/// The stored numbers of a narrow scheme, as the values that a model computes with.
package struct NarrowCodes: Equatable, CompressedCodes {
  package let scheme: NarrowScheme
  /// In flat order.
  package let values: [Float]

  /// The nearest halves of values.
  package init(float16 values: [Float]) {
    scheme = .float16
    self.values = FloatType.float16.rounded(values)
  }

  /// Whole numbers that the bits hold.
  package init(_ packed: PackedNumbers, _ values: [Float]) {
    scheme = .packed(packed)
    self.values = values
  }

  func scheme(of reference: WeightReference) -> Scheme? { .narrow(scheme) }

  func byteCount(_ floats: FloatType) -> Int {
    BitPacking.byteCount(values.count, bits: scheme.storedBits(floats))
  }

  func check(for reference: WeightReference) throws(CompressionError) {
    try reference.expect("values", values.count, reference.elementCount)
  }

  func decoder(of reference: WeightReference, _ floats: FloatType) -> any ValueDecoder {
    UncompressedValues(values: values)
  }
}
