import Files
package import Weights

/// A weights file of a Core ML package, mapped; every record is checked before its bytes are lent.
package struct BlobFile: Sendable {
  /// The path it was opened by.
  package var path: String { file.path }
  /// Size of the whole file.
  package var byteCount: Int { file.byteCount }
  /// Number of records, as the header says.
  package let count: Int
  private let file: MappedFile

  /// Maps a weights file and checks its header.
  package init(path: String) throws { try self.init(try MappedFile(path: path)) }

  /// Checks the header of a weights file.
  init(_ file: MappedFile) throws {
    self.file = file
    count = try BlobFile.checkedCount(file)
  }

  private static func checkedCount(_ file: MappedFile) throws(CoreMLError) -> Int {
    guard file.byteCount >= BlobLayout.unit else {
      throw .malformed(
        path: file.path,
        fault: "the weights file has \(file.byteCount) bytes, its header takes \(BlobLayout.unit)")
    }
    let version: UInt32 = file.integer(at: 4)
    guard version == BlobLayout.version else {
      throw .malformed(
        path: file.path,
        fault: "the weights file has version \(version), expected \(BlobLayout.version)")
    }
    let count = Int(file.integer(at: 0) as UInt32)
    let maximum = file.byteCount / BlobLayout.unit - 1
    guard count <= maximum else {
      throw .malformed(
        path: file.path,
        fault: "the weights file says it holds \(count) records, "
          + "its \(file.byteCount) bytes hold at most \(maximum)")
    }
    return count
  }

  /// The record at an offset.
  package func record(at offset: UInt64) throws(CoreMLError) -> BlobRecord {
    let unit = UInt64(BlobLayout.unit)
    guard offset % unit == 0 else {
      throw fault(offset, "is not at a multiple of \(unit)")
    }
    guard offset >= unit else {
      throw fault(offset, "lies in the header, which takes \(unit) bytes")
    }
    let size = UInt64(byteCount)
    guard offset <= size, size - offset >= unit else {
      throw fault(offset, "needs \(unit) bytes, the file has \(size)")
    }
    let start = Int(offset)
    let sentinel: UInt32 = file.integer(at: start + BlobLayout.Field.sentinel)
    guard sentinel == BlobLayout.sentinel else {
      throw fault(
        offset, "begins with \(hex(sentinel)), expected \(hex(BlobLayout.sentinel))")
    }
    let code: UInt32 = file.integer(at: start + BlobLayout.Field.type)
    guard let type = BlobType(rawValue: code) else {
      throw fault(offset, "has the unknown type code \(code), known are 1 to 17")
    }
    let range = try dataRange(of: offset)
    let padding: UInt64 = file.integer(at: start + BlobLayout.Field.paddingBitCount)
    try checkSize(of: offset, type: type, byteCount: range.count, padding: padding)
    return BlobRecord(offset: offset, type: type, range: range, paddingBitCount: Int(padding))
  }

  /// The record at an offset, which must hold so many elements of this type.
  package func record(
    at offset: UInt64, type: BlobType, elementCount: Int
  ) throws(CoreMLError) -> BlobRecord {
    let record = try record(at: offset)
    guard record.type == type else {
      throw fault(offset, "holds \(record.type.name), the program says \(type.name)")
    }
    guard record.elementCount == elementCount else {
      throw fault(
        offset, "holds \(record.elementCount) elements, the program says \(elementCount)")
    }
    return record
  }

  private func dataRange(of offset: UInt64) throws(CoreMLError) -> Range<Int> {
    let unit = UInt64(BlobLayout.unit)
    let dataOffset: UInt64 = file.integer(at: Int(offset) + BlobLayout.Field.dataOffset)
    let dataByteCount: UInt64 = file.integer(at: Int(offset) + BlobLayout.Field.byteCount)
    guard dataOffset % unit == 0 else {
      throw fault(offset, "has its data at \(dataOffset), which is not a multiple of \(unit)")
    }
    guard dataOffset >= unit else {
      throw fault(offset, "has its data at \(dataOffset), in the header")
    }
    let size = UInt64(byteCount)
    guard dataOffset <= size, dataByteCount <= size - dataOffset else {
      throw fault(
        offset, "has \(dataByteCount) bytes of data at \(dataOffset), the file has \(size)")
    }
    return Int(dataOffset)..<Int(dataOffset + dataByteCount)
  }

  private func checkSize(
    of offset: UInt64, type: BlobType, byteCount: Int, padding: UInt64
  ) throws(CoreMLError) {
    let maximum: UInt64 = type.bitWidth < 8 ? 7 : 0
    guard padding <= maximum else {
      throw fault(offset, "has \(padding) bits of padding, at most \(maximum) fit \(type.name)")
    }
    // Both fit: the file is mapped, and address spaces end long before Int.max / 8.
    let bitCount = byteCount * 8 - Int(padding)
    let isWhole = bitCount >= 0 && bitCount % type.bitWidth == 0
    guard isWhole else {
      throw fault(
        offset,
        "has \(byteCount) bytes of data with \(padding) bits of padding, "
          + "not a whole number of \(type.name)")
    }
  }

  /// SHA-256 of the whole file.
  package func digest() -> ContentDigest { ContentDigest(of: file) }

  /// Lends the data of a record of this file, and lets go of the memory behind it.
  package func withBytes<Result, Failure>(
    of record: BlobRecord, _ body: (RawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { file.letGo(of: record.range) }
    return try file.withBytes(in: record.range, body)
  }

  /// A fault of the record at an offset, for callers that check further.
  package func fault(_ offset: UInt64, _ text: String) -> CoreMLError {
    .malformed(path: path, fault: "the weights record at \(offset) \(text)")
  }

  private func hex(_ value: UInt32) -> String {
    let digits = String(value, radix: 16)
    return "0x" + String(repeating: "0", count: 8 - digits.count) + digits
  }
}

extension MappedFile {
  /// The little-endian integer at a place, which must be inside.
  fileprivate func integer<Value: FixedWidthInteger & BitwiseCopyable>(at offset: Int) -> Value {
    withBytes(in: offset..<offset + MemoryLayout<Value>.size) {
      $0.littleEndian(at: 0, as: Value.self)
    }
  }
}
