import Files
import StrictJSON

/// Reads a text of lines, `key=value` or others, from its start to its end.
///
/// Values are asked for in the form that is expected, so that arrays of numbers come without a value in
/// between.
struct LightGBMText {
  /// Bytes of the longest key.
  private static let keyBytes = 256
  private static let lineEnd = UInt8(ascii: "\n")
  private static let space = UInt8(ascii: " ")

  private var window: FileWindow
  private var line = 1
  private var lineStart = 0

  init(_ file: MappedFile) { window = FileWindow(file) }

  var path: String { window.path }
  /// Bytes of the file before the place that is reached.
  var offset: Int { window.offset }

  /// An error at the place that is reached.
  func error(_ fault: String) -> ScanError { error(fault, at: window.offset) }

  private func error(_ fault: String, at offset: Int) -> ScanError {
    ScanError(path: path, place: .line(line, column: offset - lineStart + 1), fault: fault)
  }

  // MARK: Lines

  /// Whether the file ends here.
  var isAtEnd: Bool { mutating get { window.next == nil } }

  /// Whether the line goes on with a text.
  mutating func starts(with text: StaticString) -> Bool {
    window.ensure(text.utf8CodeUnitCount)
    return unsafe window.bytes[window.place..<window.end].starts(
      with: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Steps over lines without a byte.
  mutating func skipEmptyLines() {
    while window.next == Self.lineEnd { endLine() }
  }

  /// Reads a key and the `=` behind it, at the start of a line.
  ///
  /// - Returns: nil if the line ends before `=`; the place is at its end.
  mutating func key() throws(ScanError) -> (name: String, hasValue: Bool) {
    window.ensure(Self.keyBytes + 1)
    let bytes = window.bytes[window.place..<window.end].prefix(Self.keyBytes + 1)
    guard let end = bytes.firstIndex(where: { $0 == UInt8(ascii: "=") || $0 == Self.lineEnd })
    else { throw error("a key and '=' are expected here") }
    let key = String(decoding: bytes[..<end], as: UTF8.self)
    let hasValue = bytes[end] == UInt8(ascii: "=")
    window.place = hasValue ? end + 1 : end
    return (key, hasValue)
  }

  /// The rest of the line, which is stepped over with its end.
  mutating func rest() throws(ScanError) -> [UInt8] {
    var rest: [UInt8] = []
    while window.next != nil {
      let bytes = window.bytes[window.place..<window.end]
      let end = bytes.firstIndex(of: Self.lineEnd)
      rest += bytes[..<(end ?? bytes.endIndex)]
      window.place = end ?? bytes.endIndex
      if end != nil { break }
    }
    try finishLine()
    return rest
  }

  /// The rest of the line as text.
  mutating func text() throws(ScanError) -> String {
    let start = window.offset
    guard let text = String(utf8: try rest()[...]) else {
      throw error("a text is not valid UTF-8", at: start)
    }
    return text
  }

  /// Steps over the rest of the line.
  mutating func skipLine() throws(ScanError) {
    while window.next != nil {
      let end = Self.lineEnd(window.bytes.span, from: window.place, to: window.end)
      window.place = end
      if end < window.end { break }
    }
    try finishLine()
  }

  private static func lineEnd(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Int {
    var place = start
    while place < end, bytes[place] != lineEnd { place += 1 }
    return place
  }

  private mutating func finishLine() throws(ScanError) {
    guard window.next != nil else { throw error("the text ends inside a line") }
    endLine()
  }

  private mutating func endLine() {
    window.place += 1
    line += 1
    lineStart = window.offset
  }

  // MARK: Numbers

  /// The rest of the line as a whole number.
  mutating func integer() throws(ScanError) -> Int {
    let numbers: [Int32] = try numbers()
    guard numbers.count == 1 else { throw error("one number is expected in the line before") }
    return Int(numbers[0])
  }

  /// The rest of the line as numbers with spaces between.
  mutating func numbers<Number: ScannedNumber>() throws(ScanError) -> [Number] {
    var numbers: [Number] = []
    while true {
      window.ensure(ScanLimits.numberBytes + 2)
      guard let byte = window.next else { throw error("the text ends inside a line") }
      if byte == Self.space {
        window.place += 1
      } else if byte == Self.lineEnd {
        endLine()
        return numbers
      } else {
        numbers.append(try number())
      }
    }
  }

  private mutating func number<Number: ScannedNumber>() throws(ScanError) -> Number {
    let start = window.place
    var end = start
    if let decimal = Decimal(window.bytes.span, &end), ends(at: end) {
      if let number = Number.quick(decimal) {
        window.place = end
        return number
      }
    } else {
      while !ends(at: end), end < window.end { end += 1 }
    }
    let text = String(decoding: window.bytes[start..<end], as: UTF8.self)
    guard end - start <= ScanLimits.numberBytes, let number = value(of: text, Number.self) else {
      throw error("is \(quoted(text, limit: 40)), expected \(Number.kind)")
    }
    window.place = end
    return number
  }

  private func ends(at place: Int) -> Bool {
    let byte = window.bytes[place]
    return byte == Self.space || byte == Self.lineEnd
  }

  private func value<Number: ScannedNumber>(of text: String, _: Number.Type) -> Number? {
    switch text {
    case "inf": return Number.value(of: .infinity)
    case "-inf": return Number.value(of: .negativeInfinity)
    case "nan", "-nan": return Number.value(of: .nan)
    default:
      guard text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }) else { return nil }
      return Number.slow(text)
    }
  }
}

/// A word of a set of categories.
extension UInt32: ScannedNumber {
  static let kind = "a whole number of 32 bits without a sign"

  static func quick(_ decimal: Decimal) -> UInt32? {
    decimal.integer.flatMap { UInt32(exactly: $0) }
  }
  static func slow(_ text: String) -> UInt32? { nil }
  static func value(of word: JSONScanner.Word) -> UInt32? { nil }
}
