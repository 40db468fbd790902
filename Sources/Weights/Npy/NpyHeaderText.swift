import StrictJSON

/// Reads the header text of an npy file: a Python dictionary with three known keys.
///
/// Accepts only what numpy writes, in any order of keys and with either kind of quotes; evaluates
/// nothing.
struct NpyHeaderText {
  /// The parsed header.
  struct Content: Equatable {
    var descr: String?
    var isFortranOrder: Bool?
    var shape: [Int]?
  }

  private let bytes: [UInt8]
  private let place: String
  private var offset = 0

  /// Reads a whole text.
  ///
  /// - Parameter place: the file, for messages.
  static func parse(
    _ bytes: [UInt8], place: String
  ) throws(WeightsError) -> (descr: String, isFortranOrder: Bool, shape: [Int]) {
    var parser = NpyHeaderText(bytes: bytes, place: place)
    let content = try parser.dictionary()
    guard let descr = content.descr else { throw parser.missing("descr") }
    guard let isFortranOrder = content.isFortranOrder else {
      throw parser.missing("fortran_order")
    }
    guard let shape = content.shape else { throw parser.missing("shape") }
    return (descr, isFortranOrder, shape)
  }

  private init(bytes: [UInt8], place: String) {
    self.bytes = bytes
    self.place = place
  }

  private func missing(_ key: String) -> WeightsError {
    .malformed(place: place, fault: "the header lacks '\(key)'")
  }

  private func error(_ fault: String) -> WeightsError {
    .malformed(place: place, fault: "header column \(offset + 1): \(fault)")
  }

  private mutating func dictionary() throws(WeightsError) -> Content {
    var content = Content()
    skipSpace()
    guard take("{") else { throw error("'{' is expected") }
    skipSpace()
    while !take("}") {
      try member(&content)
      skipSpace()
      if take(",") {
        skipSpace()
      } else if next != UInt8(ascii: "}") {
        throw error("',' or '}' is expected")
      }
    }
    skipSpace()
    guard offset == bytes.count else { throw error("text after the dictionary") }
    return content
  }

  private mutating func member(_ content: inout Content) throws(WeightsError) {
    let start = offset
    let key = try string("a key in quotes")
    skipSpace()
    guard take(":") else { throw error("':' is expected after a key") }
    skipSpace()
    let isNew: Bool
    switch key {
    case "descr":
      isNew = content.descr == nil
      content.descr = try descr()
    case "fortran_order":
      isNew = content.isFortranOrder == nil
      content.isFortranOrder = try truth()
    case "shape":
      isNew = content.shape == nil
      content.shape = try tuple()
    default:
      offset = start
      throw error("unknown key \(quoted(key))")
    }
    guard isNew else {
      offset = start
      throw error("the key '\(key)' appears twice")
    }
  }

  private mutating func descr() throws(WeightsError) -> String {
    if next == UInt8(ascii: "[") {
      throw .malformed(
        place: place,
        fault: "holds a structured array; save each field as an array of its own")
    }
    return try string("the element type in quotes")
  }

  private mutating func truth() throws(WeightsError) -> Bool {
    if take("True") { return true }
    if take("False") { return false }
    throw error("True or False is expected")
  }

  private mutating func tuple() throws(WeightsError) -> [Int] {
    guard take("(") else { throw error("'(' is expected") }
    var numbers: [Int] = []
    skipSpace()
    if take(")") { return numbers }
    while true {
      numbers.append(try number())
      skipSpace()
      let hasComma = take(",")
      skipSpace()
      if take(")") {
        guard hasComma || numbers.count > 1 else {
          throw error("a shape of one dimension is written (n,)")
        }
        return numbers
      }
      guard hasComma else { throw error("',' or ')' is expected") }
    }
  }

  private mutating func number() throws(WeightsError) -> Int {
    let digits = bytes[offset...].prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard !digits.isEmpty else { throw error("a whole number from 0 is expected") }
    guard digits.count == 1 || digits.first != UInt8(ascii: "0"),
      let number = Int(String(decoding: digits, as: UTF8.self))
    else { throw error("a number that is too large or starts with 0") }
    offset += digits.count
    return number
  }

  private mutating func string(_ expected: String) throws(WeightsError) -> String {
    guard let quote = next, quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\"") else {
      throw error("\(expected) is expected")
    }
    let content = bytes[(offset + 1)...].prefix { $0 != quote }
    guard offset + 1 + content.count < bytes.count else { throw error("a quote is not closed") }
    guard content.allSatisfy({ (0x20..<0x7F).contains($0) && $0 != UInt8(ascii: "\\") }) else {
      throw error("a text with other than plain ASCII characters")
    }
    offset += content.count + 2
    return String(decoding: content, as: UTF8.self)
  }

  private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private mutating func take(_ text: StaticString) -> Bool {
    let expected = Array("\(text)".utf8)
    guard bytes[offset...].starts(with: expected) else { return false }
    offset += expected.count
    return true
  }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x09 { offset += 1 }
  }
}
