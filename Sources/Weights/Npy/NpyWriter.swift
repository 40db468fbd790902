package import Files

/// Writes vectors and matrices as npy files, byte for byte as `numpy.save` does.
package enum NpyWriter {
  /// Writes a matrix of Float.
  ///
  /// - Parameter values: `[rows, columns]`, row-major.
  package static func write(
    _ values: [Float], rows: Int, columns: Int, to file: inout AtomicFile
  ) throws(FileError) {
    precondition(values.count == rows * columns, "not as many values as the shape has")
    try file.write(header(rows: rows, columns: columns))
    try write(values, to: &file)
  }

  /// Writes a vector of Float.
  package static func write(vector values: [Float], to file: inout AtomicFile) throws(FileError) {
    try file.write(header(first: values.count, shape: "(\(values.count),)"))
    try write(values, to: &file)
  }

  /// The bytes before the values: version 1.0, float32, C order.
  ///
  /// numpy leaves room for the first dimension to grow to 21 digits and lets the values start at a
  /// multiple of 64.
  package static func header(rows: Int, columns: Int) -> [UInt8] {
    header(first: rows, shape: "(\(rows), \(columns))")
  }

  private static func header(first: Int, shape: String) -> [UInt8] {
    let room = String(repeating: " ", count: max(0, 21 - String(first).utf8.count))
    let text = "{'descr': '<f4', 'fortran_order': False, 'shape': \(shape), }\(room)"
    let padding = 64 - (10 + text.utf8.count + 1) % 64
    let length = UInt16(text.utf8.count + padding + 1)
    return NpyHeader.magic + [1, 0, UInt8(length & 0xFF), UInt8(length >> 8)] + Array(text.utf8)
      + Array(repeating: UInt8(ascii: " "), count: padding) + [UInt8(ascii: "\n")]
  }

  /// Appends values; to write a large matrix piece by piece after `header(rows:columns:)`.
  package static func write(
    _ values: [Float], to file: inout AtomicFile
  ) throws(FileError) {
    #if _endian(little)
      unsafe try file.write(values.span.bytes)
    #else
      unsafe try file.write(values.map(\.bitPattern.littleEndian).span.bytes)
    #endif
  }
}
