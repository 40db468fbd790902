import StrictJSON

// Strings and their escapes.
extension JSONScanner {
  /// Reads a string from its first quote on.
  mutating func text() throws(ScanError) -> String {
    window.place += 1
    var decoded: [UInt8] = []
    var isASCII = true
    while let byte = window.next {
      switch byte {
      case UInt8(ascii: "\""):
        window.place += 1
        return try text(of: decoded[...], isASCII: isASCII)
      case UInt8(ascii: "\\"):
        decoded += try escape()
        isASCII = false
      case 0..<0x20:
        throw error("a control character (byte \(byte)) is in a string; write it as \\u escape")
      default:
        let plain = plainBytes(&isASCII)
        // Most strings have no escape, and lie in the window whole.
        if decoded.isEmpty, window.bytes[window.place] == UInt8(ascii: "\"") {
          window.place += 1
          return try text(of: window.bytes[plain], isASCII: isASCII)
        }
        decoded += window.bytes[plain]
      }
    }
    throw error("the text ends inside a string")
  }

  /// Steps over bytes that stand for themselves, as far as the window reaches.
  private mutating func plainBytes(_ isASCII: inout Bool) -> Range<Int> {
    let start = window.place
    var place = start
    while true {
      let byte = window.bytes[place]
      if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { break }
      if byte >= 0x80 { isASCII = false }
      place += 1
    }
    window.place = place
    return start..<place
  }

  private func text(of bytes: ArraySlice<UInt8>, isASCII: Bool) throws(ScanError) -> String {
    if isASCII { return String(decoding: bytes, as: UTF8.self) }
    guard let text = String(utf8: bytes) else { throw error("a string is not valid UTF-8") }
    return text
  }

  /// The UTF-8 bytes of one escape sequence, a pair of surrogates included.
  private mutating func escape() throws(ScanError) -> [UInt8] {
    window.ensure(12)
    window.place += 1
    let byte = window.bytes[window.place]
    switch byte {
    case UInt8(ascii: "u"): return try unicodeEscape()
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): break
    case UInt8(ascii: "b"), UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"),
      UInt8(ascii: "t"):
      break
    default: throw error("an unknown escape sequence")
    }
    window.place += 1
    switch byte {
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "t"): return [0x09]
    default: return [byte]
    }
  }

  private mutating func unicodeEscape() throws(ScanError) -> [UInt8] {
    var units = [try codeUnit()]
    if UTF16.isLeadSurrogate(units[0]) {
      guard window.bytes[window.place..<window.end].starts(with: "\\u".utf8) else {
        throw error("a lone surrogate in a \\u escape")
      }
      window.place += 1
      units.append(try codeUnit())
    }
    let text = String(decoding: units, as: UTF16.self)
    guard text.utf16.elementsEqual(units) else { throw error("a lone surrogate in a \\u escape") }
    return Array(text.utf8)
  }

  /// Four hexadecimal digits after `u`.
  private mutating func codeUnit() throws(ScanError) -> UInt16 {
    let digits = window.bytes[min(window.place + 1, window.end)..<window.end].prefix(4)
    guard digits.count == 4,
      digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw error("\\u needs four hexadecimal digits") }
    window.place += 5
    return unit
  }
}
