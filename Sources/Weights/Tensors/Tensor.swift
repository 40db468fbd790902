import Files
import StrictJSON

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
  /// - Throws: if a deflated archive is damaged or changed since it was opened, or there is not enough
  ///   memory to inflate it; errors of `body`.
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

extension Tensor {
  /// All values in row-major order, for any order and byte order of storage.
  ///
  /// F64 and integers are rounded to the nearest Float; an F64 beyond Float's range becomes
  /// infinite, as IEEE 754 prescribes. A bool is 1 or 0.
  ///
  /// - Throws: `WeightsError.notConvertible`; `FileError.noMemory` before allocating more memory
  ///   than there is.
  package func floats() throws(WeightsError) -> [Float] {
    guard elementType.isConvertible else { throw notConvertible }
    try requireMemory(forFloats: elementCount)
    let values = try storedFloats(first: elementCount)
    return layout.isFortranOrder ? FloatConversion.rowMajor(values, shape: shape) : values
  }

  /// The first values in the order they are stored in.
  private func storedFloats(first count: Int) throws(WeightsError) -> [Float] {
    var values: [Float] = []
    values.reserveCapacity(count)
    try forEachPieceOfBytes { bytes in
      let part = min(bytes.byteCount, (count - values.count) * valueByteCount)
      values += FloatConversion.floats(
        of: bytes.extracting(0..<part), elementType, isBigEndian: layout.isBigEndian)
      // The check behind the last value is not left out.
      return values.count < count || count == elementCount
    }
    return values
  }

  /// The values of a range of the row-major order, which must lie inside `0..<elementCount`.
  ///
  /// Costs as much as all values for a tensor in Fortran order, and as much as all before the end of
  /// the range for one in a deflated archive; the first time as much as all.
  package func floats(in range: Range<Int>) throws(WeightsError) -> [Float] {
    precondition(
      range.lowerBound >= 0 && range.upperBound <= elementCount, "range outside the tensor")
    guard elementType.isConvertible else { throw notConvertible }
    if layout.isFortranOrder { return Array(try floats()[range]) }
    guard case .mapped(let file, let place) = storage else {
      try requireMemory(forFloats: range.upperBound)
      return Array(try storedFloats(first: range.upperBound)[range])
    }
    try requireMemory(forFloats: range.count)
    let start = place.lowerBound + range.lowerBound * valueByteCount
    return file.withBytes(in: start..<start + range.count * valueByteCount) {
      FloatConversion.floats(of: $0, elementType, isBigEndian: layout.isBigEndian)
    }
  }

  var notConvertible: WeightsError {
    .notConvertible(name: name, place: place, type: elementType)
  }
}

extension Tensor {
  /// Most values lent at once; code that works on blocks of values finds whole blocks in it.
  package static let pieceCount = 1 << 18

  /// Lends all values in row-major order, piece by piece, until `body` returns false.
  ///
  /// All pieces but the last have `pieceCount` values, and no more than a piece is in memory. Values in
  /// Fortran order come in one piece, which needs as much memory as all of them.
  package func forEachPiece(_ body: (Span<Float>) -> Bool) throws(WeightsError) {
    guard elementType.isConvertible else { throw notConvertible }
    if layout.isFortranOrder {
      let values = try floats()
      _ = body(values.span)
      return
    }
    var values = [Float](repeating: 0, count: min(elementCount, Tensor.pieceCount))
    try forEachPieceOfBytes { bytes in
      let count = bytes.byteCount / valueByteCount
      unsafe values.withUnsafeMutableBufferPointer { output in
        unsafe FloatConversion.write(
          bytes, elementType, isBigEndian: layout.isBigEndian, to: output)
      }
      return body(values.span.extracting(0..<count))
    }
  }

  /// Lends the stored bytes in order, as many at once as make a piece of values.
  func forEachPieceOfBytes(_ body: (RawSpan) -> Bool) throws(WeightsError) {
    let maximum = Tensor.pieceCount * valueByteCount
    switch storage {
    case .mapped(let file, let range):
      var start = range.lowerBound
      while start < range.upperBound {
        let piece = start..<min(start + maximum, range.upperBound)
        let goesOn = file.withBytes(in: piece, body)
        // Small tensors share their pages with others.
        if range.count >= 1 << 20 { file.letGo(of: piece) }
        guard goesOn else { return }
        start = piece.upperBound
      }
    case .deflated(let bytes): try bytes.forEachPiece(of: maximum, body)
    }
  }

  /// Bytes of one value; the type must be convertible.
  var valueByteCount: Int { elementType.bitWidth / 8 }

  /// Checks that there is memory for `count` values as floats.
  func requireMemory(forFloats count: Int) throws(WeightsError) {
    // Fortran order needs a second copy.
    try requireMemory(4 * count * (layout.isFortranOrder ? 2 : 1))
  }

  /// Checks that there is memory for `byteCount` bytes.
  func requireMemory(_ byteCount: Int) throws(WeightsError) {
    do throws(FileError) {
      try Memory.require(byteCount, for: "tensor \(quoted(name))", of: place)
    } catch {
      throw .file(error)
    }
  }

  /// Checks that the machine could hold all values as floats if nothing else ran: a tensor that no
  /// command can compute with is not worth the hours of reading it.
  package func requireCapacity() throws(WeightsError) {
    do throws(FileError) {
      try Memory.requireCapacity(4 * elementCount, for: "tensor \(quoted(name))", of: place)
    } catch {
      throw .file(error)
    }
  }
}
