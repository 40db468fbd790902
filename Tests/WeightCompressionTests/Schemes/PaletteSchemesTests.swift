import Graph
import TestSupport
import Testing

@testable import WeightCompression

/// Properties of palettes of every kind.
struct PaletteSchemesTests {
  static let schemes = [1, 3, 8].flatMap { bits in
    [PaletteScheme.Granularity.perTensor, .perGroup(size: 4)].flatMap { granularity in
      [1, 2, 4].flatMap { width in
        PaletteScheme.Entries.allCases.map { entries in
          PaletteScheme(bits: bits, granularity: granularity, width: width, entries: entries)
        }
      }
    }
  }

  private static let shape = [8, 30]

  private func values(_ samples: Samples, _ seed: UInt64) -> [Float] {
    var random = SeededGenerator(seed: seed)
    return samples.values(240, &random)
  }

  private func error(_ values: [Float], _ scheme: PaletteScheme) throws -> Double {
    let reference = WeightReference.matrix(Self.shape)
    let codes = Palettizer.palettize(values, reference, scheme, .float32, jobs: 1)
    let tensor = try CompressedTensor(reference, .palette(codes), relativeError: 0)
    return squaredError(values, tensor.dequantized())
  }

  /// Rows of a group stay together and in order, so that vectors stay what they are.
  @Test(arguments: schemes)
  func permutingGroupsOfChannelsChangesNoError(_ scheme: PaletteScheme) throws {
    let values = values(.gaussian, 181)
    let swapped = Array(values[120...] + values[..<120])
    let one = try error(values, scheme)
    let two = try error(swapped, scheme)
    // Clustering of vectors depends on their order a little.
    let tolerance = scheme.width == 1 ? 1e-9 : 0.1
    #expect((one - two).magnitude <= tolerance * one + 1e-12)
  }

  @Test(arguments: schemes.filter { $0.width == 1 })
  func reversingSignsChangesNoError(_ scheme: PaletteScheme) throws {
    let values = values(.heavyTailed, 182)
    let one = try error(values, scheme)
    let two = try error(values.map { -$0 }, scheme)
    #expect((one - two).magnitude <= 1e-6 * one + 1e-12)
  }

  @Test(arguments: schemes)
  func scalesWithOtherFactors(_ scheme: PaletteScheme) throws {
    let values = values(.gaussian, 183)
    let one = try error(values, scheme).squareRoot()
    for factor in [0.3, 7] as [Float] {
      let other = try error(values.map { $0 * factor }, scheme).squareRoot() / Double(factor)
      let tolerance = scheme.width == 1 && scheme.entries == .floats ? 1e-5 : 0.1
      #expect((one - other).magnitude <= tolerance * one + 1e-6)
    }
  }

  @Test(arguments: Samples.allCases)
  func moreBitsAndSmallerGroupsLoseLess(_ samples: Samples) throws {
    let values = values(samples, 184)
    let squares = values.reduce(0) { $0 + Double($1) * Double($1) }
    var before = Double.infinity
    for bits in PaletteScheme.knownBits {
      let whole = try error(values, PaletteScheme(bits: bits, granularity: .perTensor))
      let groups = try error(values, PaletteScheme(bits: bits, granularity: .perGroup(size: 4)))
      let channels = try error(values, PaletteScheme(bits: bits, granularity: .perGroup(size: 1)))
      // Entries are rounded to Float.
      let rounding = squares * 0x1p-40 + (samples == .subnormal ? .infinity : 0)
      #expect(whole <= before + rounding)
      #expect(groups <= whole * (1 + 1e-6) + rounding)
      #expect(channels <= groups * (1 + 1e-6) + rounding)
      before = whole
    }
  }

  @Test(arguments: schemes)
  func threadsChangeNothing(_ scheme: PaletteScheme) {
    let values = values(.clustered, 185)
    let reference = WeightReference.matrix(Self.shape)
    let one = Palettizer.palettize(values, reference, scheme, .float16, jobs: 1)
    let many = Palettizer.palettize(values, reference, scheme, .float16, jobs: 8)
    #expect(one == many)
  }

  /// Whatever finite values there are, what is stored is finite, and what is read back too.
  @Test(arguments: LinearSchemesTests.edges, schemes)
  func standsEdges(_ edge: [Float], _ scheme: PaletteScheme) throws {
    let values = (0..<16).map { edge[$0 % edge.count] }
    for floats in [FloatType.float32, .float16] {
      if floats == .float16, values.contains(where: { $0.magnitude >= 65520 }) { continue }
      for shape in [[16], [4, 1, 1, 2, 1, 2]] {
        let reference = WeightReference.matrix(shape)
        #expect(scheme.fault(of: reference) == nil)
        let codes = Palettizer.palettize(values, reference, scheme, floats, jobs: 1)
        let table = codes.floats(floats)
        #expect(table.allSatisfy { $0.isFinite && floats.rounded($0) == $0 })
        let tensor = try CompressedTensor(
          reference, .palette(codes), floats: floats, madeFrom: values)
        #expect(tensor.dequantized().allSatisfy { $0.isFinite })
        #expect(tensor.relativeError.isFinite)
      }
    }
  }

  @Test(arguments: schemes)
  func takesEmptyTensorsOfAnyRank(_ scheme: PaletteScheme) throws {
    for shape in [[0], [0, 5], [4, 0], [0, 0], [4, 0, 5], [4, 0, 1, 2, 3, 4]] {
      let reference = WeightReference.matrix(shape)
      guard scheme.fault(of: reference) == nil else { continue }
      let codes = Palettizer.palettize([], reference, scheme, .float16, jobs: 2)
      #expect(codes.indices.isEmpty)
      #expect(throws: Never.self) {
        try CompressedTensor(reference, .palette(codes), floats: .float16, relativeError: 0)
      }
    }
  }
}
