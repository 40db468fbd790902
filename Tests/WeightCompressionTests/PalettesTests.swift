import Testing

@testable import WeightCompression

struct PalettesTests {
  /// Values that packed indices and palettes stand for.
  private func decoded(
    _ result: (indices: [UInt8], palettes: [Float]), _ layout: RunLayout, bits: Int
  ) -> [Float] {
    let indices = BitPacking.unpack(result.indices, bits: bits, count: layout.elementCount)
    return (0..<layout.elementCount).map { i in
      let group = layout.groups == 1 ? 0 : i / layout.runLength % layout.groups
      return result.palettes[group << bits + Int(indices[i])]
    }
  }

  private func squaredError(_ values: [Float], _ others: [Float]) -> Double {
    zip(values, others).reduce(0) { sum, pair in
      let error = Double(pair.0) - Double(pair.1)
      return sum + error * error
    }
  }

  @Test(arguments: Scheme.paletteBits)
  func isTheBestPaletteOfEachGroup(_ bits: Int) {
    var random = SeededGenerator(seed: 61)
    let values = Samples.gaussian.values(8 * 60, &random)
    for (axis, size) in [(0, 2), (0, 8), (1, 15)] {
      let layout = RunLayout.grouped(shape: [8, 60], axis: axis, size: size)
      let result = Palettes.palettize(values, layout, bits: bits, jobs: 1)
      #expect(result.palettes.count == layout.groups << bits)
      var least = 0.0
      for group in 0..<layout.groups {
        let members = values.indices.filter { i in
          (axis == 0 ? i / 60 : i % 60) / size == group
        }.map { values[$0] }
        let sorted = SortedValues(sorting: members)
        if members.count > 1 << bits { least += referenceCost(sorted, parts: 1 << bits) }
      }
      let error = squaredError(values, decoded(result, layout, bits: bits))
      #expect((error - least).magnitude <= 1e-6 * least, "axis \(axis) size \(size)")
    }
  }

  @Test func repeatsTheLastEntry() {
    let result = Palettes.palettize([3, -1, 3, 0.5], .whole(4), bits: 3, jobs: 1)
    #expect(result.palettes == [-1, 0.5, 3, 3, 3, 3, 3, 3])
    #expect(result.indices == BitPacking.pack([2, 0, 2, 1], bits: 3))
  }

  @Test func anEmptyGroupHasAPaletteOfZeros() {
    let result = Palettes.palettize([], .whole(0), bits: 1, jobs: 1)
    #expect(result.indices.isEmpty)
    #expect(result.palettes == [0, 0])
    let none = Palettes.palettize([], .grouped(shape: [0, 4], axis: 0, size: 2), bits: 1, jobs: 1)
    #expect(none.palettes.isEmpty)
  }

  @Test(arguments: [1, 4, 8])
  func scalesExactlyWithPowersOfTwo(_ bits: Int) {
    var random = SeededGenerator(seed: 62)
    let values = Samples.heavyTailed.values(2000, &random)
    let result = Palettes.palettize(values, .whole(2000), bits: bits, jobs: 1)
    for exponent in [-40, -1, 1, 40] {
      let factor = Float(sign: .plus, exponent: exponent, significand: 1)
      let scaled = Palettes.palettize(
        values.map { $0 * factor }, .whole(2000), bits: bits, jobs: 1)
      #expect(scaled.indices == result.indices)
      #expect(scaled.palettes == result.palettes.map { $0 * factor })
    }
  }

  @Test func doesNotDependOnTheOrderOfValues() {
    var random = SeededGenerator(seed: 63)
    let values = Samples.gaussian.values(1000, &random)
    let order = (0..<1000).shuffled(using: &random)
    let result = Palettes.palettize(values, .whole(1000), bits: 4, jobs: 1)
    let shuffled = Palettes.palettize(order.map { values[$0] }, .whole(1000), bits: 4, jobs: 1)
    let indices = BitPacking.unpack(result.indices, bits: 4, count: 1000)
    #expect(shuffled.palettes == result.palettes)
    #expect(shuffled.indices == BitPacking.pack(order.map { indices[$0] }, bits: 4))
  }
}
