import Foundation
import Testing

@testable import Trees

/// An npy file of version 1.0, as numpy writes arrays of numbers and truth values. For tests alone.
struct NpyFile {
  let array: TreeArray

  init(_ path: String) throws {
    array = try Self.array(path, Data(contentsOf: URL(filePath: path)))
  }

  private static func array(_ path: String, _ data: Data) throws -> TreeArray {
    let bytes = [UInt8](data)
    try #require(bytes.starts(with: [0x93, 0x4E, 0x55, 0x4D, 0x50, 0x59, 1, 0]), "\(path)")
    let start = 10 + Int(bytes[8]) + Int(bytes[9]) << 8
    try #require(start <= bytes.count, "\(path)")
    let header = String(decoding: bytes[10..<start], as: UTF8.self)
    let type = try #require(part(header, after: "'descr': '", until: "'"), "\(path)")
    let sizes = try #require(part(header, after: "'shape': (", until: ")"), "\(path)")
    let shape = sizes.split(separator: ",").compactMap {
      Int($0.filter { !$0.isWhitespace })
    }
    let isColumnMajor = header.contains("'fortran_order': True")
    try #require(!isColumnMajor || shape.count == 1, "\(path)")
    let width = try #require(type.last.flatMap { Int(String($0)) }, "\(path)")
    let values = try stride(from: start, to: bytes.count, by: width).map { offset in
      try value(type, (0..<width).reduce(0) { $0 | UInt64(bytes[offset + $1]) << UInt64(8 * $1) })
    }
    return TreeArray(shape: shape, values: values)
  }

  private static func part(_ text: String, after: String, until: String) -> String? {
    guard let start = text.range(of: after)?.upperBound,
      let end = text[start...].range(of: until)?.lowerBound
    else { return nil }
    return String(text[start..<end])
  }

  private static func value(_ type: String, _ bits: UInt64) throws -> Double {
    switch type {
    case "<f4": Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
    case "<f8": Double(bitPattern: bits)
    case "<i4": Double(Int32(truncatingIfNeeded: bits))
    case "<i8": Double(Int64(bitPattern: bits))
    case "|b1", "|u1": Double(bits)
    default: try #require(nil as Double?, "unknown type \(type)")
    }
  }
}
