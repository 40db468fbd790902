import Graph
import ModelFixtures
import Testing

@testable import Execution

/// NaN and infinities come through every operation that reads them.
struct NonFiniteTests {
  private static func run(
    _ types: [[Int]], _ values: [[Float]], _ operation: ([Operand]) -> any Operation
  ) throws -> [Float] {
    let graph = try graph(of: types.map { ValueType(.float32, $0) }, operation)
    let named = values.enumerated().map { ("x\($0.offset)", InputValues.floats($0.element)) }
    return try Executor(weights: MemoryWeights(), jobs: 1).run(
      graph, inputs: Dictionary(uniqueKeysWithValues: named))
  }

  @Test(arguments: Reduce.Kind.allCases, 0..<5)
  func reductionsKeepNaNWhereverItStands(_ kind: Reduce.Kind, _ place: Int) throws {
    var values: [Float] = [1, 2, 3, 4, 5]
    values[place] = .nan
    let alongRows = try Self.run([[1, 5]], [values]) {
      Reduce(kind, $0[0], axis: 1, keepsAxis: false)
    }
    let alongColumns = try Self.run([[5, 1]], [values]) {
      Reduce(kind, $0[0], axis: 0, keepsAxis: false)
    }
    #expect(difference(alongRows + alongColumns, [.nan, .nan]) == 0)
  }

  /// Numbers behind a NaN do not hide it.
  @Test(
    arguments: [
      ([3, -7, 2], 7), ([.nan, 1, 2], .nan), ([1, .nan, 2], .nan), ([1, .infinity, -.nan], .nan),
      ([1, -.infinity, 2], .infinity), ([-0.0], 0),
    ] as [([Float], Float)])
  func magnitudesKeepNaN(_ values: [Float], _ largest: Float) throws {
    let graph = try graph(of: [ValueType(.float32, [values.count])]) {
      ElementwiseBinary(.mul, $0[0], .literal(.float(1)))
    }
    let found = try Executor(weights: MemoryWeights(), jobs: 1)
      .magnitudes(graph, inputs: ["x0": .floats(values)])
    let magnitude = try #require(found[graph.output])
    #expect(difference([magnitude], [largest]) == 0)
  }

  @Test func greatestOfInfinitiesIsInfinite() throws {
    let found = try Self.run([[2, 2]], [[-.infinity, -.infinity, 3, .infinity]]) {
      Reduce(.max, $0[0], axis: 1, keepsAxis: false)
    }
    #expect(found == [-.infinity, .infinity])
  }

  @Test(arguments: ElementwiseBinary.Kind.allCases)
  func bothSidesOfAPairKeepNaN(_ kind: ElementwiseBinary.Kind) throws {
    let x: [Float] = [.nan, 1, .nan], y: [Float] = [1, .nan, .nan]
    let found = try Self.run([[3], [3]], [x, y]) { ElementwiseBinary(kind, $0[0], $0[1]) }
    #expect(!found.contains { !$0.isNaN })
  }

  @Test(arguments: [0, 3, 15, 16, 19], [Float.nan, .infinity])
  func softmaxAndNormOfARowWithOneAreNaN(_ place: Int, _ value: Float) throws {
    var row = [Float](repeating: 1, count: 20)
    row[place] = value
    let softmax = try Self.run([[1, 20]], [row]) { Softmax($0[0]) }
    // Beside an infinity the others are 0; itself it is ∞ / ∞.
    #expect(softmax[place].isNaN)
    let ones = [Float](repeating: 1, count: 20)
    let norm = try Self.run([[1, 20], [20], [20]], [row, ones, ones]) {
      LayerNorm($0[0], gamma: $0[1], beta: $0[2], epsilon: 1e-5)
    }
    #expect(norm[place].isNaN)
    #expect(!norm.contains { !$0.isNaN })
  }

  @Test(arguments: [Float.nan, .infinity])
  func attentionKeepsWhatItReads(_ value: Float) throws {
    let shape = [1, 1, 20, 5]
    for operand in 0..<3 {
      var values = (0..<3).map { _ in [Float](repeating: 0.5, count: 100) }
      values[operand][13] = value
      let found = try Self.run([shape, shape, shape, [1]], values + [[0]]) {
        ScaledDotProductAttention(query: $0[0], key: $0[1], value: $0[2], mask: $0[3])
      }
      #expect(found.contains { !$0.isFinite }, "operand \(operand)")
    }
  }

  @Test func rowsThatAreMaskedWholeAreNaN() throws {
    let shape = [1, 1, 2, 3], ones = [Float](repeating: 1, count: 6)
    let found = try Self.run(
      [shape, shape, shape, [2, 2]], [ones, ones, ones, [-.infinity, -.infinity, 0, 0]]
    ) {
      ScaledDotProductAttention(query: $0[0], key: $0[1], value: $0[2], mask: $0[3])
    }
    #expect(difference(found, [.nan, .nan, .nan, 1, 1, 1]) == 0)
  }

  @Test func productsKeepNaNAndInfinity() throws {
    let found = try Self.run([[3, 2], [1, 2]], [[.nan, 0, .infinity, 0, 1, 1], [1, 1]]) {
      Linear($0[0], weight: $0[1], bias: nil)
    }
    #expect(difference(found, [.nan, .infinity, 2]) == 0)
  }
}
