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
