// Strings and their escapes.
extension JSONParser {
  /// Reads a string from its first quote on.
  mutating func string() throws(JSONError) -> String {
    offset += 1
    let start = offset
    while let byte = next, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 {
      offset += 1
    }
    if next == UInt8(ascii: "\"") {
      offset += 1
      return try text(bytes[start..<offset - 1])
    }
    return try escapedString(start: start)
  }

  private mutating func escapedString(start: Int) throws(JSONError) -> String {
    var decoded = Array(bytes[start..<offset])
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        offset += 1
        return try text(decoded[...])
      case UInt8(ascii: "\\"):
        decoded.append(contentsOf: try escape())
      case 0..<0x20:
        throw error("a control character (byte \(byte)) is in a string; write it as \\u escape")
      default:
        decoded.append(byte)
        offset += 1
      }
    }
    throw error("the text ends inside a string")
  }

  private func text(_ bytes: ArraySlice<UInt8>) throws(JSONError) -> String {
    guard let text = String(utf8: bytes) else {
      throw error("a string is not valid UTF-8")
    }
    return text
  }

  /// The UTF-8 bytes of one escape sequence, a pair of surrogates included.
  private mutating func escape() throws(JSONError) -> [UInt8] {
    offset += 1
    defer { offset += 1 }
    switch next {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [bytes[offset]]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "u"): return try unicodeEscape()
    default: throw error("an unknown escape sequence")
    }
  }

  private mutating func unicodeEscape() throws(JSONError) -> [UInt8] {
    let first = try codeUnit()
    var units = [first]
    if UTF16.isLeadSurrogate(first) {
      guard bytes[(offset + 1)...].starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]) else {
        throw error("a lone surrogate in a \\u escape")
      }
      offset += 2
      units.append(try codeUnit())
    }
    guard let text = String(utf16: units) else {
      throw error("a lone surrogate in a \\u escape")
    }
    return Array(text.utf8)
  }

  /// Four hexadecimal digits after `u`; leaves the offset on the last of them.
  private mutating func codeUnit() throws(JSONError) -> UInt16 {
    let digits = bytes[(offset + 1)...].prefix(4)
    guard digits.count == 4,
      digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw error("\\u needs four hexadecimal digits") }
    offset += 4
    return unit
  }
}
