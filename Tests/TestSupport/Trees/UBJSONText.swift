import StrictJSON

/// The UBJSON of a text of JSON, in the forms that XGBoost writes: arrays of numbers with a type and a count,
/// other arrays with a count.
package func ubjson(_ text: String) throws -> [UInt8] {
  bytes(of: try JSONParser.parse(Array(text.utf8), origin: "text"))
}

private func length(_ count: Int) -> [UInt8] { [UInt8(ascii: "L")] + bigEndian(Int64(count)) }

private func bytes(of node: JSONNode) -> [UInt8] {
  switch node.content {
  case .null: return Array("Z".utf8)
  case .bool(let value): return Array((value ? "T" : "F").utf8)
  case .string(let text): return Array("S".utf8) + length(text.utf8.count) + text.utf8
  case .number(let digits):
    if let value = Int32(digits) { return Array("l".utf8) + bigEndian(value) }
    return Array("d".utf8) + bigEndian((Float(digits) ?? 0).bitPattern)
  case .object(let object):
    let members = object.members.flatMap {
      length($0.key.utf8.count) + $0.key.utf8 + bytes(of: $0.value)
    }
    return Array("{".utf8) + members + Array("}".utf8)
  case .array(let values):
    let numbers = values.compactMap {
      if case .number(let digits) = $0.content { digits } else { nil }
    }
    let count = Array("#".utf8) + length(values.count)
    guard numbers.count == values.count, !values.isEmpty else {
      return Array("[".utf8) + count + values.flatMap(bytes)
    }
    let whole = numbers.compactMap { Int32($0) }
    if whole.count == numbers.count {
      return Array("[$l".utf8) + count + whole.flatMap { bigEndian($0) }
    }
    return Array("[$d".utf8) + count + numbers.flatMap { bigEndian((Float($0) ?? 0).bitPattern) }
  }
}
