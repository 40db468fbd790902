/// Bytes of a number, lowest first.
package func littleEndian<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
  withUnsafeBytes(of: value.littleEndian) { Array($0) }
}

/// Bytes of a number, highest first.
package func bigEndian<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
  withUnsafeBytes(of: value.bigEndian) { Array($0) }
}

/// Float values as a file stores them.
package func floatBytes(_ values: [Float]) -> [UInt8] {
  values.flatMap { littleEndian($0.bitPattern) }
}

/// Safetensors files, right and wrong ones.
package enum SafetensorsBytes {
  /// A file with this header and so many bytes 0, 1, 2, … of data.
  package static func file(_ header: String, data: Int = 0, stated: UInt64? = nil) -> [UInt8] {
    file(Array(header.utf8), data: data, stated: stated)
  }

  /// A file with this header and so many bytes of data.
  package static func file(_ header: [UInt8], data: Int = 0, stated: UInt64? = nil) -> [UInt8] {
    littleEndian(stated ?? UInt64(header.count)) + header
      + (0..<data).map { UInt8(truncatingIfNeeded: $0) }
  }

  /// A file of one tensor `a`, the entry given as text.
  package static func tensor(_ entry: String, data: Int = 0) -> [UInt8] {
    file("{\"a\":{\(entry)}}", data: data)
  }

  /// A file of one F32 tensor.
  package static func floats(_ name: String, _ values: [Float]) -> [UInt8] {
    let header =
      "{\"\(name)\":{\"dtype\":\"F32\",\"shape\":[\(values.count)],"
      + "\"data_offsets\":[0,\(values.count * 4)]}}"
    return file(header) + floatBytes(values)
  }
}

/// Npy files, right and wrong ones.
package enum NpyBytes {
  /// A file with this header text.
  package static func file(
    _ header: String, data: [UInt8] = [], version: UInt8 = 1, minor: UInt8 = 0, stated: Int? = nil
  ) -> [UInt8] {
    let text = Array(header.utf8)
    let length = stated ?? text.count
    return [0x93] + Array("NUMPY".utf8) + [version, minor]
      + (version == 1
        ? littleEndian(UInt16(truncatingIfNeeded: length))
        : littleEndian(UInt32(truncatingIfNeeded: length)))
      + text + data
  }

  /// A file as numpy would write it, but for the padding.
  package static func array(
    _ descr: String, _ shape: String, data: [UInt8], fortran: Bool = false, version: UInt8 = 1
  ) -> [UInt8] {
    file(
      "{'descr': '\(descr)', 'fortran_order': \(fortran ? "True" : "False"), 'shape': \(shape), }\n",
      data: data, version: version)
  }
}
