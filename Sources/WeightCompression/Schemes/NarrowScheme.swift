package import Graph

/// Numbers of fewer bits, without scales or tables.
package enum NarrowScheme: Hashable, Sendable {
  /// IEEE 754 half precision.
  case float16
  /// Whole numbers, bit for bit. A format packs them by itself; no recipe asks for it.
  case packed(PackedNumbers)
  /// Places in tables, bit for bit. A format makes them by itself; no recipe asks for it.
  case tables(ValueTables)
}

extension NarrowScheme: CompressionScheme {
  package var label: String {
    switch self {
    case .float16: "float16"
    case .packed(let packed): "packed \(packed.bits) \(packed.bits == 1 ? "bit" : "bits")"
    case .tables(let tables): "tables of \(tables.bits) \(tables.bits == 1 ? "bit" : "bits")"
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
    case .tables(let tables): tables.bits
    }
  }

  package func storedBytes(of reference: WeightReference, _ floats: FloatType) -> Int {
    BitPacking.byteCount(reference.elementCount, bits: storedBits(floats)) + tableBytes
  }

  /// Bytes of tables.
  fileprivate var tableBytes: Int {
    if case .tables(let tables) = self { tables.tableBytes } else { 0 }
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
    case .tables: preconditionFailure("tables are made with the groups of their numbers")
    }
  }
}

/// The stored numbers of a narrow scheme, as the values that a model computes with.
package struct NarrowCodes: Equatable, CompressedCodes {
  package let scheme: NarrowScheme
  /// In flat order.
  package let values: [Float]
  /// As stored, of numbers in tables.
  package let codes: TableCodes?

  /// The nearest halves of values.
  package init(float16 values: [Float]) {
    scheme = .float16
    codes = nil
    self.values = FloatType.float16.rounded(values)
  }

  /// Whole numbers that the bits hold.
  package init(_ packed: PackedNumbers, _ values: [Float]) {
    scheme = .packed(packed)
    codes = nil
    self.values = values
  }

  /// Numbers in tables.
  ///
  /// - Parameter values: those that the codes have.
  package init(_ codes: TableCodes, _ values: [Float]) {
    scheme = .tables(codes.tables)
    self.codes = codes
    self.values = values
  }

  func scheme(of reference: WeightReference) -> Scheme? { .narrow(scheme) }

  package func byteCount(_ floats: FloatType) -> Int {
    BitPacking.byteCount(values.count, bits: scheme.storedBits(floats)) + scheme.tableBytes
  }

  func check(for reference: WeightReference) throws(CompressionError) {
    try reference.expect("values", values.count, reference.elementCount)
  }

  func decoder(of reference: WeightReference, _ floats: FloatType) -> any ValueDecoder {
    UncompressedValues(values: values)
  }
}
