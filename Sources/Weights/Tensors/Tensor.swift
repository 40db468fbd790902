import Files

/// One named array of a weight file: its type and shape, and where its values are.
///
/// Values are converted only when asked for. A tensor keeps its file mapped.
package struct Tensor: Sendable {
  /// The layout of the stored values.
  struct Layout: Sendable, Equatable {
    var isBigEndian = false
    /// Whether the first index varies fastest.
    var isFortranOrder = false
  }

  /// The location of the stored values.
  enum Storage: Sendable {
    /// In a file, as they are.
    case mapped(MappedFile, Range<Int>)
    /// In a deflated member of an npz archive.
    case deflated(DeflatedBytes)
  }

  package let name: TensorName
  package let elementType: ElementType
  /// Dimensions, outermost first; empty for a single value.
  package let shape: [Int]
  /// Product of the dimensions.
  package let elementCount: Int
  /// The file the tensor is in, for messages.
  package let place: String
  let layout: Layout
  let storage: Storage

  /// Bytes the stored values take, once inflated.
  package var byteCount: Int {
    switch storage {
    case .mapped(_, let range): range.count
    case .deflated(let bytes): bytes.byteCount
    }
  }

  /// Whether the stored bytes are the values in row-major order, little-endian.
  package var isPlain: Bool {
    !layout.isFortranOrder && (!layout.isBigEndian || elementType.bitWidth <= 8)
  }

  /// Lends the stored bytes as they are in the file (see `isPlain`).
  ///
  /// - Throws: if a deflated archive changed since it was opened, or there is not enough memory to
  ///   inflate it; errors of `body`.
  package func withBytes<Result>(
    _ body: (RawSpan) throws(WeightsError) -> Result
  ) throws(WeightsError) -> Result {
    switch storage {
    case .mapped(let file, let range):
      return try file.withBytes(in: range, body)
    case .deflated(let bytes):
      try requireMemory(bytes.byteCount)
      let values = try bytes.values()
      return unsafe try body(values.span.bytes)
    }
  }
}
