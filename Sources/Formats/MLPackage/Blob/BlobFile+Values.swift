import WeightCompression
import Weights

extension BlobFile {
  /// A copy of the data of a record.
  package func bytes(of record: BlobRecord) -> [UInt8] {
    withBytes(of: record) { $0.array() }
  }

  /// The values of a record of FP16, FP32 or BF16, in row-major order.
  package func floats(of record: BlobRecord) throws(CoreMLError) -> [Float] {
    let type: ElementType
    switch record.type {
    case .float16: type = .f16
    case .float32: type = .f32
    case .bfloat16: type = .bf16
    default:
      throw fault(record.offset, "holds \(record.type.name), expected float16, float32 or bfloat16")
    }
    return withBytes(of: record) { FloatConversion.floats(of: $0, type, isBigEndian: false) }
  }

  /// The values of a record of unsigned bytes.
  func floats(ofUnsigned record: BlobRecord) -> [Float] {
    withBytes(of: record) { FloatConversion.floats(of: $0, .u8, isBigEndian: false) }
  }

  /// The elements of a record of integers of at most 8 bits, as stored: two's complement stays as it
  /// is, in the low bits of each byte.
  package func codes(of record: BlobRecord) throws(CoreMLError) -> [UInt8] {
    switch record.type {
    case .uint8, .int8: return bytes(of: record)
    case .uint1, .uint2, .uint3, .uint4, .uint6, .int4:
      return BitPacking.unpack(
        bytes(of: record), bits: record.type.bitWidth, count: record.elementCount)
    default:
      throw fault(
        record.offset, "holds \(record.type.name), expected integers of at most 8 bits")
    }
  }

  /// The values of a record of integers that fit Int32, in row-major order.
  package func integers(of record: BlobRecord) throws(CoreMLError) -> [Int32] {
    switch record.type {
    case .int4: try codes(of: record).map { Int32(Int8(bitPattern: $0 << 4) >> 4) }
    case .int8: try codes(of: record).map { Int32(Int8(bitPattern: $0)) }
    case .uint8, .uint1, .uint2, .uint3, .uint4, .uint6: try codes(of: record).map(Int32.init)
    case .int16: values(of: record) { (value: Int16) in Int32(value) }
    case .uint16: values(of: record) { (value: UInt16) in Int32(value) }
    case .int32: values(of: record) { (value: Int32) in value }
    default: throw fault(record.offset, "holds \(record.type.name), expected integers up to int32")
    }
  }

  private func values<Stored: FixedWidthInteger & BitwiseCopyable>(
    of record: BlobRecord, _ convert: (Stored) -> Int32
  ) -> [Int32] {
    let size = MemoryLayout<Stored>.size
    return withBytes(of: record) { bytes in
      // Every offset lies inside: there are as many as whole elements fit.
      unsafe bytes.withUnsafeBytes { input in
        (0..<input.count / size).map { index in
          unsafe convert(
            Stored(
              littleEndian: input.loadUnaligned(fromByteOffset: index * size, as: Stored.self)))
        }
      }
    }
  }
}
