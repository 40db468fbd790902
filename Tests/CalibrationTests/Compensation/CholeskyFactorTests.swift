import TestSupport
import Testing

@testable import Calibration

@Suite struct CholeskyFactorTests {
  @Test func factorsByHand() throws {
    let matrix = Matrix(rows: 3, columns: 3, [4, 12, -16, 12, 37, -43, -16, -43, 98])
    let factor = try #require(try CholeskyFactor(matrix, jobs: 1))
    let lower = (0..<3).map { i in (0...i).map { factor.lower[i, $0] } }
    #expect(lower == [[2], [6, 1], [-8, 5, 3]])
  }

  @Test(arguments: [[1, 2, 2, 1], [0, 0, 0, 1], [.nan, 0, 0, 1], [1, 0, 0, -1]] as [[Float]])
  func refusesWhatIsNotPositiveDefinite(_ values: [Float]) throws {
    #expect(try CholeskyFactor(Matrix(rows: 2, columns: 2, values), jobs: 1) == nil)
  }

  @Test(arguments: [1, 2, 127, 128, 129, 300, 520])
  func factorsAndSolves(_ size: Int) throws {
    var generator = SeededGenerator(seed: UInt64(size))
    let matrix = positiveDefinite(size, &generator)
    let factor = try #require(try CholeskyFactor(Matrix(copying: matrix), jobs: 2))
    for i in stride(from: 0, to: size, by: 7) {
      for j in stride(from: 0, through: i, by: 5) {
        var sum = 0.0
        for k in 0...j { sum += Double(factor.lower[i, k]) * Double(factor.lower[j, k]) }
        #expect(abs(sum - Double(matrix[i, j])) < 1e-4 * Double(size).squareRoot())
      }
    }
    let wanted = Matrix(rows: 5, columns: size, generator.normals(5 * size))
    let solution = Matrix(copying: wanted)
    try factor.solve(solution, 1..<4)
    for row in 0..<5 {
      guard (1..<4).contains(row) else {
        #expect((0..<size).allSatisfy { solution[row, $0] == wanted[row, $0] })
        continue
      }
      for j in stride(from: 0, to: size, by: 3) {
        var sum = 0.0
        for k in 0..<size { sum += Double(solution[row, k]) * Double(matrix[k, j]) }
        #expect(abs(sum - Double(wanted[row, j])) < 2e-3, "\(row), \(j)")
      }
    }
  }

  @Test func doesNotDependOnThreads() throws {
    var generator = SeededGenerator(seed: 1)
    let matrix = positiveDefinite(700, &generator)
    let one = try #require(try CholeskyFactor(Matrix(copying: matrix), jobs: 1))
    let four = try #require(try CholeskyFactor(Matrix(copying: matrix), jobs: 4))
    #expect(one.lower.values == four.lower.values)
  }

  private func positiveDefinite(_ size: Int, _ generator: inout SeededGenerator) -> Matrix {
    let root = generator.normals(size * (size + 3))
    let matrix = Matrix(rows: size, columns: size)
    for i in 0..<size {
      for j in 0...i {
        var sum: Float = 0
        for k in 0..<size + 3 { sum += root[i * (size + 3) + k] * root[j * (size + 3) + k] }
        matrix[i, j] = sum / Float(size)
        matrix[j, i] = sum / Float(size)
      }
      matrix[i, i] += 0.1
    }
    return matrix
  }
}
