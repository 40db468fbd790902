import Graph
import Testing

@testable import WeightCompression

struct ErrorCurveTests {
  private static let granularities: [PaletteScheme.Granularity] = [
    .perTensor, .perGroup(size: 3),
  ]

  /// The curve says what palettes of each width really lose.
  @Test(arguments: Samples.allCases, granularities)
  func isTheErrorOfEachWidth(
    _ samples: Samples, _ granularity: PaletteScheme.Granularity
  ) throws {
    var random = SeededGenerator(seed: 131)
    for columns in [5, 60, 400] {
      let values = samples.values(6 * columns, &random)
      let reference = WeightReference.matrix([6, columns])
      let importance = Importance(
        inputs: (0..<columns).map { _ in Float.random(in: 0.1...2, using: &random) })
      let weights = values.indices.map { importance.inputs?[$0 % columns] ?? 1 }
      for isWeighted in [false, true] {
        let curve = ErrorCurve(
          values, reference, granularity, importance: isWeighted ? importance : nil, jobs: 2)
        for bits in PaletteScheme.knownBits {
          let codes = Palettizer.palettize(
            values, reference, PaletteScheme(bits: bits, granularity: granularity), .float32,
            importance: isWeighted ? importance : nil, jobs: 1)
          let made = try CompressedTensor(reference, .palette(codes), relativeError: 0)
          let error = squaredError(
            values, made.dequantized(), weights: isWeighted ? weights : nil)
          let squares = squaredError(
            values, values.map { _ in 0 }, weights: isWeighted ? weights : nil)
          // Entries are rounded to Float, sums of squares to Double.
          let rounding = squares * 0x1p-40 + 1e-5 * error + 0x1p-290
          let least = curve.squaredError(bits: bits)
          #expect(samples == .subnormal || (error - least).magnitude <= rounding, "\(bits)")
        }
      }
    }
  }

  @Test(arguments: Samples.allCases)
  func neverRises(_ samples: Samples) {
    var random = SeededGenerator(seed: 132)
    let values = samples.values(6 * 700, &random)
    let reference = WeightReference.matrix([6, 700])
    let coarse = ErrorCurve(values, reference, .perTensor, jobs: 1).squaredErrors
    let fine = ErrorCurve(values, reference, .perGroup(size: 2), jobs: 1).squaredErrors
    let finest = ErrorCurve(values, reference, .perGroup(size: 1), jobs: 1).squaredErrors
    for errors in [coarse, fine, finest] {
      #expect(zip(errors, errors.dropFirst()).allSatisfy { $0 >= $1 * (1 - 1e-9) })
    }
    // Each group's own palette is as good as one for all, or better.
    let squares = values.reduce(0) { $0 + Double($1) * Double($1) }
    for (one, other) in zip(coarse + fine, fine + finest) {
      #expect(other <= one * (1 + 1e-9) + squares * 0x1p-44)
    }
  }

  /// One programme of many layers and a search for each width agree.
  @Test(arguments: Samples.allCases)
  func bothWaysAgree(_ samples: Samples) {
    var random = SeededGenerator(seed: 133)
    let sorted = SortedValues(sorting: samples.values(500, &random))
    let distinct = distinctCount(sorted)
    let entries = [1, 2, 3, 7, 16, 64, 255, 256]
    let squares = (0..<500).reduce(0) { $0 + sorted.centred($1) * sorted.centred($1) }
    for (entries, error) in zip(entries, ErrorCurve.leastErrors(sorted, entries: entries)) {
      let cuts = ScalarClustering.cuts(sorted, entries: entries)
      let expected = entries >= distinct ? 0 : CutDescent.cost(sorted, cuts)
      #expect((error - expected).magnitude <= 1e-10 * expected + squares * 0x1p-44)
    }
  }

  @Test func scalesWithTheSquareOfTheValues() {
    var random = SeededGenerator(seed: 134)
    let values = Samples.heavyTailed.values(900, &random)
    let curve = ErrorCurve(values, .row(900), .perTensor, jobs: 1)
    for exponent in [-30, 5, 40] {
      let factor = Float(sign: .plus, exponent: exponent, significand: 1)
      let scaled = ErrorCurve(values.map { $0 * factor }, .row(900), .perTensor, jobs: 1)
      let square = Double(factor) * Double(factor)
      #expect(scaled.squaredErrors == curve.squaredErrors.map { $0 * square })
    }
  }

  @Test func standsEdges() {
    let none = [Double](repeating: 0, count: 6)
    #expect(ErrorCurve([], .matrix([0, 4]), .perGroup(size: 1), jobs: 1).squaredErrors == none)
    #expect(ErrorCurve([], .matrix([4, 0]), .perTensor, jobs: 1).squaredErrors == none)
    #expect(ErrorCurve([3], .matrix([]), .perTensor, jobs: 1).squaredErrors == none)
    #expect(ErrorCurve([2, 2, 2], .row(3), .perTensor, jobs: 1).squaredErrors == none)
    let large = Float.greatestFiniteMagnitude
    let curve = ErrorCurve([large, -large, 0, 1], .row(4), .perTensor, jobs: 1)
    #expect(curve.squaredErrors.allSatisfy { $0.isFinite } && curve.squaredErrors[1] == 0)
    let ignored = ErrorCurve(
      [1, 2, 3, 4], .row(4), .perTensor, importance: Importance(channels: [0, 0, 0, 0]), jobs: 1)
    #expect(ignored.squaredErrors == none)
  }
}
