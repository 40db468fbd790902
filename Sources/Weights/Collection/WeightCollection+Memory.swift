package import Files

/// An array in memory that is read like one of a file.
package struct MemoryArray: Sendable {
  let name: TensorName
  let type: ElementType
  let shape: [Int]
  /// Little-endian, row-major.
  let bytes: [UInt8]

  /// Whole numbers that 32 bits hold.
  package init(_ name: TensorName, _ shape: [Int], integers values: [Int32]) {
    (self.name, self.shape, type) = (name, shape, .i32)
    bytes = MemoryArray.bytes(of: values.map { UInt32(bitPattern: $0) })
  }

  /// Numbers, in 32 bits each where that changes none.
  package init(_ name: TensorName, _ shape: [Int], _ values: [Double]) {
    (self.name, self.shape) = (name, shape)
    if values.allSatisfy({ Double(Float($0)) == $0 }) {
      type = .f32
      bytes = MemoryArray.bytes(of: values.map { Float($0).bitPattern })
    } else {
      type = .f64
      bytes = MemoryArray.bytes(of: values.map(\.bitPattern))
    }
  }

  private static func bytes<Word: FixedWidthInteger & BitwiseCopyable>(of words: [Word]) -> [UInt8]
  {
    let words = words.map(\.littleEndian)
    return unsafe words.withUnsafeBytes { unsafe Array($0) }
  }
}

extension WeightCollection {
  /// Arrays that were made of files of another form; the digest is that of these.
  ///
  /// - Parameters:
  ///   - format: what the files are, in words.
  ///   - metadata: what the files say besides.
  ///   - arrays: names differ.
  ///   - sources: the files.
  /// - Throws: `WeightsError.file` without the memory.
  package init(
    origin: String, format: String, metadata: [String: String], arrays: [MemoryArray],
    sources: [MappedFile]
  ) throws(WeightsError) {
    let byteCount = arrays.reduce(0) { $0 + $1.bytes.count }
    let file = try WeightCollection.reading { () throws(FileError) in
      var file = try MemoryFile(path: origin, byteCount: byteCount)
      for array in arrays { unsafe file.write(array.bytes.span.bytes) }
      return file.finish()
    }
    var start = 0
    let tensors = arrays.map { array in
      defer { start += array.bytes.count }
      return Tensor(
        name: array.name, elementType: array.type, shape: array.shape,
        elementCount: array.bytes.count * 8 / array.type.bitWidth, place: origin,
        layout: Tensor.Layout(), storage: .mapped(file, start..<start + array.bytes.count))
    }
    self.init(
      origin: origin, format: format, tensors: tensors, metadata: metadata, sources: sources)
    areMade = true
  }
}
