import Graph
import TestSupport
import Testing

@testable import WeightCompression

struct VectorPalettesTests {
  struct Case: CustomTestStringConvertible {
    let shape: [Int]
    let axis: Int
    let size: Int?
    var testDescription: String { "\(shape) axis \(axis) \(size ?? 0)" }
  }

  static let cases = [
    Case(shape: [8, 15], axis: 0, size: nil), Case(shape: [8, 15], axis: 0, size: 4),
    Case(shape: [9, 8], axis: 1, size: nil), Case(shape: [9, 16], axis: 1, size: 4),
    Case(shape: [3, 8, 5], axis: 1, size: nil), Case(shape: [2, 8, 3, 2], axis: 1, size: 4),
    Case(shape: [2, 1, 3, 2, 8], axis: 4, size: 8), Case(shape: [4], axis: 0, size: nil),
    Case(shape: [1, 2, 3, 4, 2, 2], axis: 3, size: 4),
  ]

  private func scheme(
    _ item: Case, bits: Int, width: Int, _ entries: PaletteScheme.Entries = .floats
  ) -> PaletteScheme {
    PaletteScheme(
      bits: bits, granularity: item.size.map { .perGroup(size: $0) } ?? .perTensor,
      width: width, entries: entries)
  }

  /// Decodes as the format says, one element at a time: the channel axis of the indices is the
  /// tensor's divided by the width, and the elements of an entry follow one another along it.
  private func decoded(_ codes: PaletteCodes, _ item: Case, width: Int) -> [Float] {
    let count = item.shape.reduce(1, *)
    let inner = item.shape.dropFirst(item.axis + 1).reduce(1, *)
    let channels = item.shape[item.axis]
    let indices = BitPacking.unpack(codes.indices, bits: codes.bits, count: count / width)
    let table = codes.floats(.float16)
    return (0..<count).map { element in
      let place = (
        outer: element / inner / channels, channel: element / inner % channels,
        inner: element % inner
      )
      let vector = (place.outer * (channels / width) + place.channel / width) * inner + place.inner
      let group = item.size.map { place.channel / $0 } ?? 0
      let entry = group << codes.bits + Int(indices[vector])
      return table[entry * width + place.channel % width]
    }
  }

  @Test(arguments: cases, [2, 4])
  func decodesAsTheFormatSays(_ item: Case, _ width: Int) throws {
    var random = SeededGenerator(seed: 161)
    let values = Samples.gaussian.values(item.shape.reduce(1, *), &random)
    let reference = WeightReference.matrix(item.shape, outputAxis: item.axis)
    for bits in [1, 3, 8] {
      for entries in PaletteScheme.Entries.allCases {
        let scheme = scheme(item, bits: bits, width: width, entries)
        #expect(scheme.fault(of: reference) == nil)
        let codes = Palettizer.palettize(values, reference, scheme, .float16, jobs: 1)
        let tensor = try CompressedTensor(
          reference, .palette(codes), floats: .float16, relativeError: 0)
        #expect(tensor.dequantized() == decoded(codes, item, width: width))
      }
    }
  }

  /// Each vector of a matrix whose channels are rows takes the nearest stored entry.
  @Test(arguments: Samples.allCases, [2, 4])
  func vectorsTakeTheirNearestEntries(_ samples: Samples, _ width: Int) throws {
    var random = SeededGenerator(seed: 162)
    let values = samples.values(8 * 40, &random).map { min(max($0, -65000), 65000) }
    let reference = WeightReference.matrix([8, 40])
    for bits in [2, 4, 8] {
      let scheme = PaletteScheme(bits: bits, granularity: .perTensor, width: width)
      let codes = Palettizer.palettize(values, reference, scheme, .float16, jobs: 1)
      let table = codes.floats(.float16)
      let tensor = try CompressedTensor(
        reference, .palette(codes), floats: .float16, relativeError: 0)
      #expect(table.allSatisfy { $0.isFinite })
      let made = tensor.dequantized()
      for row in stride(from: 0, to: 8, by: width) {
        for column in 0..<40 {
          let places = (0..<width).map { (row + $0) * 40 + column }
          let found = squaredError(places.map { values[$0] }, places.map { made[$0] })
          let minimum =
            (0..<1 << bits).map { entry in
              squaredError(
                places.map { values[$0] }, Array(table[entry * width..<(entry + 1) * width]))
            }.min() ?? 0
          let size = places.reduce(0) { $0 + Double(values[$1]) * Double(values[$1]) }
          #expect(found <= minimum + 1e-5 * (minimum + size * 1e-3) + 0x1p-48)
        }
      }
    }
  }

