import StrictJSON

/// The header of an npy file, checked against the size of the file.
struct NpyHeader: Sendable, Equatable {
  static let magic: [UInt8] = [0x93] + Array("NUMPY".utf8)
  /// Largest header read, in bytes; numpy itself stops at 10,000.
  static let byteLimit = 1 << 16
  /// Bytes from the start of a file that hold all of a header.
  static let prefixByteCount = 12 + byteLimit

  let elementType: ElementType
  let isBigEndian: Bool
  let isFortranOrder: Bool
  let shape: [Int]
  let elementCount: Int
  /// The range of the values in the npy file, up to its end.
  let bytes: Range<Int>

  /// Reads and checks a header.
  ///
  /// - Parameters:
  ///   - prefix: the file, or its first `prefixByteCount` bytes.
  ///   - byteCount: size of the whole file.
  ///   - place: the file, for messages.
  init(prefix: RawSpan, byteCount: Int, place: String) throws(WeightsError) {
    func malformed(_ fault: String) -> WeightsError { .malformed(place: place, fault: fault) }
    let textRange = try NpyHeader.textRange(prefix, byteCount, malformed)
    let text = try NpyHeaderText.parse(prefix.array(in: textRange), place: place)
    (elementType, isBigEndian) = try NpyHeader.elementType(text.descr, malformed)
    isFortranOrder = text.isFortranOrder
    shape = text.shape
    guard shape.count <= CheckedSize.highestRank else {
      throw malformed("has \(shape.count) dimensions, the limit is \(CheckedSize.highestRank)")
    }
    guard let count = CheckedSize.elementCount(of: shape),
      let bits = CheckedSize.bitCount(of: count, elementType)
    else { throw malformed("has the shape \(shape), whose size overflows") }
    guard !CheckedSize.isVastAndEmpty(shape) else {
      throw malformed("has the shape \(shape), \(CheckedSize.vastAndEmpty)")
    }
    elementCount = count
    bytes = textRange.upperBound..<byteCount
    guard bytes.count == bits / 8 else {
      throw malformed(
        "has \(bytes.count) bytes of data, \(elementType.rawValue) \(shape) needs \(bits / 8)")
    }
  }

  /// The range of the header's text.
  private static func textRange(
    _ prefix: RawSpan, _ byteCount: Int, _ malformed: (String) -> WeightsError
  ) throws(WeightsError) -> Range<Int> {
    guard prefix.starts(with: magic) else { throw malformed("does not start as an npy file does") }
    guard byteCount >= 10, prefix.byteCount >= 10 else {
      throw malformed("has \(byteCount) bytes, the start of an npy file has 10")
    }
    let start: Int
    let stated: Int
    switch prefix.byte(at: 6) {
    case 1:
      (start, stated) = (10, Int(prefix.littleEndian(at: 8, as: UInt16.self)))
    case 2, 3:
      guard prefix.byteCount >= 12 else {
        throw malformed("has \(byteCount) bytes, the start of an npy file has 12")
      }
      (start, stated) = (12, Int(prefix.littleEndian(at: 8, as: UInt32.self)))
    case let version:
      throw malformed("is npy version \(version), known are 1, 2 and 3")
    }
    guard prefix.byte(at: 7) == 0 else {
      throw malformed(
        "is npy version \(prefix.byte(at: 6)).\(prefix.byte(at: 7)), known are 1.0,"
          + " 2.0 and 3.0")
    }
    guard stated <= byteCount - start else {
      throw malformed(
        "the header is said to have \(stated) bytes, the file has \(byteCount - start) left for it")
    }
    guard stated <= byteLimit else {
      throw malformed("the header is said to have \(stated) bytes, the limit is \(byteLimit)")
    }
    return start..<start + stated
  }

  /// The element type of a numpy type text, and whether its bytes are big-endian.
  private static func elementType(
    _ descr: String, _ malformed: (String) -> WeightsError
  ) throws(WeightsError) -> (ElementType, isBigEndian: Bool) {
    let order = descr.utf8.first
    let type = types[String(descr.dropFirst())]
    switch (order, type) {
    case (UInt8(ascii: "<"), let type?), (UInt8(ascii: "="), let type?): return (type, false)
    case (UInt8(ascii: ">"), let type?): return (type, true)
    case (UInt8(ascii: "|"), let type?) where type.bitWidth == 8: return (type, false)
    default: break
    }
    if descr == "|O" || descr == "O" {
      throw malformed("holds Python objects; save plain numbers")
    }
    throw malformed(
      "has the element type \(quoted(descr)); read are floats of 2, 4 and 8 bytes, integers of"
        + " 1, 2, 4 and 8 bytes, bool and complex numbers of 8 bytes")
  }

  private static let types: [String: ElementType] = [
    "b1": .bool, "i1": .i8, "u1": .u8, "i2": .i16, "u2": .u16, "i4": .i32, "u4": .u32, "i8": .i64,
    "u8": .u64, "f2": .f16, "f4": .f32, "f8": .f64, "c8": .c64,
  ]
}
