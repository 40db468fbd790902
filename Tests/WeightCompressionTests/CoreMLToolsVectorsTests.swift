import Graph
import Testing

@testable import WeightCompression

/// Against numbers that coremltools 9.0 made (`CoreMLToolsVectors`).
struct CoreMLToolsVectorsTests {
  /// Codes, zero points, scales and packed bytes are theirs, although they divide in fp16 and we in
  /// Float: no quotient of this matrix lies so near to a half that fp16 moves it across.
  @Test(arguments: CoreMLToolsVectors.linear)
  func linearSchemesAgree(_ item: CoreMLToolsVectors.Linear) {
    let scheme = LinearScheme(item.integers, mode: item.mode, granularity: item.granularity)
    let found = LinearQuantizer.quantize(
      CoreMLToolsVectors.matrix, .matrix([2, 8]), scheme, .float16)
    #expect(found.codes(16) == item.codes)
    #expect(found.scales == item.scales.map { Float(Float16(bitPattern: $0)) })
    #expect(found.zeroPoints == item.zeroPoints)
    if !item.packed.isEmpty { #expect(found.packed == item.packed) }
  }

  struct Quotient: Sendable, CustomTestStringConvertible {
    /// Largest magnitude of a row, and an element of it.
    let largest: Float
    let value: Float
    /// value / scale as a Float and as a half.
    let whole: Float
    let half: Float
    let ours: Int
    let theirs: Int
    var testDescription: String { "\(value) of \(largest)" }
  }

  /// Elements of the first rows of all-MiniLM-L6-v2's first query matrix whose codes do differ, as
  /// 1 in 100 of that matrix do: a half has eleven bits, which leaves a quotient above 32 only
  /// thirty-seconds, so that it can be rounded onto a tie first and to an integer then.
  static let quotients = [
    Quotient(
      largest: 0.241943359375, value: 0.052398681640625, whole: 27.4995, half: 27.5, ours: 27,
      theirs: 28),
    Quotient(
      largest: 0.2646484375, value: -0.1490478515625, whole: -71.49496, half: -71.5, ours: -71,
      theirs: -72),
    Quotient(
      largest: 0.283447265625, value: -0.0970458984375, whole: -43.48718, half: -43.5, ours: -43,
      theirs: -44),
  ]

  @Test(arguments: quotients)
  func aQuotientInHalvesCanMoveACode(_ item: Quotient) {
    let found = LinearQuantizer.quantize(
      [item.largest, item.value], .row(2), LinearScheme(.int8, granularity: .perTensor), .float16)
    let scale = found.scales[0]
    #expect((item.value / scale - item.whole).magnitude < 1e-4)
    #expect(Float(Float16(item.value / scale)) == item.half)
    #expect(found.codes(2)[1] == item.ours)
    #expect(Int(item.half.rounded(.toNearestOrEven)) == item.theirs)
    // Ours is the nearer one.
    func error(_ code: Int) -> Float { (item.value - scale * Float(code)).magnitude }
    #expect(error(item.ours) < error(item.theirs))
  }

  @Test func clustersAgreeWithKmeans1d() {
    let values = CoreMLToolsVectors.values
    let clustering = ScalarClustering(values, entries: 4)
    for (centroid, expected) in zip(clustering.centroids, CoreMLToolsVectors.centroids) {
      #expect(centroid == Float(expected))
    }
    let codes = Palettizer.palettize(
      values, .row(40), PaletteScheme(bits: 2, granularity: .perTensor), .float16, jobs: 1)
    #expect(codes.palettes == CoreMLToolsVectors.storedCentroids)
    #expect(codes.indices == BitPacking.pack(CoreMLToolsVectors.clusters, bits: 2))
  }

  /// We have no scheme of equal steps: at the same size an exact palette is better, and equal
  /// steps without a table are int4. So only the packing is compared, and the error.
  @Test func uniformTablesAreWorseThanExactOnes() throws {
    let indices = CoreMLToolsVectors.uniformIndices
    #expect(BitPacking.pack(indices, bits: 4) == CoreMLToolsVectors.uniformPacked)
    let values = CoreMLToolsVectors.values
    let theirs = indices.map { CoreMLToolsVectors.uniformTable[Int($0)] }
    let codes = Palettizer.palettize(
      values, .row(40), PaletteScheme(bits: 4, granularity: .perTensor), .float16, jobs: 1)
    let ours = try CompressedTensor(.row(40), .palette(codes), floats: .float16, relativeError: 0)
      .dequantized()
    #expect(squaredError(values, ours) < squaredError(values, theirs))
  }
}
