/// Numbers from a seed (SplitMix64): the same in every run.
struct TestGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }
}

/// Changes bytes of small files: flips, cuts, repeats, and puts numbers from the edges of the range.
struct TestMutator {
  private var generator: TestGenerator

  init(seed: UInt64) { generator = TestGenerator(seed: seed) }

  private static let texts = [
    "-1", "0", "1e9", "1E400", "NaN", "2147483648", "4294967295", "9223372036854775808", "16777216",
    "1000000", "null",
    "[]", "{}", "\"\"", "\"", "[", "]", "}", ",", "\\u0000", "[[[[[[[[[[", "true",
  ]

  private mutating func below(_ bound: Int) -> Int {
    bound <= 1 ? 0 : Int(generator.next() % UInt64(bound))
  }

  mutating func next(from seeds: [[UInt8]]) -> [UInt8] {
    var bytes = seeds[below(seeds.count)]
    for _ in 0...below(3) where !bytes.isEmpty { mutate(&bytes) }
    return bytes
  }

  private mutating func mutate(_ bytes: inout [UInt8]) {
    let place = below(bytes.count)
    let count = min(1 + below(12), bytes.count - place)
    switch below(9) {
    case 0: bytes[place] ^= 1 << UInt8(below(8))
    case 1: bytes[place] = UInt8(truncatingIfNeeded: generator.next())
    case 2: bytes[place] = [0, 1, 0x7F, 0x80, 0xFF][below(5)]
    case 3: bytes.removeSubrange(place..<place + count)
    case 4: bytes.removeSubrange(place...)
    case 5: bytes.insert(contentsOf: bytes[place..<place + count], at: place)
    case 6: changeDigits(&bytes, place)
    case 7:
      for index in place..<place + min(count, 8) { bytes[index] = below(2) == 0 ? 0xFF : 0 }
    default: bytes.insert(contentsOf: Self.texts[below(Self.texts.count)].utf8, at: place)
    }
  }

  private mutating func changeDigits(_ bytes: inout [UInt8], _ place: Int) {
    func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    guard let start = bytes[place...].firstIndex(where: isDigit) else { return }
    let end = bytes[start...].firstIndex { !isDigit($0) } ?? bytes.count
    bytes.replaceSubrange(start..<end, with: Self.texts[below(Self.texts.count)].utf8)
  }
}
