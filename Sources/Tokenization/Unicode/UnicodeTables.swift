/// The properties of a scalar that tokenisation needs, as a set of bits.
struct CharacterClass: OptionSet {
  let rawValue: UInt32

  static let whitespace = CharacterClass(rawValue: 1)
  static let control = CharacterClass(rawValue: 2)
  static let punctuation = CharacterClass(rawValue: 4)
  static let ideograph = CharacterClass(rawValue: 8)
  static let nonspacingMark = CharacterClass(rawValue: 16)
  static let combiningMark = CharacterClass(rawValue: 32)
  static let word = CharacterClass(rawValue: 64)
  /// Has a canonical combining class other than 0.
  static let reordered = CharacterClass(rawValue: 128)
  static let letter = CharacterClass(rawValue: 1 << 8)
  static let number = CharacterClass(rawValue: 1 << 9)
  static let digit = CharacterClass(rawValue: 1 << 10)
  /// Removed at the ends of a text, and split at.
  static let stripped = CharacterClass(rawValue: 1 << 11)
  static let cased = CharacterClass(rawValue: 1 << 12)
  static let caseIgnorable = CharacterClass(rawValue: 1 << 13)
  /// In upper or title case.
  static let capital = CharacterClass(rawValue: 1 << 14)
  static let small = CharacterClass(rawValue: 1 << 15)

  // Bytes of UTF-8 that a character of a wrongly decoded text may have been.
  static let firstOfTwo = CharacterClass(rawValue: 1 << 16)
  static let firstOfThree = CharacterClass(rawValue: 1 << 17)
  static let firstOfFour = CharacterClass(rawValue: 1 << 18)
  static let continuation = CharacterClass(rawValue: 1 << 19)
  static let strictContinuation = CharacterClass(rawValue: 1 << 20)
}

/// The classes of all scalars, in pages of 256 that share equal content where they are uniform.
struct CharacterClasses: Sendable {
  /// The classes of WordPiece, built from the generated tables on first use (under a millisecond).
  static let shared = CharacterClasses([
    (.whitespace, CharacterClassTables.whitespace),
    (.control, CharacterClassTables.control),
    (.punctuation, CharacterClassTables.punctuation),
    (.ideograph, CharacterClassTables.ideograph),
    (.nonspacingMark, CharacterClassTables.nonspacingMark),
    (.combiningMark, CharacterClassTables.combiningMark),
    (.word, CharacterClassTables.word),
    (.reordered, CharacterClassTables.combiningClass),
  ])

  /// The classes by which Hugging Face's library splits text for byte pairs.
  static let bytePair = CharacterClasses([
    (.whitespace, CharacterClassTables.whitespace),
    (.letter, CharacterClassTables.letter),
    (.number, CharacterClassTables.number),
    (.combiningMark, CharacterClassTables.mark),
    (.capital, CharacterClassTables.capital),
    (.small, CharacterClassTables.small),
    (.digit, CharacterClassTables.digit),
  ])

  /// The start in `pages` of the page of each block of 256 scalars.
  private var pageStart = [Int32](repeating: 0, count: 0x1100)
  private var pages = [UInt32](repeating: 0, count: 256)
  /// Pages of one value throughout, by that value; never written to again.
  private var uniformPage: [UInt32: Int32] = [0: 0]

  /// Classes from generated tables of ranges.
  init(_ tables: [(CharacterClass, String)]) {
    for (flag, table) in tables {
      for item in TableReader(table) { insert(flag.rawValue, Int(item.first)...Int(item.last)) }
    }
  }

  /// The classes of a scalar (below 0x110000).
  subscript(scalar: UInt32) -> CharacterClass {
    CharacterClass(rawValue: pages[Int(pageStart[Int(scalar >> 8)]) + Int(scalar & 255)])
  }

  private mutating func insert(_ flag: UInt32, _ scalars: ClosedRange<Int>) {
    for block in scalars.lowerBound >> 8...scalars.upperBound >> 8 {
      let inBlock = scalars.clamped(to: block << 8...block << 8 | 255)
      let start = Int(pageStart[block])
      let isUniform = uniformPage[pages[start]] == Int32(start)
      if isUniform && inBlock.count == 256 {
        pageStart[block] = page(of: pages[start] | flag)
        continue
      }
      if isUniform {
        pageStart[block] = Int32(pages.count)
        pages += pages[start..<start + 256]
      }
      let own = Int(pageStart[block])
      for scalar in inBlock { pages[own + (scalar & 255)] |= flag }
    }
  }

  private mutating func page(of value: UInt32) -> Int32 {
    if let start = uniformPage[value] { return start }
    let start = Int32(pages.count)
    pages += repeatElement(value, count: 256)
    uniformPage[value] = start
    return start
  }
}

/// A mapping of scalars to one or more scalars, read from a generated table.
struct ScalarMapping: Sendable {
  /// Full canonical decompositions, without those of Hangul syllables.
  static let canonicalDecomposition = ScalarMapping(DecompositionTable.canonical)
  /// Lower case of single scalars, whatever their neighbours.
  static let lowercase = ScalarMapping(LowercaseTable.lowercase)
  /// Canonical combining classes other than 0; the same for a whole range.
  static let combiningClass = ScalarMapping(CharacterClassTables.combiningClass)

  private struct Entry {
    let first: UInt32
    let last: UInt32
    let step: UInt32
    let targets: Range<Int32>
  }

  /// In ascending order, without overlap.
  private var entries: [Entry] = []
  private var targets: [UInt32] = []

  init(_ table: String) {
    for item in TableReader(table) {
      let start = Int32(targets.count)
      targets += item.targets
      entries.append(
        Entry(
          first: item.first, last: item.last, step: item.step,
          targets: start..<Int32(targets.count)))
    }
  }

  var isEmpty: Bool { entries.isEmpty }

  /// Appends a scalar's mapping; the scalar itself if the table does not name it.
  func append(_ scalar: UInt32, to result: inout [UInt32]) {
    guard let entry = entry(of: scalar), (scalar - entry.first) % entry.step == 0 else {
      result.append(scalar)
      return
    }
    let start = Int(entry.targets.lowerBound)
    if entry.targets.count == 1 {
      result.append(targets[start] + (scalar - entry.first))
    } else {
      result += targets[start..<start + entry.targets.count]
    }
  }

  /// A scalar's mapping, or nil if the table does not name it.
  func exact(_ scalar: UInt32) -> [UInt32]? {
    guard let entry = entry(of: scalar), (scalar - entry.first) % entry.step == 0 else {
      return nil
    }
    var result: [UInt32] = []
    append(scalar, to: &result)
    return result
  }

  /// The value that a range of scalars shares, or nil outside of all ranges.
  func value(of scalar: UInt32) -> UInt32? {
    entry(of: scalar).map { targets[Int($0.targets.lowerBound)] }
  }

  private func entry(of scalar: UInt32) -> Entry? {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].last < scalar { low = middle + 1 } else { high = middle }
    }
    guard low < entries.count, entries[low].first <= scalar else { return nil }
    return entries[low]
  }
}

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
