/// Text around base64, as SSH programs write keys and signatures.
enum Armour {
  private static let lineLength = 70

  /// The armour around some bytes: `-----BEGIN LABEL-----`, lines of 70, `-----END LABEL-----`.
  static func encode(_ bytes: [UInt8], label: String) -> [UInt8] {
    let text = Array(Base64.encode(bytes).utf8)
    var armour = Array("-----BEGIN \(label)-----\n".utf8)
    for start in stride(from: 0, to: text.count, by: lineLength) {
      armour += text[start..<min(start + lineLength, text.count)] + [UInt8(ascii: "\n")]
    }
    return armour + Array("-----END \(label)-----\n".utf8)
  }

  /// The range of the base64 between the first line and the last one.
  ///
  /// The text must begin with the first line, which must end in a plain newline; what follows the
  /// last line is not looked at. OpenSSH 9.2 reads signatures like that.
  ///
  static func body(of text: RawSpan, label: String) throws(Fault) -> Range<Int> {
    let first = Array("-----BEGIN \(label)-----".utf8)
    let last = Array("\n-----END \(label)-----".utf8)
    guard starts(text, at: 0, with: first) else {
      throw Fault("does not begin with '-----BEGIN \(label)-----'")
    }
    guard starts(text, at: first.count, with: [UInt8(ascii: "\n")]) else {
      throw Fault("its first line does not end in a newline alone")
    }
    let start = first.count + 1
    for offset in start..<text.byteCount where starts(text, at: offset, with: last) {
      return start..<offset
    }
    throw Fault("the line '-----END \(label)-----' is missing")
  }

  /// Why a text is not such armour.
  struct Fault: Error {
    let words: String

    init(_ words: String) { self.words = words }
  }

  private static func starts(_ text: RawSpan, at offset: Int, with part: [UInt8]) -> Bool {
    guard part.count <= text.byteCount - offset else { return false }
    return part.indices.allSatisfy { text.byte(offset + $0) == part[$0] }
  }
}
