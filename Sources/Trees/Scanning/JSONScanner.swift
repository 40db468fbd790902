package import Files
import StrictJSON

/// Reads a JSON text (RFC 8259) of any size as strictly as `JSONParser`, without a value per number.
///
/// Besides, `NaN`, `Infinity` and `-Infinity` are numbers where a caller asks for floats, or skips: XGBoost
/// writes these.
package struct JSONScanner: PullScanner {
  /// An object or array that is entered and not left.
  private struct Level {
    let isObject: Bool
    var isFirst = true
    var keys = KeySet()
  }

  /// What XGBoost writes for numbers that are not finite.
  enum Word: String, CaseIterable {
    case nan = "NaN"
    case infinity = "Infinity"
    case negativeInfinity = "-Infinity"
  }

  var window: FileWindow
  /// Most arrays and objects within each other, for a caller that keeps its own stack.
  var depthLimit = ScanLimits.depth
  private var levels: [Level] = []
  private var line = 1
  /// Bytes of the file before the line.
  private var lineStart = 0

  package init(_ file: MappedFile) throws(ScanError) {
    window = FileWindow(file)
    guard !window.bytes.starts(with: [0xEF, 0xBB, 0xBF]) else {
      throw error("the text starts with a byte order mark; save it as plain UTF-8")
    }
  }

  package var path: String { window.path }

  package func error(_ fault: String) -> ScanError { error(fault, at: window.offset) }

  /// An error at a place of the line that is reached, in bytes of the file.
  func error(_ fault: String, at offset: Int) -> ScanError {
    ScanError(path: path, place: .line(line, column: offset - lineStart + 1), fault: fault)
  }

  package mutating func kind() throws(ScanError) -> ScannedKind {
    skipSpace()
    switch window.next {
    case UInt8(ascii: "{"): return .object
    case UInt8(ascii: "["): return .array
    case UInt8(ascii: "\""): return .string
    case UInt8(ascii: "t"), UInt8(ascii: "f"): return .bool
    case UInt8(ascii: "n"): return .null
    case UInt8(ascii: "-"), UInt8(ascii: "N"), UInt8(ascii: "I"): return .number
    case let byte? where UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte: return .number
    case nil: throw error("the text ends where a value is expected")
    default: throw error("a value is expected here")
    }
  }

  /// An error about a value of another kind.
  func mismatch(_ expected: String, _ found: ScannedKind) -> ScanError {
    error("is \(found.rawValue), expected \(expected)")
  }

  // MARK: Objects and arrays

  package mutating func beginObject() throws(ScanError) {
    let kind = try kind()
    guard kind == .object else { throw mismatch("an object", kind) }
    try enter(isObject: true)
  }

  package mutating func beginArray() throws(ScanError) {
    let kind = try kind()
    guard kind == .array else { throw mismatch("an array", kind) }
    try enter(isObject: false)
  }

  private mutating func enter(isObject: Bool) throws(ScanError) {
    guard levels.count < depthLimit else {
      throw error("values nest deeper than \(depthLimit) levels")
    }
    window.place += 1
    levels.append(Level(isObject: isObject))
  }

  package mutating func nextKey() throws(ScanError) -> String? {
    guard try hasMore(isObject: true, closing: UInt8(ascii: "}")) else { return nil }
    skipSpace()
    guard window.next == UInt8(ascii: "\"") else { throw error("a key in quotes is expected here") }
    let start = window.offset
    let key = try text()
    guard levels[levels.count - 1].keys.insert(key) else {
      throw error("the key \(quoted(key)) appears twice in one object", at: start)
    }
    guard levels[levels.count - 1].keys.count <= ScanLimits.keys else {
      throw error("an object has more than \(ScanLimits.keys) keys", at: start)
    }
    skipSpace()
    guard window.next == UInt8(ascii: ":") else { throw error("':' is expected after a key") }
    window.place += 1
    skipSpace()
    return key
  }

  package mutating func nextElement() throws(ScanError) -> Bool {
    guard try hasMore(isObject: false, closing: UInt8(ascii: "]")) else { return false }
    skipSpace()
    return true
  }

  /// Steps over what lies between values; false behind the end of the object or array.
  private mutating func hasMore(isObject: Bool, closing: UInt8) throws(ScanError) -> Bool {
    precondition(levels.last?.isObject == isObject, "the object or array was entered")
    skipSpace()
    let isFirst = levels[levels.count - 1].isFirst
    levels[levels.count - 1].isFirst = false
    switch window.next {
    case closing:
      window.place += 1
      levels.removeLast()
      return false
    case UInt8(ascii: ",") where !isFirst:
      window.place += 1
      return true
    case nil:
      throw error("the text ends inside an object or array")
    default:
      guard isFirst else {
        throw error("',' or '\(Character(Unicode.Scalar(closing)))' is expected here")
      }
      return true
    }
  }

  /// Leaves an array whose last byte was stepped over.
  mutating func leaveArray() { levels.removeLast() }

  // MARK: Values

  package mutating func string() throws(ScanError) -> String {
    let kind = try kind()
    guard kind == .string else { throw mismatch("a string", kind) }
    return try text()
  }

  package mutating func bool() throws(ScanError) -> Bool {
    let kind = try kind()
    guard kind == .bool else { throw mismatch("true or false", kind) }
    if window.next == UInt8(ascii: "t") {
      try take("true")
      return true
    }
    try take("false")
    return false
  }

  package mutating func integer() throws(ScanError) -> Int {
    let kind = try kind()
    guard kind == .number else { throw mismatch("a whole number", kind) }
    let start = window.offset
    guard let value = try decimal().integer else {
      throw error("is not a whole number of 64 bits", at: start)
    }
    return value
  }

  package mutating func double() throws(ScanError) -> Double { try number(Double.self) }

  package mutating func skip() throws(ScanError) {
    switch try kind() {
    case .object:
      try beginObject()
      while try nextKey() != nil { try skip() }
    case .array: try skipElements()
    case .string: _ = try text()
    case .number: _ = try number(SkippedNumber.self)
    case .bool: _ = try bool()
    case .null: try take("null")
    }
  }

  package mutating func finish() throws(ScanError) {
    skipSpace()
    guard window.next == nil else { throw error("text after the value") }
  }

  /// Steps over a word.
  mutating func take(_ word: StaticString) throws(ScanError) {
    try take("\(word)")
  }

  mutating func take(_ word: String) throws(ScanError) {
    window.ensure(word.utf8.count)
    guard window.bytes[window.place..<window.end].starts(with: word.utf8) else {
      throw error("a value is expected here")
    }
    window.place += word.utf8.count
  }

  mutating func skipSpace() {
    while true {
      let byte = window.bytes[window.place]
      guard byte <= 0x20 else { return }
      switch byte {
      case 0x20, 0x09, 0x0D: break
      case 0x0A:
        line += 1
        lineStart = window.offset + 1
      default:
        guard window.place == window.end, !window.isLast else { return }
        window.fill()
        continue
      }
      window.place += 1
    }
  }
}
