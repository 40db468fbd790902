import Files
import StrictJSON

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
