import TestSupport
import Testing
import WeightCompression

@testable import Calibration

@Suite struct CodebookTests {
  @Test(arguments: [1, 2, 3, 4, 6, 8])
  func paletteFindsTheNearestEntry(_ bits: Int) {
    var generator = SeededGenerator(seed: UInt64(bits))
    let codebook = PaletteCodebook(blocks: 2, bits: bits, floats: .float16)
    for block in 0..<2 {
      let wanted = generator.normals(1 << bits).map { Double($0) }
      _ = codebook.replace(codebook.storable(wanted, block: block), block: block)
    }
    for _ in 0..<500 {
      let value = generator.normal()
      let found = codebook.value(codebook.nearest(value, block: 1, column: 0), block: 1, column: 0)
      let minimum = codebook.parameters(ofBlock: 1).map { abs($0 - Double(value)) }.min() ?? .nan
      #expect(abs(Double(found) - Double(value)) <= minimum + 1e-6)
    }
    #expect(codebook.tables.count == 2 << bits)
  }

  @Test func replacedEntriesAreSortedAndCodesRenamed() {
    let codebook = PaletteCodebook(blocks: 1, bits: 2, floats: .float32)
    #expect(codebook.replace([-1, 0, 1, 2], block: 0) == nil)
    #expect(codebook.replace([3, 0, -2, 1], block: 0) == [3, 1, 0, 2])
    #expect(codebook.tables == [-2, 0, 1, 3])
    #expect(codebook.nearest(.infinity, block: 0, column: 0) == 3)
    #expect(codebook.nearest(-.infinity, block: 0, column: 0) == 0)
  }

  @Test func entriesAsIntegersHaveOneStep() {
    let codebook = PaletteCodebook(blocks: 2, bits: 1, floats: .float16)
    _ = codebook.replace([-0.5, 0.3], block: 0)
    _ = codebook.replace([0.1, 1.27], block: 1)
    codebook.storeAsIntegers()
    let step = codebook.step ?? .nan
    #expect(step == FloatType.float16.rounded(0.01))
    #expect(codebook.tables == [-50, 30, 10, 127].map { FloatType.float16.rounded(step * $0) })
  }

  @Test(arguments: LinearScheme.Integers.allCases, LinearScheme.Mode.allCases)
  func integersFindTheNearestCode(_ integers: LinearScheme.Integers, _ mode: LinearScheme.Mode) {
    let scheme = LinearScheme(integers, mode: mode, granularity: .perTensor)
    let codebook = LinearCodebook(
      blocks: 1, groups: [1, 0], count: 2, range: scheme.codes, floats: .float32)
    let zeroPoint = scheme.fixedZeroPoint ?? scheme.codes.lowerBound + 3
    codebook.set(scale: 0.5, zeroPoint: zeroPoint, block: 0, group: 0)
    codebook.set(scale: 0.25, zeroPoint: zeroPoint, block: 0, group: 1)
    var generator = SeededGenerator(seed: 1)
    for column in 0..<2 {
      let scale = column == 0 ? 0.25 : 0.5
      for _ in 0..<200 {
        let value = 20 * generator.normal()
        let code = codebook.nearest(value, block: 0, column: column)
        let minimum = scheme.codes.map { abs(scale * Double($0 - zeroPoint) - Double(value)) }.min()
        let found = codebook.value(code, block: 0, column: column)
        #expect(abs(abs(Double(found) - Double(value)) - (minimum ?? .nan)) < 1e-5)
        #expect(scheme.codes.contains(Int(code) + scheme.codes.lowerBound))
      }
    }
  }

  @Test func scalesStayPositiveAndFinite() {
    let codebook = LinearCodebook(blocks: 1, groups: [0], count: 1, range: -7...7, floats: .float16)
    codebook.set(scale: 0.5, zeroPoint: 0, block: 0, group: 0)
    #expect(codebook.storable([-3], block: 0) == [0.5])
    #expect(codebook.storable([.nan], block: 0) == [0.5])
    #expect(codebook.storable([1e-20], block: 0) == [0x1p-24])
    #expect(codebook.storable([0.3], block: 0) == [Double(FloatType.float16.rounded(0.3))])
    let large = codebook.storable([1e9], block: 0)[0]
    #expect(large > 9300 && FloatType.float16.rounded(Float(large) * 7).isFinite)
  }
}