  /// Vectors of points that are far apart are found, whatever their number.
  @Test(arguments: [2, 4])
  func findsFewPointsExactly(_ width: Int) throws {
    let points: [[Float]] = [[1, 2, 3, 4], [-1, 5, 0, 2], [7, 7, -7, 1], [0, 0, 0, 0]]
    let columns = 100
    let values = (0..<width * columns).map { points[$0 % columns % 4][$0 / columns] }
    let reference = WeightReference.matrix([width, columns])
    for bits in [2, 3, 8] {
      let codes = Palettizer.palettize(
        values, reference, PaletteScheme(bits: bits, granularity: .perTensor, width: width),
        .float16, jobs: 1)
      let tensor = try CompressedTensor(
        reference, .palette(codes), floats: .float16, madeFrom: values)
      #expect(tensor.relativeError == 0)
    }
  }

  @Test(arguments: [2, 4])
  func isBetterThanScalarsOfAsManyBits(_ width: Int) throws {
    var random = SeededGenerator(seed: 163)
    let values = Samples.gaussian.values(32 * 256, &random)
    let reference = WeightReference.matrix([32, 256])
    func error(_ scheme: PaletteScheme) throws -> Double {
      let codes = Palettizer.palettize(values, reference, scheme, .float16, jobs: 1)
      return squaredError(
        values,
        try CompressedTensor(reference, .palette(codes), floats: .float16, relativeError: 0)
          .dequantized())
    }
    // 4 bits for two or 8 for four elements against 2 bits for each.
    let vectors = try error(PaletteScheme(bits: 2 * width, granularity: .perTensor, width: width))
    #expect(try vectors < error(PaletteScheme(bits: 2, granularity: .perTensor)))
  }

  @Test(arguments: [2, 4], [1, 4])
  func scalesExactlyAndNeedsNoOrderOfThreads(_ width: Int, _ bits: Int) {
    var random = SeededGenerator(seed: 164)
    // More vectors than one thread looks at.
    let values = Samples.heavyTailed.values(4 * 5000, &random)
    let reference = WeightReference.matrix([4, 5000])
    let scheme = PaletteScheme(bits: bits, granularity: .perTensor, width: width)
    let codes = Palettizer.palettize(values, reference, scheme, .float32, jobs: 1)
    #expect(codes == Palettizer.palettize(values, reference, scheme, .float32, jobs: 8))
    for exponent in [-30, 20] {
      let factor = Float(sign: .plus, exponent: exponent, significand: 1)
      let scaled = Palettizer.palettize(
        values.map { $0 * factor }, reference, scheme, .float32, jobs: 2)
      #expect(scaled.indices == codes.indices)
      #expect(scaled.palettes == codes.palettes.map { $0 * factor })
    }
  }

  @Test func weightsDrawEntries() {
    // Columns 0 and 1 count, the others hardly.
    var random = SeededGenerator(seed: 165)
    let values = Samples.gaussian.values(2 * 50, &random)
    let inputs = (0..<50).map { $0 < 2 ? Float(1) : 0 }
    let codes = Palettizer.palettize(
      values, .matrix([2, 50]), PaletteScheme(bits: 1, granularity: .perTensor, width: 2),
      .float32, importance: Importance(inputs: inputs), jobs: 1)
    let entries = Set([codes.palettes[0...1], codes.palettes[2...3]].map(Array.init))
    #expect(entries == [[values[0], values[50]], [values[1], values[51]]])
  }

  /// A sample must not lose the few vectors that matter most.
  @Test func outliersOfManyVectorsAreFound() throws {
    var random = SeededGenerator(seed: 166)
    var values = (0..<2 * 70_000).map { _ in Float.random(in: -0.01...0.01, using: &random) }
    for place in [11, 30_001, 69_999] { values[place] = 8 }
    let reference = WeightReference.matrix([2, 70_000])
    let codes = Palettizer.palettize(
      values, reference, PaletteScheme(bits: 4, granularity: .perTensor, width: 2), .float16,
      jobs: 2)
    let tensor = try CompressedTensor(
      reference, .palette(codes), floats: .float16, relativeError: 0)
    #expect(squaredError(values, tensor.dequantized()) < 1)
  }

  @Test func takesEmptyTensors() throws {
    for shape in [[0, 4], [4, 0]] {
      let reference = WeightReference.matrix(shape)
      let scheme = PaletteScheme(bits: 2, granularity: .perTensor, width: 2)
      let codes = Palettizer.palettize([], reference, scheme, .float16, jobs: 1)
      let tensor = try CompressedTensor(reference, .palette(codes), relativeError: 0)
      #expect(tensor.dequantized().isEmpty)
    }
  }

  @Test func standsExtremes() throws {
    let large = Float.greatestFiniteMagnitude
    let tiny = Float.leastNonzeroMagnitude
    for values in [[large, -large, large, large], [tiny, 0, -tiny, tiny], [5, 5, 5, 5]] {
      let reference = WeightReference.matrix([2, 2])
      let scheme = PaletteScheme(bits: 1, granularity: .perTensor, width: 2)
      let codes = Palettizer.palettize(values, reference, scheme, .float32, jobs: 1)
      let tensor = try CompressedTensor(reference, .palette(codes), relativeError: 0)
      #expect(tensor.dequantized() == values)
    }
  }
}
