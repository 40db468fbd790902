import Testing

@testable import WeightCompression

/// Whole numbers in the fewest bits.
struct PackedNumbersTests {
  /// The example of `specs/formats/compressed-safetensors.md`: 3 bits, 1 2 3 4 5 are `d1 58`.
  @Test func bitsLieAsThePageSays() throws {
    let packed = try #require(PackedNumbers(bits: 3, least: 0, isRelative: false))
    #expect(packed.bytes(of: [1, 2, 3, 4, 5]) == [0xd1, 0x58])
    #expect(packed.values(of: [0xd1, 0x58], count: 5) == [1, 2, 3, 4, 5])
    // The same codes, counted from −1 and from the place of each.
    let moved = try #require(PackedNumbers(bits: 3, least: -2, isRelative: true))
    #expect(moved.values(of: [0xd1, 0x58], count: 5) == [-1, 1, 3, 5, 7])
    #expect(moved.bytes(of: [-1, 1, 3, 5, 7]) == [0xd1, 0x58])
  }

  @Test(
    arguments: [
      ([0, 0, 0], 1, 0, false), ([7], 1, 7, false), ([-3, 4], 3, -3, false),
      ([1, 2, 3, 4], 1, 1, true),
      ([5, -2, 3, 9], 4, -2, false), ([16_777_216, 0], 25, 0, false),
      ([-16_777_216, -16_777_215], 1, -16_777_216, false), ([3, -1, 4, 5], 3, -1, false),
      ([9, 10, 11, 12], 1, 9, true), ([-16_777_216, 16_777_216], 25, -16_777_216, true),
    ] as [([Float], Int, Int, Bool)])
  func theFewestBitsAreTaken(_ values: [Float], _ bits: Int, _ least: Int, _ isRelative: Bool)
    throws
  {
    let packed = try #require(PackedNumbers(fewestFor: values))
    #expect(packed == PackedNumbers(bits: bits, least: least, isRelative: isRelative))
    #expect(packed.values(of: packed.bytes(of: values), count: values.count) == values)
  }

  @Test(arguments: 1...25)
  func everyWidthReadsBack(_ bits: Int) throws {
    var seed: UInt64 = 9
    let values = (0..<100).map { _ -> Float in
      seed = seed &* 6_364_136_223_846_793_005 &+ 1
      return Float(Int(seed >> 33) % min(1 << bits, 1 << 24))
    }
    for isRelative in [false, true] {
      let packed = try #require(PackedNumbers(bits: bits, least: 0, isRelative: false))
      let relative = try #require(PackedNumbers(bits: bits, least: 0, isRelative: isRelative))
      let shifted = isRelative ? values.enumerated().map { $1 + Float($0) } : values
      let bytes = relative.bytes(of: shifted)
      #expect(bytes == packed.bytes(of: values))
      #expect(bytes.count == (100 * bits + 7) / 8)
      #expect(relative.values(of: bytes, count: 100) == shifted)
    }
  }

  @Test(
    arguments: [
      [0.5], [.nan], [.infinity, 1], [1e9], [-16_777_216, 0, 16_777_216, 16_777_216], [],
    ] as [[Float]])
  func othersStayAsTheyAre(_ values: [Float]) { #expect(PackedNumbers(fewestFor: values) == nil) }

  @Test func whatNoFloatHoldsIsNotRead() {
    #expect(PackedNumbers(bits: 26, least: 0, isRelative: false) == nil)
    #expect(PackedNumbers(bits: 0, least: 0, isRelative: false) == nil)
    #expect(PackedNumbers(bits: 8, least: 1 << 24 + 1, isRelative: false) == nil)
  }
}
