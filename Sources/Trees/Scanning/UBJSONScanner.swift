package import Files
import StrictJSON

/// Reads a file of UBJSON (draft 12, ubjson.org) of any size, without a value per number.
///
/// Of the format it takes what XGBoost writes: objects without a count; arrays without one, with a count,
/// and with a type (`$`) and a count (`#`); numbers of 8 to 64 bits, big end first; texts in UTF-8. Of
/// numbers of high precision, single characters and the no-op it says that it does not.
package struct UBJSONScanner: PullScanner {
  /// An object or array that is entered and not left.
  private struct Level {
    let isObject: Bool
    /// Values of an array to come; nil where the file does not say.
    var left: Int?
    /// Of the values of an array, where they have none of their own.
    var marker: UInt8?
    var keys = KeySet()
  }

  var window: FileWindow
  private var levels: [Level] = []

  package init(_ file: MappedFile) throws(ScanError) { window = FileWindow(file) }

  package var path: String { window.path }

  package func error(_ fault: String) -> ScanError { error(fault, at: window.offset) }

  /// An error at a place, in bytes of the file.
  func error(_ fault: String, at offset: Int) -> ScanError {
    ScanError(path: path, place: .byte(offset), fault: fault)
  }

  func mismatch(_ expected: String, _ found: ScannedKind) -> ScanError {
    error("is \(found.rawValue), expected \(expected)")
  }

  package mutating func kind() throws(ScanError) -> ScannedKind {
    guard let marker = levels.last?.marker ?? window.next else {
      throw error("the file ends where a value is expected")
    }
    switch marker {
    case UInt8(ascii: "{"): return .object
    case UInt8(ascii: "["): return .array
    case UInt8(ascii: "S"): return .string
    case UInt8(ascii: "T"), UInt8(ascii: "F"): return .bool
    case UInt8(ascii: "Z"): return .null
    case UInt8(ascii: "C"), UInt8(ascii: "H"), UInt8(ascii: "N"):
      let name = Character(Unicode.Scalar(marker))
      throw error("a value of type '\(name)' is not one that is read here")
    default:
      guard NumberType(rawValue: marker) != nil else { throw error("a value is expected here") }
      return .number
    }
  }

  /// The type of the number that comes next; steps over its marker.
  mutating func numberType(_ expected: String) throws(ScanError) -> NumberType {
    let kind = try kind()
    guard kind == .number, let marker = levels.last?.marker ?? window.next,
      let type = NumberType(rawValue: marker)
    else { throw mismatch(expected, kind) }
    if levels.last?.marker == nil { window.place += 1 }
    return type
  }

  // MARK: Objects and arrays

  package mutating func beginObject() throws(ScanError) {
    let kind = try kind()
    guard kind == .object else { throw mismatch("an object", kind) }
    try enter(Level(isObject: true))
  }

  package mutating func beginArray() throws(ScanError) {
    let kind = try kind()
    guard kind == .array else { throw mismatch("an array", kind) }
    try enter(Level(isObject: false))
    var marker: UInt8?
    if window.next == UInt8(ascii: "$") {
      window.place += 1
      guard let byte = window.next, NumberType(rawValue: byte) != nil else {
        throw error("an array of a type other than i, U, I, l, L, d and D")
      }
      marker = byte
      window.place += 1
      guard window.next == UInt8(ascii: "#") else { throw error("'#' is expected after a type") }
    }
    guard window.next == UInt8(ascii: "#") else { return }
    window.place += 1
    let size = marker.flatMap(NumberType.init)?.byteCount ?? 1
    let count = try count(of: size, "an array of", "values")
    levels[levels.count - 1].left = count
    levels[levels.count - 1].marker = marker
  }

  private mutating func enter(_ level: Level) throws(ScanError) {
    guard levels.count < ScanLimits.depth else {
      throw error("values nest deeper than \(ScanLimits.depth) levels")
    }
    window.place += 1
    levels.append(level)
  }

  package mutating func nextKey() throws(ScanError) -> String? {
    precondition(levels.last?.isObject == true, "the object was entered")
    if window.next == UInt8(ascii: "}") {
      window.place += 1
      levels.removeLast()
      return nil
    }
    let start = window.offset
    let key = try text()
    guard levels[levels.count - 1].keys.insert(key) else {
      throw error("the key \(quoted(key)) appears twice in one object", at: start)
    }
    guard levels[levels.count - 1].keys.count <= ScanLimits.keys else {
      throw error("an object has more than \(ScanLimits.keys) keys", at: start)
    }
    return key
  }

  package mutating func nextElement() throws(ScanError) -> Bool {
    precondition(levels.last?.isObject == false, "the array was entered")
    if let left = levels[levels.count - 1].left {
      if left == 0 {
        levels.removeLast()
        return false
      }
      levels[levels.count - 1].left = left - 1
      return true
    }
    guard window.next == UInt8(ascii: "]") else { return true }
    window.place += 1
    levels.removeLast()
    return false
  }

  /// Of an array that was just entered: its type and count if it has both; the array is left then.
  mutating func leaveTypedArray() -> (type: NumberType, count: Int)? {
    guard let level = levels.last, let type = level.marker.flatMap(NumberType.init),
      let count = level.left
    else { return nil }
    levels.removeLast()
    return (type, count)
  }

  // MARK: Values

  package mutating func string() throws(ScanError) -> String {
    let kind = try kind()
    guard kind == .string else { throw mismatch("a string", kind) }
    window.place += 1
    return try text()
  }

  package mutating func bool() throws(ScanError) -> Bool {
    let kind = try kind()
    guard kind == .bool else { throw mismatch("true or false", kind) }
    defer { window.place += 1 }
    return window.next == UInt8(ascii: "T")
  }

  package mutating func skip() throws(ScanError) {
    switch try kind() {
    case .object:
      try beginObject()
      while try nextKey() != nil { try skip() }
    case .array:
      try beginArray()
      if let (type, count) = leaveTypedArray() {
        window.skip(type.byteCount * count)
      } else {
        while try nextElement() { try skip() }
      }
    case .string: _ = try string()
    case .number: _ = try double()
    case .bool, .null: window.place += 1
    }
  }

  package mutating func finish() throws(ScanError) {
    guard window.next == nil else { throw error("bytes after the value") }
  }

  /// A text from its length on.
  private mutating func text() throws(ScanError) -> String {
    var left = try count(of: 1, "a text of", "bytes")
    window.ensure(min(left, 256))
    if left <= window.end - window.place {
      let start = window.place
      window.place += left
      return try text(of: window.bytes[start..<start + left])
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(left)
    while left > 0, window.next != nil {
      let taken = min(left, window.end - window.place)
      bytes += window.bytes[window.place..<window.place + taken]
      window.place += taken
      left -= taken
    }
    return try text(of: bytes[...])
  }

  private func text(of bytes: ArraySlice<UInt8>) throws(ScanError) -> String {
    var isASCII = true
    for byte in bytes where byte >= 0x80 { isASCII = false }
    if isASCII { return String(decoding: bytes, as: UTF8.self) }
    guard let text = String(utf8: bytes) else { throw error("a text is not valid UTF-8") }
    return text
  }

  /// A length or count, checked against the bytes that are left.
  private mutating func count(
    of size: Int, _ words: String, _ noun: String
  ) throws(ScanError) -> Int {
    let start = window.offset
    guard let byte = window.next, let type = NumberType(rawValue: byte), type.isWhole else {
      throw error("a count of type i, U, I, l or L is expected here")
    }
    window.place += 1
    let count = try whole(type)
    guard count >= 0, count <= window.remaining / size else {
      throw error("\(words) \(count) \(noun), \(window.remaining) bytes are left", at: start)
    }
    return count
  }
}
