import Foundation
import TestSupport

/// Small dense models, inputs and reference sets, made in code.
extension TemporaryFolder {
  /// Writes a model of four features, a hidden layer of six and five outputs; returns its folder.
  ///
  /// - Parameter first: values that replace the first ones of the first weight.
  @discardableResult
  func writeModel(
    _ name: String = "model", seed: UInt64 = 1, first: [Float] = [], kind: String = "embedding"
  ) throws -> String {
    var numbers = SeededGenerator(seed: seed)
    let hidden = first + (0..<24).map { _ in numbers.float() }.dropFirst(first.count)
    try write("\(name)/w0.npy", Npy.bytes([6, 4], hidden))
    try write("\(name)/b0.npy", Npy.bytes([6], (0..<6).map { _ in numbers.float() / 10 }))
    try write("\(name)/w1.npy", Npy.bytes([5, 6], (0..<30).map { _ in numbers.float() }))
    try write(
      "\(name)/model.json",
      """
      {"architecture": "dense",
       "inputs": [{"name": "a"}, {"name": "b"}, {"name": "c"}, {"name": "d"}],
       "layers": [{"weight": "w0.npy", "bias": "b0.npy", "activation": "tanh"},
                  {"weight": "w1.npy"}],
       "output": {"name": "vector", "kind": "\(kind)"}}
      """)
    return path(name)
  }

  /// Writes a reference set of pairs and returns its path.
  @discardableResult
  func writePairs(_ name: String = "pairs.jsonl", count: Int = 12) throws -> String {
    var numbers = SeededGenerator(seed: 2)
    func values() -> String { "{\"values\": \((0..<4).map { _ in numbers.float() })}" }
    let lines = (0..<count).map { _ in "{\"a\": \(values()), \"b\": \(values())}\n" }
    return try write(name, lines.joined())
  }
}

/// npy files, written and read by hand rather than by our own code.
struct Npy {
  let header: String
  let values: [Float]

  /// A version 1.0 file of little-endian float32 in C order.
  static func bytes(_ shape: [Int], _ values: [Float]) -> Data {
    let list = shape.map(String.init).joined(separator: ", ") + (shape.count == 1 ? "," : "")
    var header = "{'descr': '<f4', 'fortran_order': False, 'shape': (\(list)), }"
    header += String(repeating: " ", count: 63 - (10 + header.utf8.count) % 64) + "\n"
    var bytes = Data([0x93, 0x4E, 0x55, 0x4D, 0x50, 0x59, 1, 0])
    bytes += [UInt8(header.utf8.count & 0xFF), UInt8(header.utf8.count >> 8)]
    bytes += Data(header.utf8)
    for value in values {
      withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes += Data($0) }
    }
    return bytes
  }

  /// Takes a file apart; nil unless it is a version 1.0 file of whole float32 values.
  init?(_ data: Data) {
    let bytes = [UInt8](data)
    guard bytes.starts(with: [0x93, 0x4E, 0x55, 0x4D, 0x50, 0x59, 1, 0]), bytes.count >= 10 else {
      return nil
    }
    let start = 10 + Int(bytes[8]) + Int(bytes[9]) << 8
    guard bytes.count >= start, start.isMultiple(of: 64), (bytes.count - start) % 4 == 0 else {
      return nil
    }
    header = String(decoding: bytes[10..<start], as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    values = stride(from: start, to: bytes.count, by: 4).map { place in
      let word = bytes[place..<place + 4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      return Float(bitPattern: word)
    }
  }
}
