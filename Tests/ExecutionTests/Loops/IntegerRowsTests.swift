import TestSupport
import Testing

@testable import Execution

struct IntegerRowsTests {
  private func rows(_ count: Int, _ width: Int, _ generator: inout SeededGenerator) -> [[Int16]] {
    (0..<count).map { _ in (0..<width).map { _ in Int16(generator.float() * 900) } }
  }

  private func laid(_ rows: [[Int16]]) -> IntegerRows {
    IntegerRows(count: rows.count, width: rows[0].count, jobs: 2) { rows[$0] }
  }

  private func product(_ left: [Int16], _ right: [Int16]) -> Int {
    zip(left, right).reduce(0) { $0 + Int($1.0) * Int($1.1) }
  }

  @Test(arguments: [(1, 1, 1), (16, 16, 2), (17, 40, 3), (50, 33, 384), (64, 15, 77)])
  func productsAreExact(_ shape: (rows: Int, columns: Int, width: Int)) {
    var generator = SeededGenerator(seed: 1)
    let left = rows(shape.rows, shape.width, &generator)
    let right = rows(shape.columns, shape.width, &generator)
    var tile = IntegerTile()
    tile.multiply(laid(left), 0..<shape.rows, by: laid(right), 0..<shape.columns)
    let floors = [Int32](repeating: .max, count: (shape.columns + 15) / 16 * 16)
    var found = [[Int32]](repeating: [], count: shape.rows)
    tile.forEachLarge(above: found.map { _ in .min }, or: floors) { found[$0].append($2) }
    for (row, products) in zip(left, found) {
      #expect(products.prefix(shape.columns).map { Int($0) } == right.map { product(row, $0) })
      #expect(!products.dropFirst(shape.columns).contains { $0 != 0 })
    }
  }

  /// Panels of 16 rows, two integers of a row in each element.
  @Test(arguments: FunctionTests.instructionSets, [(1, 1, 1), (2, 3, 9), (5, 1, 192)])
  func everyInstructionSetGivesTheSameProducts(
    _ instructionSet: String, _ shape: (rows: Int, columns: Int, pairs: Int)
  ) throws {
    let loops = try #require(VectorLoops(named: instructionSet))
    var generator = SeededGenerator(seed: 5)
    func panels(_ count: Int) -> [Int32] {
      (0..<count * shape.pairs * 16).map { _ in
        let (low, high) = (Int16(generator.float() * 900), Int16(generator.float() * 900))
        return Int32(high) << 16 | Int32(UInt16(bitPattern: low))
      }
    }
    func integers(_ panels: [Int32], ofRow row: Int) -> [Int16] {
      (0..<shape.pairs).flatMap { pair in
        let both = panels[(row / 16 * shape.pairs + pair) * 16 + row % 16]
        return [Int16(truncatingIfNeeded: both), Int16(truncatingIfNeeded: both >> 16)]
      }
    }
    let left = panels(shape.rows), right = panels(shape.columns)
    let width = 16 * shape.columns
    var found = [Int32](repeating: 7, count: 16 * shape.rows * width)
    found.withUnsafeMutableBufferPointer { output in
      guard let output = output.baseAddress else { return }
      loops.integerProducts(
        left, right, into: output, rowPanels: shape.rows, columnPanels: shape.columns,
        pairs: shape.pairs)
    }
    for row in 0..<16 * shape.rows {
      for column in 0..<width {
        let exact = product(integers(left, ofRow: row), integers(right, ofRow: column))
        #expect(Int(found[row * width + column]) == exact)
      }
    }
    let floors = (0..<width).map { _ in Int32(generator.float() * 1e6) }
    var places = [Int32](repeating: -1, count: width)
    let count = places.withUnsafeMutableBufferPointer { places in
      places.baseAddress.map {
        loops.largePlaces(found, above: 500_000, or: floors, count: width, into: $0)
      } ?? 0
    }
    let large = (0..<width).filter { found[$0] > 500_000 || found[$0] > floors[$0] }
    #expect(places.prefix(count).map(Int.init) == large)
  }

  /// The integers times both scales, one of them 1 and the other a power of two, so that nothing is
  /// rounded.
  @Test(
    .enabled(if: IntegerRows.hasFastBytes, "this processor makes products of 8 bits no faster"),
    arguments: [(1, 1, 1), (16, 16, 4), (17, 40, 3), (50, 33, 384), (64, 15, 77)])
  func productsOfBytesAreScaled(_ shape: (rows: Int, columns: Int, width: Int)) {
    var generator = SeededGenerator(seed: 3)
    func rows(_ count: Int) -> [[Int8]] {
      (0..<count).map { row in
        (0..<shape.width).map { _ in
          row % 5 == 0 ? [-127, 127][Int(generator.next() % 2)] : Int8(generator.float() * 126)
        }
      }
    }
    let left = rows(shape.rows), right = rows(shape.columns)
    func laid(_ rows: [[Int8]], _ scale: (Int) -> Float) -> IntegerRows {
      IntegerRows(scales: rows.indices.map(scale), width: shape.width, jobs: 2) { rows[$0] }
    }
    var tile = IntegerTile()
    tile.multiply(
      laid(left) { $0 % 2 == 0 ? 1 : 8 }, 0..<shape.rows, by: laid(right) { $0 % 3 == 0 ? 1 : 4 },
      0..<shape.columns)
    for (place, row) in left.enumerated() {
      let expected = right.enumerated().map { column, other in
        zip(row, other).reduce(0) { $0 + Int($1.0) * Int($1.1) } * (place % 2 == 0 ? 1 : 8)
          * (column % 3 == 0 ? 1 : 4)
      }
      #expect(tile.products(ofRow: place).prefix(shape.columns).map { Int($0) } == expected)
      #expect(!tile.products(ofRow: place).dropFirst(shape.columns).contains { $0 != 0 })
    }
  }

