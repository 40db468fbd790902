import Testing

@testable import WeightCompression

struct Int8LinearTests {
  /// Values of two rows with coremltools' codes and scales, which it computed in fp16. The codes
  /// are the same here; scales differ by their rounding to fp16 (at most 2⁻¹¹ of their size).
  static let golden: [Float] = [
    0.15234375, -0.52001953125, 0.375244140625, 0.47021484375, -0.9755859375, -0.65087890625,
    0.06390380859375, -0.1580810546875, -0.00839996337890625, -0.426513671875, 0.439697265625,
    0.388916015625, 0.03302001953125, 0.5634765625, 0.2337646484375, -0.4296875,
  ]

  @Test func agreesWithCoreMLToolsPerRow() {
    let layout = RunLayout.grouped(shape: [2, 8], axis: 0, size: 1)
    let (codes, scales) = Int8Linear.quantize(Self.golden, layout)
    #expect(codes == [20, -68, 49, 61, -127, -85, 8, -21, -2, -96, 99, 88, 7, 127, 53, -97])
    for (scale, expected) in zip(scales, [0.00768280029296875, 0.004436492919921875] as [Float]) {
      #expect((scale - expected).magnitude <= expected * 0x1p-11)
    }
  }

  @Test func agreesWithCoreMLToolsPerTensor() {
    let (codes, scales) = Int8Linear.quantize(Self.golden, .whole(16))
    #expect(codes == [20, -68, 49, 61, -127, -85, 8, -21, -1, -56, 57, 51, 4, 73, 30, -56])
    #expect(scales == [0.9755859375 / 127])
  }

  @Test(arguments: Samples.allCases)
  func errsByHalfAScaleAtMost(_ samples: Samples) {
    var random = SeededGenerator(seed: 1)
    for count in [1, 15, 16, 17, 300] {
      let values = samples.values(count, &random)
      let (codes, scales) = Int8Linear.quantize(values, .whole(count))
      for (value, code) in zip(values, codes) {
        let error = Double(value) - Double(scales[0]) * Double(code)
        #expect(error.magnitude <= Double(scales[0]) * 0.500_02, "\(value) \(code)")
        #expect(code != -128)
      }
    }
  }

  @Test func roundsTiesToEven() {
    let (codes, _) = Int8Linear.quantize([127, 0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 63.5], .whole(8))
    #expect(codes == [127, 0, 2, 2, 0, -2, -2, 64])
  }

  struct Extreme: CustomTestStringConvertible {
    let values: [Float]
    let scale: Float
    let codes: [Int8]
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
    let (codes, scales) = Int8Linear.quantize(item.values, .whole(item.values.count))
    #expect(scales == [item.scale])
    #expect(codes == item.codes)
  }

  @Test func neverOverflowsWhenMultipliedBack() {
    var value = Self.largest
    for _ in 0..<200 {
      let scale = Int8Linear.scale(largest: value)
      #expect((scale * 127).isFinite)
      #expect((value / scale).rounded() == 127)
      value = value.nextDown
    }
  }

  @Test func scalesExactlyWithPowersOfTwo() {
    var random = SeededGenerator(seed: 3)
    let values = Samples.gaussian.values(100, &random)
    let (codes, scales) = Int8Linear.quantize(values, .whole(100))
    for exponent in [-60, -1, 1, 60] {
      let factor = Float(sign: .plus, exponent: exponent, significand: 1)
      let (scaledCodes, scaledScales) = Int8Linear.quantize(values.map { $0 * factor }, .whole(100))
      #expect(scaledCodes == codes)
      #expect(scaledScales == scales.map { $0 * factor })
    }
  }

  @Test(arguments: [0, 1])
  func permutesWithItsChannels(_ axis: Int) {
    var random = SeededGenerator(seed: 4)
    let values = Samples.heavyTailed.values(7 * 7, &random)
    let order = (0..<7).shuffled(using: &random)
    func place(_ i: Int) -> Int {
      axis == 0 ? order[i / 7] * 7 + i % 7 : i / 7 * 7 + order[i % 7]
    }
    let layout = RunLayout.grouped(shape: [7, 7], axis: axis, size: 1)
    let (codes, scales) = Int8Linear.quantize(values, layout)
    let permuted = Int8Linear.quantize((0..<49).map { values[place($0)] }, layout)
    #expect(permuted.scales == order.map { scales[$0] })
    #expect(permuted.codes == (0..<49).map { codes[place($0)] })
  }

  @Test func takesEmptyTensors() {
    let none = Int8Linear.quantize([], .grouped(shape: [0, 4], axis: 0, size: 1))
    #expect(none.codes.isEmpty && none.scales.isEmpty)
    let hollow = Int8Linear.quantize([], .grouped(shape: [3, 0], axis: 0, size: 1))
    #expect(hollow.codes.isEmpty && hollow.scales == [1, 1, 1])
    #expect(Int8Linear.quantize([], .whole(0)).scales == [1])
    #expect(Int8Linear.quantize([2], .grouped(shape: [], axis: 0, size: 1)).codes == [127])
  }
}
