import Testing

@testable import WeightCompression

struct MaskPatternTests {
  struct Case: CustomTestStringConvertible {
    let name: String
    let shape: [Int]
    let values: [Float]
    var expected: MaskPattern?
    var testDescription: String { name }
  }

  private static func causal(_ side: Int, _ hidden: Float, shown: Float = 0) -> [Float] {
    (0..<side * side).map { $0 % side > $0 / side ? hidden : shown }
  }

  private static let low = -Float.greatestFiniteMagnitude

  static let cases = [
    Case(
      name: "minus infinity", shape: [3, 3], values: causal(3, -.infinity),
      expected: MaskPattern(hidden: -.infinity, count: 3, isCausal: true)),
    Case(
      name: "the least float", shape: [1, 1, 3, 3], values: causal(3, low),
      expected: MaskPattern(hidden: low, count: 3, isCausal: true)),
    Case(
      name: "-10000", shape: [3, 3], values: causal(3, -1e4),
      expected: MaskPattern(hidden: -1e4, count: 3, isCausal: true)),
    Case(name: "not low enough", shape: [3, 3], values: causal(3, (-1e4 as Float).nextUp)),
    Case(
      name: "two masks", shape: [2, 2, 2], values: causal(2, -1e9) + causal(2, -1e9),
      expected: MaskPattern(hidden: -1e9, count: 2, isCausal: true)),
    Case(
      name: "windows", shape: [2, 2], values: [0, -1e4, -1e4, 0],
      expected: MaskPattern(hidden: -1e4, count: 2, isCausal: false)),
    Case(
      name: "hidden first", shape: [2, 2], values: [-1e4, 0, 0, 0],
      expected: MaskPattern(hidden: -1e4, count: 1, isCausal: false)),
    Case(
      name: "ones and zeros", shape: [1, 1, 4, 4], values: causal(4, 0, shown: 1),
      expected: MaskPattern(hidden: 0, count: 6, isCausal: true)),
    Case(name: "too few ones", shape: [3, 3], values: causal(3, 0, shown: 1)),
    Case(name: "the identity", shape: [4, 4], values: (0..<16).map { $0 % 5 == 0 ? 1 : 0 }),
    Case(name: "not square", shape: [2, 8], values: causal(4, -1e4)),
    Case(name: "one axis", shape: [4], values: [0, -1e4, 0, 0]),
    Case(name: "plus infinity", shape: [2, 2], values: [0, .infinity, 0, 0]),
    Case(name: "NaN beside", shape: [2, 2], values: [0, -.infinity, .nan, 0]),
    Case(name: "NaN first", shape: [2, 2], values: [.nan, -.infinity, 0, 0]),
    Case(name: "two depths", shape: [2, 2], values: [0, -.infinity, -1e4, 0]),
    Case(name: "zeros", shape: [2, 2], values: [0, 0, 0, 0]),
    Case(name: "ones", shape: [4, 4], values: [Float](repeating: 1, count: 16)),
    Case(name: "one number", shape: [1, 1], values: [-.infinity]),
    Case(name: "nothing", shape: [0, 0], values: []),
    Case(name: "a scalar", shape: [], values: [-.infinity]),
  ]

  @Test(arguments: cases)
  func readsMasksOnly(_ test: Case) {
    #expect(MaskPattern.found(in: test.values, shape: test.shape) == test.expected)
  }
}
