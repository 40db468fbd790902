import Graph
import TestSupport
import Testing

@testable import WeightCompression

struct UniquePaletteTests {
  private static let counts = [0, 1, 2, 3, 4, 5, 8, 9, 16, 17, 64, 65, 255, 256]

  @Test(arguments: counts, [FloatType.float32, .float16])
  func givesBackEveryBit(_ distinct: Int, _ floats: FloatType) throws {
    var random = SeededGenerator(seed: 141)
    var pool: [Float] = [-0.0, 0, 65504, -65504, 0x1p-24, -0x1p-24]
    while pool.count < 300 {
      let value = floats.rounded(Float.random(in: -3...3, using: &random))
      if !pool.contains(where: { $0.bitPattern == value.bitPattern }) { pool.append(value) }
    }
    let used = Array(pool.prefix(distinct))
    let values = (0..<(used.isEmpty ? 0 : 2000)).map { used[$0 * 7919 % used.count] }
    let reference = WeightReference.matrix([1, values.count])
    let bits = try #require(Palettizer.uniqueBits(values, floats))
    #expect(bits == PaletteScheme.knownBits.first { distinct <= 1 << $0 })
    #expect(Palettizer.distinctCount(values, floats) == distinct)
    let codes = Palettizer.unique(values, reference, floats)
    #expect(codes.bits == bits && codes.entries.count == 1 << bits)
    let tensor = try CompressedTensor(
      reference, .palette(codes), floats: floats, madeFrom: values)
    #expect(tensor.dequantized().map(\.bitPattern) == values.map(\.bitPattern))
    #expect(tensor.relativeError == 0)
  }

  @Test func countsValuesAsTheyAreStored() {
    let values = (0..<1000).map { 1 + Float($0) * 0x1p-20 }
    #expect(Palettizer.distinctCount(values, .float32) == nil)
    #expect(Palettizer.uniqueBits(values, .float32) == nil)
    #expect(Palettizer.distinctCount(values, .float16) == 2)
    #expect(Palettizer.uniqueBits(values, .float16) == 1)
  }

  @Test func refusesOneValueTooMany() {
    let values = (0..<257).map { Float($0) }
    #expect(Palettizer.uniqueBits(values, .float16) == nil)
    #expect(Palettizer.uniqueBits(Array(values.dropLast()), .float16) == 8)
  }

  /// Values are looked at before anybody has checked them.
  @Test func standsWhatIsNotFinite() {
    let values: [Float] = [.nan, .infinity, -.infinity, 1e38, 0]
    #expect(Palettizer.distinctCount(values, .float16) == 4)
    #expect(Palettizer.distinctCount(values, .float32) == 5)
  }
}
