import Graph
import TestSupport
import Testing

@testable import WeightCompression

struct IntegerEntriesTests {
  /// Least squared error of palettes of multiples of a scale, by trying each set of levels.
  private func minCost(_ values: [Float], entries: Int, scale: Float) -> Double {
    let low = Int(((values.min() ?? 0) / scale).rounded(.down))
    let high = Int(((values.max() ?? 0) / scale).rounded(.up))
    var minimum = Double.infinity
    func choose(_ chosen: [Int], from level: Int) {
      if chosen.count == entries || level > high {
        guard !chosen.isEmpty else { return }
        let sum = values.reduce(0) { sum, value in
          let errors = chosen.map { (Double(value) - Double(scale) * Double($0)).magnitude }
          let error = errors.min() ?? 0
          return sum + error * error
        }
        minimum = min(minimum, sum)
        return
      }
      choose(chosen + [level], from: level + 1)
      choose(chosen, from: level + 1)
    }
    choose([], from: low)
    return minimum
  }

  @Test(arguments: [Samples.gaussian, .heavyTailed, .uniform, .clustered, .integers, .bimodal])
  func levelsAreTheBest(_ samples: Samples) {
    var random = SeededGenerator(seed: 151)
    for _ in 0..<6 {
      let values = samples.values(25, &random)
      let sorted = SortedValues(sorting: values)
      let range = sorted.values[24] - sorted.values[0]
      let scale =
        max(range, values.map(\.magnitude).max() ?? 1) / Float.random(in: 3...8, using: &random)
      for entries in [2, 3, 4] {
        let found = LevelSelection(sorted, entries: entries, scale: scale)
        let minimum = minCost(values, entries: entries, scale: scale)
        #expect((found.error - minimum).magnitude <= 1e-9 * minimum + 1e-12)
        #expect(found.codes == found.codes.sorted() && found.codes.count <= entries)
      }
    }
  }

  @Test(arguments: Samples.allCases, [1, 2, 4, 6, 8])
  func eachValueTakesTheNearestStoredEntry(_ samples: Samples, _ bits: Int) throws {
    var random = SeededGenerator(seed: 152)
    let values = samples.values(12 * 30, &random).map { min(max($0, -65000), 65000) }
    for (granularity, floats) in [
      (PaletteScheme.Granularity.perTensor, FloatType.float16), (.perGroup(size: 4), .float32),
    ] {
      let reference = WeightReference.matrix([12, 30])
      let scheme = PaletteScheme(bits: bits, granularity: granularity, entries: .int8)
      let codes = Palettizer.palettize(values, reference, scheme, floats, jobs: 1)
      guard case .int8(let entries, let scale) = codes.entries else {
        Issue.record("not integers")
        return
      }
      #expect(scale > 0 && floats.rounded(scale) == scale && !entries.contains(-128))
      let table = codes.floats(floats)
      #expect(table.allSatisfy { $0.isFinite })
      let tensor = try CompressedTensor(
        reference, .palette(codes), floats: floats, relativeError: 0)
      let size = 1 << bits
      for (index, (value, other)) in zip(values, tensor.dequantized()).enumerated() {
        let start = granularity == .perTensor ? 0 : index / 120 * size
        let nearest = table[start..<start + size].map { (Double($0) - Double(value)).magnitude }
          .min()
        #expect((Double(other) - Double(value)).magnitude == nearest)
      }
      #expect(codes == Palettizer.palettize(values, reference, scheme, floats, jobs: 8))
    }
  }

  /// One huge value must not take the steps from all others.
  @Test func clipsAnOutlierThatCostsMore() throws {
    var random = SeededGenerator(seed: 153)
    let values = Samples.gaussian.values(20_000, &random) + [60]
    let reference = WeightReference.row(20_001)
    func error(_ entries: PaletteScheme.Entries) throws -> Double {
      let codes = Palettizer.palettize(
        values, reference, PaletteScheme(bits: 6, granularity: .perTensor, entries: entries),
        .float16, jobs: 1)
      let tensor = try CompressedTensor(
        reference, .palette(codes), floats: .float16, relativeError: 0)
      return squaredError(values, tensor.dequantized())
    }
    // Rounding entries to 60 / 127 would cost 60² / 127² / 12 for each of 20 000 values, 372 in all;
    // with 0.43 instead 308, and (60 − 127 · 0.43)² = 29 for the outlier.
    #expect(try error(.int8) < 360)
    #expect(try error(.floats) < error(.int8))
  }

  @Test func fewIntegersAreLossless() throws {
    let values = (0..<100).map { Float($0 % 5 - 2) * 0.25 }
    let codes = Palettizer.palettize(
      values, .row(100), PaletteScheme(bits: 3, granularity: .perTensor, entries: .int8),
      .float16, jobs: 1)
    let tensor = try CompressedTensor(
      .row(100), .palette(codes), floats: .float16, madeFrom: values)
    #expect(tensor.relativeError < 1e-3)
  }

  @Test func standsEdges() throws {
    let cases: [[Float]] = [
      [0, 0], [5], [-5], [65504, -65504], [0x1p-24, 0], [3, 3, 3], [],
    ]
    for values in cases {
      for width in [1, 2] where values.count % width == 0 {
        let scheme = PaletteScheme(
          bits: 2, granularity: .perTensor, width: width, entries: .int8)
        let reference = WeightReference.row(values.count)
        let codes = Palettizer.palettize(values, reference, scheme, .float16, jobs: 1)
        let tensor = try CompressedTensor(
          reference, .palette(codes), floats: .float16, madeFrom: values)
        #expect(tensor.relativeError < 0.01, "\(values)")
      }
    }
  }
}
