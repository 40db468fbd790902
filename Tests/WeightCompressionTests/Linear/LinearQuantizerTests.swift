import Graph
import TestSupport
import Testing

@testable import WeightCompression

struct LinearQuantizerTests {
  /// Values of two rows with coremltools' codes and scales, which it computed in fp16. The codes
  /// are the same here; scales differ by their rounding to fp16 (at most 2⁻¹¹ of their size).
  static let golden: [Float] = [
    0.15234375, -0.52001953125, 0.375244140625, 0.47021484375, -0.9755859375, -0.65087890625,
    0.06390380859375, -0.1580810546875, -0.00839996337890625, -0.426513671875, 0.439697265625,
    0.388916015625, 0.03302001953125, 0.5634765625, 0.2337646484375, -0.4296875,
  ]

  private static let int8 = LinearScheme(.int8, granularity: .perTensor)

  /// Symmetric int8 of one group.
  private func int8(_ values: [Float]) -> (codes: [Int], scales: [Float]) {
    let result = LinearQuantizer.quantize(values, .row(values.count), Self.int8, .float32)
    return (result.codes(values.count), result.scales)
  }

  @Test func agreesWithCoreMLToolsPerRow() {
    let result = LinearQuantizer.quantize(
      Self.golden, .matrix([2, 8]), LinearScheme(.int8, granularity: .perChannel), .float32)
    #expect(
      result.codes(16) == [20, -68, 49, 61, -127, -85, 8, -21, -2, -96, 99, 88, 7, 127, 53, -97])
    let expected: [Float] = [0.00768280029296875, 0.004436492919921875]
    for (scale, expected) in zip(result.scales, expected) {
      #expect((scale - expected).magnitude <= expected * 0x1p-11)
    }
  }

  @Test func agreesWithCoreMLToolsPerTensor() {
    let (codes, scales) = int8(Self.golden)
    #expect(codes == [20, -68, 49, 61, -127, -85, 8, -21, -1, -56, 57, 51, 4, 73, 30, -56])
    #expect(scales == [0.9755859375 / 127])
  }

  @Test(arguments: Samples.allCases)
  func errsByHalfAScaleAtMost(_ samples: Samples) {
    var random = SeededGenerator(seed: 1)
    for count in [1, 15, 16, 17, 300] {
      let values = samples.values(count, &random)
      let (codes, scales) = int8(values)
      for (value, code) in zip(values, codes) {
        let error = Double(value) - Double(scales[0]) * Double(code)
        #expect(error.magnitude <= Double(scales[0]) * 0.500_02, "\(value) \(code)")
        #expect(code != -128)
      }
    }
  }

  @Test func roundsTiesToEven() {
    let (codes, _) = int8([127, 0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 63.5])
    #expect(codes == [127, 0, 2, 2, 0, -2, -2, 64])
  }

  struct Extreme: CustomTestStringConvertible {
    let values: [Float]
    let scale: Float
    let codes: [Int]
    var testDescription: String { "\(values)" }
  }

  static let tiny = Float.leastNonzeroMagnitude
  static let largest = Float.greatestFiniteMagnitude
  static let extremes = [
    Extreme(values: [0, -0.0, 0], scale: 1, codes: [0, 0, 0]),
    Extreme(values: [-3, -3], scale: 3 / 127, codes: [-127, -127]),
    Extreme(values: [tiny, -tiny], scale: tiny, codes: [1, -1]),
    Extreme(values: [63 * tiny, tiny], scale: tiny, codes: [63, 1]),
    // 190 / 127 rounds to 1, and 127 steps of 1 would not reach 190.
    Extreme(values: [190 * tiny, -95 * tiny], scale: 2 * tiny, codes: [95, -48]),
    Extreme(values: [65504, -65504, 0], scale: 65504 / 127, codes: [127, -127, 0]),
    Extreme(values: [3e38, -3e38, 1e38], scale: 3e38 / 127, codes: [127, -127, 42]),
  ]

  @Test(arguments: extremes)
  func standsExtremes(_ item: Extreme) {
    let (codes, scales) = int8(item.values)
    #expect(scales == [item.scale])
    #expect(codes == item.codes)
  }

  @Test func neverOverflowsWhenMultipliedBack() {
    var value = Self.largest
    for _ in 0..<200 {
      let scale = LinearStep.scale(largest: value, limit: 127, .float32)
      #expect((scale * 127).isFinite)
      #expect((value / scale).rounded() == 127)
      value = value.nextDown
    }
  }

  @Test func takesEmptyTensors() {
    func quantize(_ values: [Float], _ shape: [Int]) -> LinearCodes {
      LinearQuantizer.quantize(
        values, .matrix(shape), LinearScheme(.int8, granularity: .perChannel), .float32)
    }
    #expect(quantize([], [0, 4]).packed.isEmpty && quantize([], [0, 4]).scales.isEmpty)
    #expect(quantize([], [3, 0]).packed.isEmpty && quantize([], [3, 0]).scales == [1, 1, 1])
    #expect(int8([]).scales == [1])
    #expect(quantize([2], []).codes(1) == [127])
  }
}
