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
  /// Every type of safetensors 0.8 and the bits one value takes.
  package static let bitWidths = [
    "BOOL": 8, "F4": 4, "F6_E2M3": 6, "F6_E3M2": 6, "U8": 8, "I8": 8, "F8_E5M2": 8, "F8_E4M3": 8,
    "F8_E8M0": 8, "F8_E4M3FNUZ": 8, "F8_E5M2FNUZ": 8, "I16": 16, "U16": 16, "F16": 16, "BF16": 16,
    "I32": 32, "U32": 32, "F32": 32, "C64": 64, "F64": 64, "I64": 64, "U64": 64,
  ]

  /// The types whose values Ingot does not turn into floats.
  package static let withoutConversion: Set = [
    "F4", "F6_E2M3", "F6_E3M2", "F8_E5M2", "F8_E4M3", "F8_E8M0", "F8_E4M3FNUZ", "F8_E5M2FNUZ",
    "C64",
  ]

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
