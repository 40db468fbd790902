import Execution
import TestSupport
import Testing

@testable import Calibration

/// Sums over some rows of a matrix, strip by strip.
struct ColumnStripsTests {
  @Test(arguments: [1, 31, 32, 33, 100])
  func sumsAreThoseOfTheMatrix(_ columns: Int) throws {
    var numbers = SeededGenerator(seed: 3)
    let matrix = Matrix(rows: 130, columns: columns)
    for row in 0..<130 { for i in 0..<columns { matrix[row, i] = numbers.float() } }
    let strips = try ColumnStrips(matrix, jobs: 2)
    let order: [Int32] = [129, 0, 64, 7]
    let coefficients: [Float] = [2, -1, 0.5, 3]
    let starts: [Int32] = [0, 4]
    let sum = Matrix(rows: 1, columns: ColumnStrips.width)
    for (strip, range) in Pieces.ranges(columns, size: ColumnStrips.width).enumerated() {
      unsafe VectorSums.strips(
        strips.strip(strip), order, coefficients, starts: starts, count: 1, into: sum.row(0))
      for (place, column) in range.enumerated() {
        let wanted = zip(order, coefficients).reduce(Float(0)) {
          $0 + $1.1 * matrix[Int($1.0), column]
        }
        #expect(sum[0, place] == wanted)
      }
      for place in range.count..<ColumnStrips.width { #expect(sum[0, place] == 0) }
    }
  }

  @Test func aSumOfNoRowsIsZero() throws {
    let strips = try ColumnStrips(Matrix(rows: 2, columns: 3, [1, 2, 3, 4, 5, 6]), jobs: 1)
    let sum = Matrix(rows: 1, columns: ColumnStrips.width)
    for i in 0..<ColumnStrips.width { sum[0, i] = 9 }
    let starts: [Int32] = [0, 0]
    unsafe VectorSums.strips(
      strips.strip(0), [], [], starts: starts, count: 1, into: sum.row(0))
    #expect(sum.values == [Float](repeating: 0, count: ColumnStrips.width))
  }
}
