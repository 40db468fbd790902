import TestSupport
import Testing
import WeightCompression

@testable import Calibration

@Suite struct CodeBookTests {
  @Test(arguments: [1, 2, 3, 4, 6, 8])
  func paletteFindsTheNearestEntry(_ bits: Int) {
    var generator = SeededGenerator(seed: UInt64(bits))
    let book = PaletteBook(blocks: 2, bits: bits, floats: .float16)
    for block in 0..<2 {
      let wanted = generator.normals(1 << bits).map { Double($0) }
      _ = book.replace(book.storable(wanted, block: block), block: block)
    }
    for _ in 0..<500 {
      let value = generator.normal()
      let found = book.value(book.nearest(value, block: 1, column: 0), block: 1, column: 0)
      let least = book.parameters(ofBlock: 1).map { abs($0 - Double(value)) }.min() ?? .nan
      #expect(abs(Double(found) - Double(value)) <= least + 1e-6)
    }
    #expect(book.tables.count == 2 << bits)
  }

  @Test func replacedEntriesAreSortedAndCodesRenamed() {
    let book = PaletteBook(blocks: 1, bits: 2, floats: .float32)
    #expect(book.replace([-1, 0, 1, 2], block: 0) == nil)
    #expect(book.replace([3, 0, -2, 1], block: 0) == [3, 1, 0, 2])
    #expect(book.tables == [-2, 0, 1, 3])
    #expect(book.nearest(.infinity, block: 0, column: 0) == 3)
    #expect(book.nearest(-.infinity, block: 0, column: 0) == 0)
  }

  @Test func entriesAsIntegersHaveOneStep() {
    let book = PaletteBook(blocks: 2, bits: 1, floats: .float16)
    _ = book.replace([-0.5, 0.3], block: 0)
    _ = book.replace([0.1, 1.27], block: 1)
    book.storeAsIntegers()
    let step = book.step ?? .nan
    #expect(step == FloatWidth.float16.rounded(0.01))
    #expect(book.tables == [-50, 30, 10, 127].map { FloatWidth.float16.rounded(step * $0) })
  }

  @Test(arguments: LinearScheme.Integers.allCases, LinearScheme.Mode.allCases)
  func integersFindTheNearestCode(_ integers: LinearScheme.Integers, _ mode: LinearScheme.Mode) {
    let scheme = LinearScheme(integers, mode: mode, granularity: .perTensor)
    let book = LinearBook(
      blocks: 1, groups: [1, 0], count: 2, range: scheme.codes, floats: .float32)
    let offset = scheme.fixedOffset ?? scheme.codes.lowerBound + 3
    book.set(scale: 0.5, offset: offset, block: 0, group: 0)
    book.set(scale: 0.25, offset: offset, block: 0, group: 1)
    var generator = SeededGenerator(seed: 1)
    for column in 0..<2 {
      let scale = column == 0 ? 0.25 : 0.5
      for _ in 0..<200 {
        let value = 20 * generator.normal()
        let code = book.nearest(value, block: 0, column: column)
        let least = scheme.codes.map { abs(scale * Double($0 - offset) - Double(value)) }.min()
        let found = book.value(code, block: 0, column: column)
        #expect(abs(abs(Double(found) - Double(value)) - (least ?? .nan)) < 1e-5)
        #expect(scheme.codes.contains(Int(code) + scheme.codes.lowerBound))
      }
    }
  }

  @Test func scalesStayPositiveAndFinite() {
    let book = LinearBook(blocks: 1, groups: [0], count: 1, range: -7...7, floats: .float16)
    book.set(scale: 0.5, offset: 0, block: 0, group: 0)
    #expect(book.storable([-3], block: 0) == [0.5])
    #expect(book.storable([.nan], block: 0) == [0.5])
    #expect(book.storable([1e-20], block: 0) == [0x1p-24])
    #expect(book.storable([0.3], block: 0) == [Double(FloatWidth.float16.rounded(0.3))])
    let large = book.storable([1e9], block: 0)[0]
    #expect(large > 9300 && FloatWidth.float16.rounded(Float(large) * 7).isFinite)
  }
}
