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
