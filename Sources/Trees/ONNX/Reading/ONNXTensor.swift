import Foundation
import StrictJSON

/// Reads tensors that stand in the file itself.
enum ONNXTensor {
  /// - Throws: if the type is not known, data are outside of the file, or fewer or more than the shape says.
  static func column(
    _ tensor: ONNXTensorProto, path: String, place: String
  ) throws(TreeError) -> TabularColumn {
    func fault(_ text: String) -> TreeError { TreeError(path: path, fault: "\(place) \(text)") }
    guard tensor.dataLocation == .default, tensor.externalData.isEmpty else {
      throw fault("has its data in another file; save the model in one")
    }
    guard tensor.segment.isEmpty else { throw fault("is a segment, which is not supported") }
    let shape = tensor.dims.map(Int.init)
    guard shape.count <= TabularGraph.axisLimit else { throw fault("has \(shape.count) axes") }
    var count = 1
    for length in shape {
      let (product, overflows) = count.multipliedReportingOverflow(by: length)
      guard length >= 0, !overflows else { throw fault("has the shape \(shape)") }
      count = product
    }
    guard let type = ONNXTensorProto.DataType(rawValue: Int(tensor.dataType)),
      let elements = elements(tensor, type)
    else {
      throw fault("is of the type \(tensor.dataType), or has a length that is none of its type")
    }
    guard elements.count == count else {
      throw fault(
        "has \(Figures.count(elements.count, "element")), the shape \(shape) needs \(count)")
    }
    return TabularColumn(elements, shape)
  }

  /// nil if the type is not supported, or raw bytes are no whole number of elements.
  private static func elements(
    _ tensor: ONNXTensorProto, _ type: ONNXTensorProto.DataType
  ) -> TabularColumn.Elements? {
    let raw = tensor.rawData
    switch type {
    case .float:
      if raw.isEmpty { return .floats(tensor.floatData) }
      return words(raw, UInt32.self).map { .floats($0.map(Float.init(bitPattern:))) }
    case .double:
      if raw.isEmpty { return .doubles(tensor.doubleData) }
      return words(raw, UInt64.self).map { .doubles($0.map(Double.init(bitPattern:))) }
    case .int64:
      return raw.isEmpty
        ? .integers(tensor.int64Data) : words(raw, Int64.self).map { .integers($0) }
    case .int32:
      return raw.isEmpty ? .shorts(tensor.int32Data) : words(raw, Int32.self).map { .shorts($0) }
    case .uint8:
      if raw.isEmpty { return .shorts(tensor.int32Data) }
      return .shorts(raw.map { Int32($0) })
    case .bool:
      if raw.isEmpty { return .booleans(tensor.int32Data.map { $0 != 0 }) }
      return .booleans(raw.map { $0 != 0 })
    case .string:
      var texts: [String] = []
      for bytes in tensor.stringData {
        guard let text = String(utf8: bytes) else { return nil }
        texts.append(text)
      }
      return raw.isEmpty ? .texts(texts) : nil
    default: return nil
    }
  }

  /// Words with the lowest byte first.
  private static func words<Word: FixedWidthInteger>(_ raw: Data, _: Word.Type) -> [Word]? {
    let size = Word.bitWidth / 8
    guard raw.count % size == 0 else { return nil }
    let bytes = [UInt8](raw)
    return stride(from: 0, to: bytes.count, by: size).map { start in
      (0..<size).reduce(0) { $0 | Word(truncatingIfNeeded: bytes[start + $1]) << Word(8 * $1) }
    }
  }
}
