import TestSupport
import Testing

@testable import WeightCompression

struct DistinctCountTests {
  @Test func countsUpToTheLimit() {
    let values = (0..<4000).map { Float($0 % 256) / 3 }
    #expect(Palettizer.distinctCount(values, .float32) == 256)
    #expect(Palettizer.distinctCount(values + [-1], .float32) == nil)
  }

  @Test func zerosOfBothSignsAreTwoValues() {
    #expect(Palettizer.distinctCount([0, -0.0, 0], .float32) == 2)
    #expect(Palettizer.distinctCount([], .float32) == 0)
    #expect(Palettizer.distinctCount([7], .float32) == 1)
  }

  /// Values that float16 does not tell apart are one.
  @Test func countsWhatIsStored() {
    #expect(Palettizer.distinctCount([1, 1 + 0x1p-20, 1 + 0x1p-10], .float16) == 2)
  }

  @Test(arguments: [1 as UInt64, 2, 3])
  func agreesWithASet(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let levels = (0..<Int.random(in: 1...256, using: &random)).map { _ in
      Float(bitPattern: UInt32.random(in: 1...0x7f00_0000, using: &random))
    }
    let values = (0..<3000).map { _ in levels[Int.random(in: levels.indices, using: &random)] }
    #expect(Palettizer.distinctCount(values, .float32) == Set(values).count)
  }
}
