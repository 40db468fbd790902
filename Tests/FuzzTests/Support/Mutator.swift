import TestSupport

/// Changes bytes at random, the same way for the same seed.
///
/// The moves are those of common fuzzers: flip bits, overwrite, insert, delete, cut, repeat, splice
/// two inputs, and put numbers that parsers stumble over where numbers are.
struct Mutator {
  private var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  private static let interestingText: [String] = [
    "-1", "0", "00", "1e9", "1.5", "4294967295", "4294967296", "9223372036854775807",
    "9223372036854775808", "18446744073709551616", "1e400", "\"", "\\", "\\u0000", "\\ud800", "{",
    "}", "[", "]", "(", ")", ",", ":", "'", "null", "true", "{}", "[]", "(1,)", "\u{FEFF}", "\n",
    "\"F4\"", "\"F64\"", "<f8", ">f2", "|O", "True", "__metadata__", "data_offsets", "shape",
    "*a", "&a ", "!!str ", "- ", ": ", "? ", "| ", "> ", " #", "---\n", "\t", "\u{E9}",
    "e\u{301}",
  ]

  /// Replacements for a whole value of a text.
  private static let values: [String] = [
    "null", "true", "false", "0", "1", "-1", "2", "1.5", "1e400", "1048577", "4294967296",
    "9223372036854775807", "9223372036854775808", "\"\"", "\"a\"", "\"0\"", "\"../a\"", "[]",
    "[[]]", "{}", "{\"a\":1}", "[1,2]", "\"e\u{301}\"",
  ]

  /// One of the seeds, changed in one place or, half of the time, in up to five.
  mutating func next(from seeds: [[UInt8]]) -> [UInt8] {
    var bytes = seeds[below(seeds.count)]
    for _ in 0...below(below(2) == 0 ? 1 : 5) { mutate(&bytes, seeds) }
    return bytes
  }

  /// Heads or tails.
  mutating func coin() -> Bool { below(2) == 0 }

  private mutating func below(_ bound: Int) -> Int {
    bound <= 1 ? 0 : Int(generator.next() % UInt64(bound))
  }

  private mutating func byte() -> UInt8 { UInt8(truncatingIfNeeded: generator.next() >> 32) }

  private mutating func mutate(_ bytes: inout [UInt8], _ seeds: [[UInt8]]) {
    guard !bytes.isEmpty else {
      bytes = seeds[below(seeds.count)]
      return
    }
    let place = below(bytes.count)
    let count = min(1 + below(8), bytes.count - place)
    switch below(14) {
    case 0: bytes[place] ^= 1 << UInt8(below(8))
    case 1: bytes[place] = byte()
    case 2: bytes[place] = [0, 1, 0x7F, 0x80, 0xFE, 0xFF][below(6)]
    case 3: bytes.insert(contentsOf: (0..<count).map { _ in byte() }, at: place)
    case 4: bytes.removeSubrange(place..<place + count)
    case 5: bytes.removeSubrange(place...)
    case 6: bytes.insert(contentsOf: bytes[place..<place + count], at: place)
    case 7: splice(&bytes, at: place, seeds)
    case 8: overwriteNumber(&bytes, at: place)
    case 9: changeDigits(&bytes, at: place)
    case 10, 11: changeValue(&bytes, at: place, seeds)
    case 12: bytes[place] &+= UInt8(truncatingIfNeeded: below(17)) &- 8
    default:
      let text = Mutator.interestingText[below(Mutator.interestingText.count)]
      if below(2) == 0 {
        bytes.insert(contentsOf: text.utf8, at: place)
      } else {
        bytes.replaceSubrange(place..<place + count, with: text.utf8)
      }
    }
  }

  private mutating func splice(_ bytes: inout [UInt8], at place: Int, _ seeds: [[UInt8]]) {
    let other = seeds[below(seeds.count)]
    guard !other.isEmpty else { return }
    let start = below(other.count)
    bytes.replaceSubrange(place..., with: other[start...])
  }

  /// Replaces the next whole word of a text, with its quotes, by another value or by a word of a
  /// seed, so that the grammar mostly holds and what lies behind it is reached.
  private mutating func changeValue(_ bytes: inout [UInt8], at place: Int, _ seeds: [[UInt8]]) {
    guard let word = Mutator.word(in: bytes, from: place) else { return }
    let other = seeds[below(seeds.count)]
    if below(2) == 0, let taken = Mutator.word(in: other, from: below(other.count)) {
      bytes.replaceSubrange(word, with: other[taken])
    } else {
      bytes.replaceSubrange(word, with: Mutator.values[below(Mutator.values.count)].utf8)
    }
  }

  /// The next run of bytes between delimiters, or all from a quotation mark to the next.
  private static func word(in bytes: [UInt8], from place: Int) -> Range<Int>? {
    func isDelimiter(_ byte: UInt8) -> Bool { byte <= 0x20 || ",:{}[]".utf8.contains(byte) }
    guard place < bytes.count,
      let start = bytes[place...].firstIndex(where: { !isDelimiter($0) })
    else { return nil }
    let rest = bytes[(start + 1)...]
    if bytes[start] == UInt8(ascii: "\"") {
      let end = rest.firstIndex(of: UInt8(ascii: "\""))
      return start..<(end.map { $0 + 1 } ?? bytes.count)
    }
    return start..<(rest.firstIndex(where: isDelimiter) ?? bytes.count)
  }

  /// A little-endian integer of 1 to 8 bytes from the edges of the number range.
  private mutating func overwriteNumber(_ bytes: inout [UInt8], at place: Int) {
    let value: UInt64 =
      [
        0, 1, 2, 0x7F, 0xFF, 0x7FFF, 0xFFFF, 0x7FFF_FFFF, 0xFFFF_FFFF, 1 << 32, 1 << 63, .max,
        UInt64(bytes.count), UInt64(bytes.count - 1), UInt64(bytes.count + 1),
      ][below(15)]
    let size = min([1, 2, 4, 8][below(4)], bytes.count - place)
    for index in 0..<size {
      bytes[place + index] = UInt8(truncatingIfNeeded: value >> UInt64(index * 8))
    }
  }

  /// Replaces the next run of digits by another number.
  private mutating func changeDigits(_ bytes: inout [UInt8], at place: Int) {
    func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }
    guard let start = bytes[place...].firstIndex(where: isDigit) else { return }
    let end = bytes[start...].firstIndex { !isDigit($0) } ?? bytes.count
    let old = Int(String(decoding: bytes[start..<end], as: UTF8.self)) ?? 0
    let texts = [
      "0", "1", "\(old &+ 1)", "\(old &- 1)", "\(old &* 2)", "\(UInt64.max)", "\(Int.max)",
      "\(1 << 32)", "\(below(64))", "",
    ]
    bytes.replaceSubrange(start..<end, with: Array(texts[below(texts.count)].utf8))
  }
}
