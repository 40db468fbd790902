// Numbers, and arrays of them.
extension JSONScanner {
  package mutating func floats() throws(ScanError) -> [Float] { try numbers() }
  package mutating func doubles() throws(ScanError) -> [Double] { try numbers() }
  package mutating func integers() throws(ScanError) -> [Int32] { try numbers() }

  /// Where a run of numbers stops.
  private enum Stop {
    /// Before a value that is to be read with more care.
    case beforeValue
    /// Behind a number.
    case behindValue
    /// Behind the end of the array.
    case behindArray
  }

  private mutating func numbers<Number: ScannedNumber>() throws(ScanError) -> [Number] {
    var numbers: [Number] = []
    try beginArray()
    while try nextElement() {
      switch run(into: &numbers, isKept: true) {
      case .beforeValue: numbers.append(try number(Number.self))
      case .behindValue: break
      case .behindArray:
        leaveArray()
        return numbers
      }
    }
    return numbers
  }

  /// Steps over an array; over numbers as fast as if they were asked for.
  mutating func skipElements() throws(ScanError) {
    var none: [SkippedNumber] = []
    try beginArray()
    while try nextElement() {
      switch run(into: &none, isKept: false) {
      case .beforeValue: try skip()
      case .behindValue: break
      case .behindArray: return leaveArray()
      }
    }
  }

  /// Reads numbers with nothing but commas between, as far as the window reaches.
  private mutating func run<Number: ScannedNumber>(
    into numbers: inout [Number], isKept: Bool
  ) -> Stop {
    // A number that begins before this place ends in the window, or is too long.
    let last = window.isLast ? window.end : window.end - ScanLimits.numberBytes - 2
    var place = window.place
    let stop = Self.run(window.bytes.span, &place, before: last, into: &numbers, isKept: isKept)
    window.place = place
    return stop
  }

  private static func run<Number: ScannedNumber>(
    _ bytes: Span<UInt8>, _ place: inout Int, before last: Int, into numbers: inout [Number],
    isKept: Bool
  ) -> Stop {
    while place < last {
      var end = place
      guard let decimal = Decimal(bytes, &end), let number = Number.quick(decimal),
        end - place <= ScanLimits.numberBytes
      else { return .beforeValue }
      if isKept { numbers.append(number) }
      place = end + 1
      guard bytes[end] != UInt8(ascii: ",") else { continue }
      if bytes[end] == UInt8(ascii: "]") { return .behindArray }
      place = end
      return .behindValue
    }
    return .beforeValue
  }

  /// A number that is read as `Number`.
  mutating func number<Number: ScannedNumber>(_: Number.Type) throws(ScanError) -> Number {
    let kind = try kind()
    guard kind == .number else { throw mismatch(Number.kind, kind) }
    window.ensure(ScanLimits.numberBytes + 2)
    let start = window.place
    if let word = word() {
      guard let value = Number.value(of: word) else {
        throw error("is \(word.rawValue), expected \(Number.kind)")
      }
      window.place += word.rawValue.utf8.count
      return value
    }
    let decimal = try decimal()
    if let number = Number.quick(decimal) { return number }
    let text = String(decoding: window.bytes[start..<window.place], as: UTF8.self)
    guard let number = Number.slow(text) else {
      throw error("is \(text.prefix(40)), expected \(Number.kind)", at: window.start + start)
    }
    return number
  }

  /// The word that comes next, for a number that is not finite.
  private func word() -> Word? {
    let bytes = window.bytes[window.place..<window.end].prefix(2)
    guard bytes.contains(UInt8(ascii: "N")) || bytes.contains(UInt8(ascii: "I")) else { return nil }
    return Word.allCases.first { word in
      window.bytes[window.place..<window.end].starts(with: word.rawValue.utf8)
    }
  }

  /// A number as it is written.
  mutating func decimal() throws(ScanError) -> Decimal {
    window.ensure(ScanLimits.numberBytes + 2)
    let start = window.place
    var end = start
    let decimal = Decimal(window.bytes.span, &end)
    window.place = end
    guard end - start <= ScanLimits.numberBytes else {
      throw error("a number has more than \(ScanLimits.numberBytes) digits")
    }
    guard let decimal else {
      let isDigit = UInt8(ascii: "0")...UInt8(ascii: "9") ~= window.bytes[end]
      throw error(isDigit ? "a number must not start with 0" : "a digit is expected here")
    }
    return decimal
  }
}