  /// Off by less than a part of 2⁻²¹ of the sum times both scales, and by the fraction.
  @Test(
    .enabled(if: IntegerRows.hasFastBytes, "this processor makes products of 8 bits no faster"))
  func scaledProductsAreOffByLittle() {
    var generator = SeededGenerator(seed: 8)
    let width = 400
    let rows = (0..<48).map { row in
      (0..<width).map { _ in row < 8 ? Int8(127) : Int8(generator.float() * 127) }
    }
    // The largest product is nearly 2³¹.
    let scales = rows.indices.map { _ in 17 * (1 + generator.float().magnitude / 16) }
    let laid = IntegerRows(scales: scales, width: width, jobs: 1) { rows[$0] }
    var tile = IntegerTile()
    tile.multiply(laid, 0..<48, by: laid, 0..<48)
    for row in rows.indices {
      for (column, found) in tile.products(ofRow: row).enumerated() {
        let sum = zip(rows[row], rows[column]).reduce(0) { $0 + Int($1.0) * Int($1.1) }
        let exact = Double(sum) * Double(scales[row]) * Double(scales[column])
        #expect((exact - Double(found)).magnitude <= exact.magnitude * 0x1p-21 + 1)
      }
    }
  }

  @Test(arguments: FunctionTests.instructionSets, [0, 1, 7, 384, 1001])
  func everyInstructionSetGivesTheSameProduct(_ instructionSet: String, _ width: Int) throws {
    let loops = try #require(VectorLoops(named: instructionSet))
    var generator = SeededGenerator(seed: 4)
    let both = rows(2, width, &generator)
    #expect(
      Int(loops.integerProduct(both[0] + [1], both[1] + [1], count: width))
        == product(both[0], both[1]))
  }

  @Test func aProductIsOfTheRowsAskedFor() {
    var generator = SeededGenerator(seed: 6)
    let left = rows(3, 10, &generator), right = rows(2, 10, &generator)
    let lines = IntegerLines(Array(left.joined()), width: 10)
    let others = IntegerLines(Array(right.joined()), width: 10)
    for (row, other) in [(0, 0), (2, 1), (1, 0)] {
      #expect(Int(lines.product(row, others, other)) == product(left[row], right[other]))
    }
  }

  @Test func theLargestSumsFit() {
    // One number of the whole length, and lengths spread over many.
    let whole: [Int16] = [32000] + Array(repeating: 0, count: 399)
    let spread = [Int16](repeating: 1600, count: 400)
    var tile = IntegerTile()
    let rows = laid([whole, spread, spread.map { -$0 }])
    tile.multiply(rows, 0..<3, by: rows, 0..<3)
    var found: [[Int32]] = [[], [], []]
    let floors = [Int32](repeating: .min, count: 16)
    tile.forEachLarge(above: [.max, .max, .max], or: floors) { found[$0].append($2) }
    #expect(found[0].prefix(3) == [1_024_000_000, 51_200_000, -51_200_000])
    #expect(found[1].prefix(3) == [51_200_000, 1_024_000_000, -1_024_000_000])
  }

  @Test func largeOnesAreAboveEitherFloor() {
    let left = laid([[1], [2]]), right = laid((0..<40).map { [Int16($0)] })
    var tile = IntegerTile()
    tile.multiply(left, 0..<2, by: right, 16..<40)
    var floors = [Int32](repeating: .max, count: 32)
    floors[2] = 17
    floors[3] = 19
    var found: [[Int]] = [[], []]
    tile.forEachLarge(above: [36, 76], or: floors) { row, column, value in
      #expect(Int(value) == (row + 1) * (16 + column))
      found[row].append(column)
    }
    #expect(found == [[2, 21, 22, 23], [2, 3, 23]])
  }

  @Test(arguments: FunctionTests.instructionSets)
  func everyInstructionSetGivesTheSame(_ instructionSet: String) throws {
    let loops = try #require(VectorLoops(named: instructionSet))
    var generator = SeededGenerator(seed: 2)
    let pairs = 5
    let rows = (0..<2 * pairs * 16).map { _ in
      Int32(truncatingIfNeeded: generator.next()) & 0x3FFF_3FFF
    }
    let columns = (0..<pairs * 16).map { _ in
      Int32(truncatingIfNeeded: generator.next()) | ~0x0FFF_0FFF
    }
    var found = [Int32](repeating: 7, count: 32 * 16)
    found.withUnsafeMutableBufferPointer { output in
      guard let output = output.baseAddress else { return }
      loops.integerProducts(
        rows, columns, into: output, rowPanels: 2, columnPanels: 1, pairs: pairs)
    }
    func integers(_ panels: [Int32], _ row: Int) -> [Int16] {
      (0..<pairs).flatMap { pair -> [Int16] in
        let both = panels[row / 16 * pairs * 16 + pair * 16 + row % 16]
        return [Int16(truncatingIfNeeded: both), Int16(truncatingIfNeeded: both >> 16)]
      }
    }
    for row in 0..<32 {
      for column in 0..<16 {
        #expect(
          Int(found[row * 16 + column]) == product(integers(rows, row), integers(columns, column)))
      }
    }
    var places = [Int32](repeating: -1, count: 512)
    let floors = [Int32](repeating: .max, count: 512)
    let floor = found.sorted()[300]
    let count = places.withUnsafeMutableBufferPointer { places in
      places.baseAddress.map {
        loops.largePlaces(found, above: floor, or: floors, count: 512, into: $0)
      }
    }
    let expected = found.indices.filter { found[$0] > floor }.map { Int32($0) }
    #expect(count == expected.count)
    #expect(Array(places.prefix(expected.count)) == expected)
  }
}
