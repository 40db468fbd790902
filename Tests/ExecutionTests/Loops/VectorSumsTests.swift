import TestSupport
import Testing

@testable import Execution

/// Sums of rows: bit for bit what one product and one sum after another give.
struct VectorSumsTests {
  @Test(arguments: FunctionTests.instructionSets, [1, 2, 31, 300])
  func everyInstructionSetGivesTheSameSums(_ instructionSet: String, _ rows: Int) throws {
    let loops = try #require(VectorLoops(named: instructionSet))
    var generator = SeededGenerator(seed: UInt64(rows))
    let width = VectorSums.stripWidth
    let strip = generator.floats(rows * width), factors = generator.floats(rows)
    let order = (0..<Int32(rows)).shuffled(using: &generator)
    // One run is empty.
    let starts = [0, Int32(rows / 3), Int32(rows / 3), Int32(rows)]
    var expected = [Float](repeating: 0, count: 3 * width)
    for run in 0..<3 {
      for place in Int(starts[run])..<Int(starts[run + 1]) {
        for i in 0..<width {
          let product = factors[place] * strip[Int(order[place]) * width + i]
          expected[run * width + i] += product
        }
      }
    }
    var sums = [Float](repeating: 7, count: 3 * width)
    sums.withUnsafeMutableBufferPointer { sums in
      guard let sums = sums.baseAddress else { return }
      loops.stripSums(strip, order, factors, starts: starts, count: 3, into: sums)
    }
    #expect(sums.map(\.bitPattern) == expected.map(\.bitPattern))
  }

  @Test(arguments: FunctionTests.instructionSets, LoopTests.widths)
  func everyInstructionSetAddsTheSame(_ instructionSet: String, _ width: Int) throws {
    let loops = try #require(VectorLoops(named: instructionSet))
    var generator = SeededGenerator(seed: UInt64(width))
    let x = generator.floats(width), before = generator.floats(width + 1)
    let factor: Float = 0.3
    var y = before
    y.withUnsafeMutableBufferPointer { y in
      guard let y = y.baseAddress else { return }
      loops.add(factor, times: x, to: y, count: width)
    }
    // The number behind the last stays as it is.
    let expected = before.indices.map { place in
      guard place < width else { return before[place] }
      let product = factor * x[place]
      return before[place] + product
    }
    #expect(y.map(\.bitPattern) == expected.map(\.bitPattern))
  }
}
