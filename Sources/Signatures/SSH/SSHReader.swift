/// Parses the output of SSH programs: big-endian numbers, and strings behind their length.
///
/// It walks over bytes that stay where they are and gives their places, so that what is secret is
/// never copied.
struct SSHReader {
  /// The bytes end too early.
  struct Truncated: Error {}

  private(set) var offset: Int
  private let end: Int

  init(_ range: Range<Int>) {
    offset = range.lowerBound
    end = range.upperBound
  }

  var isAtEnd: Bool { offset == end }
  /// The bytes that were not read yet.
  var rest: Range<Int> { offset..<end }

  /// Steps over as many bytes.
  mutating func take(_ count: Int) throws(Truncated) -> Range<Int> {
    guard count <= end - offset else { throw Truncated() }
    defer { offset += count }
    return offset..<offset + count
  }

  /// Reads a number of four bytes.
  mutating func number(_ bytes: RawSpan) throws(Truncated) -> Int {
    try take(4).reduce(0) { $0 << 8 | Int(bytes.byte($1)) }
  }

  /// Reads a string, behind its length of four bytes.
  mutating func string(_ bytes: RawSpan) throws(Truncated) -> Range<Int> {
    try take(try number(bytes))
  }
}

extension RawSpan {
  /// The byte at an offset, which must be inside.
  func byte(_ offset: Int) -> UInt8 { unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self) }

  /// A copy of a range.
  func array(_ range: Range<Int>) -> [UInt8] { range.map { byte($0) } }

  /// Whether a range holds exactly this text.
  func holds(_ text: String, _ range: Range<Int>) -> Bool {
    text.utf8.elementsEqual(array(range))
  }

  /// A range as text for messages; invalid UTF-8 is replaced.
  func text(_ range: Range<Int>) -> String { String(decoding: array(range), as: UTF8.self) }
}

/// Writes the input of SSH programs: big-endian numbers, and strings behind their length.
struct SSHWriter {
  private(set) var bytes: [UInt8]

  init(_ start: String = "") { bytes = Array(start.utf8) }

  /// Appends a number of four bytes.
  mutating func number(_ value: Int) {
    let value = UInt32(value)
    for shift in [24, 16, 8, 0] as [UInt32] {
      bytes.append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }

  /// Appends a string, behind its length of four bytes.
  mutating func string(_ content: some Collection<UInt8>) {
    number(content.count)
    bytes.append(contentsOf: content)
  }

  /// Appends a text like a string.
  mutating func string(_ text: String) { string(Array(text.utf8)) }
}
