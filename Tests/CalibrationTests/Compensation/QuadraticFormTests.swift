import TestSupport
import Testing

@testable import Calibration

@Suite struct QuadraticFormTests {
  @Test func findsTheLowestPoint() {
    var form = QuadraticForm(count: 2)
    form.matrix = [2, 1, 1, 3]
    form.slope = [-5, -10]
    let step = form.bestStep()
    #expect(abs(step[0] - 1) < 1e-6 && abs(step[1] - 3) < 1e-6)
    #expect(abs(form.change(step) + 35) < 1e-6)
  }

  @Test func parametersThatDoNotMatterStay() {
    var form = QuadraticForm(count: 3)
    form.matrix = [4, 0, 0, 0, 0, 0, 0, 0, 1]
    form.slope = [-8, 0, 2]
    let step = form.bestStep()
    #expect(abs(step[0] - 2) < 1e-6 && step[1] == 0 && abs(step[2] + 2) < 1e-6)
    #expect(QuadraticForm(count: 2).bestStep() == [0, 0])
  }

  @Test(arguments: 0..<10)
  func noOtherStepIsLower(_ seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    var form = QuadraticForm(count: 5)
    for _ in 0..<3 {
      // Of rank 3, with a slope that the matrix can bring to zero.
      let row = generator.normals(5).map { Double($0) }
      let share = Double(generator.normal())
      for i in 0..<5 {
        form.slope[i] += share * row[i]
        for j in 0..<5 { form.matrix[i * 5 + j] += row[i] * row[j] }
      }
    }
    let step = form.bestStep()
    let best = form.change(step)
    for _ in 0..<50 {
      let other = step.map { $0 + 0.1 * Double(generator.normal()) }
      #expect(form.change(other) >= best - 1e-6)
    }
  }

  /// The four columns stand side by side; three of them belong to one row.
  @Test func sumsRows() {
    var form = QuadraticForm(count: 2)
    let numbers: [Float] = [
      1, 9, 5, 7,
      2, 9, 6, 8,
    ]
    numbers.withUnsafeBufferPointer { numbers in
      if let base = numbers.baseAddress {
        form.add(base, 4, SIMD4(1, 0, 1, 1), SIMD4(3, 2, 0, 1))
      }
    }
    #expect(form.matrix == [18, 18, 10, 14])
    form.add(form)
    #expect(form.matrix == [36, 36, 20, 28])
  }
}
