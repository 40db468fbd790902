/// One item of a generated table: `first[-last][/step][=target[.target…]]`, in hexadecimal.
struct TableItem: Equatable {
  var first: UInt32 = 0
  var last: UInt32 = 0
  /// 2 where only every second scalar of the range is meant.
  var step: UInt32 = 1
  /// The mapping of `first`; empty in a table of plain ranges.
  var targets: [UInt32] = []
}

/// Reads a generated table, item by item.
struct TableReader: Sequence, IteratorProtocol {
  private var bytes: Substring.UTF8View

  init(_ table: String) { bytes = table[...].utf8 }

  mutating func next() -> TableItem? {
    skipSpace()
    guard !bytes.isEmpty else { return nil }
    var item = TableItem()
    item.first = number()
    item.last = skip(UInt8(ascii: "-")) ? number() : item.first
    if skip(UInt8(ascii: "/")) { item.step = number() }
    if skip(UInt8(ascii: "=")) {
      repeat { item.targets.append(number()) } while skip(UInt8(ascii: "."))
    }
    return item
  }

  private mutating func skipSpace() {
    while let byte = bytes.first, byte <= 0x20 { bytes.removeFirst() }
  }

  private mutating func skip(_ byte: UInt8) -> Bool {
    guard bytes.first == byte else { return false }
    bytes.removeFirst()
    return true
  }

  private mutating func number() -> UInt32 {
    var value: UInt32 = 0
    while let byte = bytes.first {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | UInt32(byte - 0x30)
      case UInt8(ascii: "A")...UInt8(ascii: "F"): value = value << 4 | UInt32(byte - 0x37)
      default: return value
      }
      bytes.removeFirst()
    }
    return value
  }
}
