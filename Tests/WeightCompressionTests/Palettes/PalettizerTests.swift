import Graph
import TestSupport
import Testing

@testable import WeightCompression

struct PalettizerTests {
  /// Indices and tables of one group, or of groups of channels.
  private func palettize(
    _ values: [Float], _ shape: [Int], axis: Int = 0, size: Int? = nil, bits: Int
  ) -> PaletteCodes {
    Palettizer.palettize(
      values, .matrix(shape, outputAxis: axis),
      PaletteScheme(bits: bits, granularity: size.map { .perGroup(size: $0) } ?? .perTensor),
      .float32, jobs: 1)
  }

  @Test(arguments: PaletteScheme.knownBits)
  func isTheBestPaletteOfEachGroup(_ bits: Int) throws {
    var random = SeededGenerator(seed: 61)
    let values = Samples.gaussian.values(8 * 60, &random)
    for (axis, size) in [(0, 2), (0, 8), (1, 15)] {
      let result = palettize(values, [8, 60], axis: axis, size: size, bits: bits)
      let groups = [8, 60][axis] / size
      #expect(result.palettes.count == groups << bits)
      var minimum = 0.0
      for group in 0..<groups {
        let members = values.indices.filter { i in
          (axis == 0 ? i / 60 : i % 60) / size == group
        }.map { values[$0] }
        let sorted = SortedValues(sorting: members)
        if members.count > 1 << bits { minimum += referenceCost(sorted, parts: 1 << bits) }
      }
      let decoded = try CompressedTensor(
        .matrix([8, 60], outputAxis: axis), .palette(result), relativeError: 0
      ).dequantized()
      let error = squaredError(values, decoded)
      #expect((error - minimum).magnitude <= 1e-6 * minimum, "axis \(axis) size \(size)")
    }
  }

  @Test func repeatsTheLastEntry() {
    let result = palettize([3, -1, 3, 0.5], [4], bits: 3)
    #expect(result.palettes == [-1, 0.5, 3, 3, 3, 3, 3, 3])
    #expect(result.indices == BitPacking.pack([2, 0, 2, 1], bits: 3))
  }

  @Test func anEmptyGroupHasAPaletteOfZeros() {
    let result = palettize([], [1, 0], bits: 1)
    #expect(result.indices.isEmpty)
    #expect(result.palettes == [0, 0])
    let none = palettize([], [0, 4], size: 2, bits: 1)
    #expect(none.palettes.isEmpty)
  }

  @Test(arguments: [1, 4, 8])
  func scalesExactlyWithPowersOfTwo(_ bits: Int) {
    var random = SeededGenerator(seed: 62)
    let values = Samples.heavyTailed.values(2000, &random)
    let result = palettize(values, [2000], bits: bits)
    for exponent in [-40, -1, 1, 40] {
      let factor = Float(sign: .plus, exponent: exponent, significand: 1)
      let scaled = palettize(values.map { $0 * factor }, [2000], bits: bits)
      #expect(scaled.indices == result.indices)
      #expect(scaled.palettes == result.palettes.map { $0 * factor })
    }
  }

  @Test func doesNotDependOnTheOrderOfValues() {
    var random = SeededGenerator(seed: 63)
    let values = Samples.gaussian.values(1000, &random)
    let order = (0..<1000).shuffled(using: &random)
    let result = palettize(values, [1000], bits: 4)
    let shuffled = palettize(order.map { values[$0] }, [1000], bits: 4)
    let indices = BitPacking.unpack(result.indices, bits: 4, count: 1000)
    #expect(shuffled.palettes == result.palettes)
    #expect(shuffled.indices == BitPacking.pack(order.map { indices[$0] }, bits: 4))
  }
}
