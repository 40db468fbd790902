package import Files
import StrictJSON

/// Writes standard safetensors files; the same content always gives the same bytes.
package enum SafetensorsWriter {
  /// A tensor to be written to a file.
  package typealias Announced = (
    name: TensorName, elementType: ElementType, shape: [Int], byteCount: Int
  )

  /// Writes the header and reserves room for the values.
  ///
  /// - Parameters:
  ///   - tensors: in the order of their values in the file, without gaps; names differ.
  ///   - metadata: becomes `__metadata__`, left out if empty.
  /// - Returns: the offset of each tensor's values in the file.
  package static func reserve(
    _ tensors: [Announced], metadata: [String: String], in file: inout StagedFile
  ) throws -> [Int] {
    try file.write(header(tensors: tensors, metadata: metadata))
    var offsets: [Int] = []
    var end = file.byteCount
    for tensor in tensors {
      offsets.append(end)
      end += tensor.byteCount
    }
    try file.extend(to: end)
    return offsets
  }

  /// The header with its length: compact JSON, `__metadata__` first, keys sorted by their UTF-8
  /// bytes, padded with spaces so that the data start at a multiple of 8.
  package static func header(
    tensors: [Announced],
    metadata: [String: String]
  ) -> [UInt8] {
    var members: [(name: TensorName, text: String)] = []
    var end = 0
    for tensor in tensors {
      let value: JSONValue = [
        "dtype": .string(tensor.elementType.rawValue),
        "shape": .array(tensor.shape.map { .integer($0) }),
        "data_offsets": [.integer(end), .integer(end + tensor.byteCount)],
      ]
      members.append(
        (tensor.name, "\(JSONValue.string(tensor.name.text).compact):\(value.compact)"))
      end += tensor.byteCount
    }
    members.sort { $0.name < $1.name }
    if !metadata.isEmpty {
      let value = JSONValue.object(metadata.mapValues { .string($0) })
      members.insert(("", "\"__metadata__\":\(value.compact)"), at: 0)
    }
    var text = Array("{\(members.map(\.text).joined(separator: ","))}".utf8)
    text.append(contentsOf: repeatElement(UInt8(ascii: " "), count: (8 - text.count % 8) % 8))
    let length = UInt64(text.count)
    return (0..<8).map { UInt8(truncatingIfNeeded: length >> ($0 * 8)) } + text
  }
}
