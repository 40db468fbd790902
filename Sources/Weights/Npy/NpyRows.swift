package import Files

/// A matrix of Float in an npy file whose rows are written in any order, so that they need not be in memory
/// together.
package struct NpyRows: Sendable {
  package let rowCount: Int
  package let columnCount: Int
  /// Bytes before the values.
  private let start: Int

  /// Writes the bytes before the values, and makes room for these; until they are written they are zeros.
  ///
  /// - Parameter file: an empty one.
  package init(rows: Int, columns: Int, in file: inout AtomicFile) throws(FileError) {
    precondition(file.byteCount == 0, "an npy file begins with its header")
    (rowCount, columnCount) = (rows, columns)
    try file.write(NpyWriter.header(rows: rows, columns: columns))
    start = file.byteCount
    try file.extend(to: start + 4 * rows * columns)
  }

  /// Writes rows that follow one another.
  ///
  /// - Parameters:
  ///   - values: [rows, columns], row-major.
  ///   - first: the number of the first of them.
  package func write(
    _ values: Span<Float>, from first: Int, to file: borrowing AtomicFile
  ) throws(FileError) {
    precondition(
      first >= 0 && values.count <= (rowCount - first) * columnCount, "rows beyond the matrix")
    let offset = start + 4 * first * columnCount
    #if _endian(little)
      unsafe try file.overwrite(values.bytes, at: offset)
    #else
      var bytes: [UInt8] = []
      for index in 0..<values.count { bytes.append(littleEndian: values[index].bitPattern) }
      try file.overwrite(bytes, at: offset)
    #endif
  }
}
