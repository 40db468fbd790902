import Formats
import Gate
import Graph
import Inputs
import ModelFixtures
import TestSupport
import Testing
import WeightCompression
import Weights

@testable import Explanation

/// The mend of a small network beside all that there are.
struct MendSearchTests {
  let folder: TemporaryFolder
  let trained: Model
  let references: ReferenceSet

  init() throws {
    folder = try TemporaryFolder()
    var numbers = SeededGenerator(seed: 11)
    trained = try twoLayerModel(first: numbers.matrix(64, 32), second: numbers.matrix(16, 64))
    references = try ModelFixtures.references(numbers.pairs(24, width: 32))
  }

  private func candidate(_ scheme: Scheme) throws -> Model {
    try MendSearchTests.compressed(trained, scheme, in: folder)
  }

  static func compressed(
    _ trained: Model, _ scheme: Scheme, in folder: TemporaryFolder
  ) throws -> Model {
    try compressed(trained, try CompressionOptions(scheme: scheme), in: folder)
  }

  static func compressed(
    _ trained: Model, _ options: CompressionOptions, in folder: TemporaryFolder
  ) throws -> Model {
    let weights = try WeightCompressor.compress(
      weights: try trained.usedWeights(), from: trained.weights, options: options, jobs: 1)
    let path = folder.path("small.safetensors")
    try CompressedSafetensors().writeUnproven(
      weights, of: trained, recipe: options.label, to: path)
    return try ModelLoader.open(path)
  }

  /// What is refused: 4 bits are lenient enough.
  static let refused: [(bits: Int, profile: Limits.Profile)] = [
    (2, .strict), (2, .standard), (2, .lenient), (3, .strict), (3, .standard), (3, .lenient),
    (4, .strict), (4, .standard),
  ]

  /// One weight alone if that is enough, and the fewest bytes: at most a tenth more than the cheapest.
  @Test(arguments: refused)
  func isNearlyTheCheapest(_ bits: Int, _ profile: Limits.Profile) throws {
    let candidate = try candidate(.palette(bits: bits, .perTensor))
    let gate = Gate(on: references, try Limits(profile: profile), threshold: nil, jobs: 1)
    let verdict = try gate.judge(.models([candidate]), against: .models([trained]))
    try #require(!verdict.isPassed)
    let bench = try MendBench(of: gate, [candidate], against: [trained])
    var search = MendSearch(bench, of: verdict, jobs: 1)
    let mend = try #require(try search.run())
    #expect(mend.isInside, "\(mend.sentence)")
    #expect(search.tries <= MendSearch.mostTries)
    let ladder = RepairLadder(bench, jobs: 1)
    let options = try verdict.culprits.map {
      [nil] + (try ladder.repairs(of: $0, isFault: false)).map(Optional.some)
    }
    var inside: [(count: Int, bytes: Int)] = []
    for first in options[0] {
      for second in options.count > 1 ? options[1] : [nil] {
        let repairs = [first, second].compactMap(\.self)
        var values: [MendBench.Place: [Float]] = [:]
        for repair in repairs { values.merge(try ladder.values(of: repair)) { $1 } }
        guard try bench.measure(values).isInside else { continue }
        inside.append((repairs.count, repairs.reduce(0) { $0 + $1.extraBytes }))
      }
    }
    let cheapest = try #require(inside.min { ($0.count, $0.bytes) < ($1.count, $1.bytes) })
    #expect(mend.repairs.count == cheapest.count)
    #expect(Double(mend.extraBytes) <= 1.1 * Double(cheapest.bytes), "\(cheapest) \(mend.sentence)")
  }

  /// One scale for all rows makes zeros of the small ones. Storing them so once more would mend nothing:
  /// the weight gets finer scales.
  @Test func whatCompressionItselfZeroesIsStoredFiner() throws {
    var numbers = SeededGenerator(seed: 5)
    var (first, second) = (numbers.matrix(64, 32), numbers.matrix(16, 64))
    first[0] = [1] + first[0].dropFirst().map { 0.3 * $0 }
    for row in 1..<64 { first[row] = first[row].map { 0.0036 * $0 } }
    for row in 0..<16 { second[row][0] = (row % 2 == 0 ? 3 : -3) / 127 }
    second[0][1] = 1
    let trained = try twoLayerModel(first: first, second: second)
    let candidate = try MendSearchTests.compressed(trained, .int8(.perTensor), in: folder)
    let gate = Gate(on: references, try Limits(profile: .lenient), threshold: nil, jobs: 1)
    let verdict = try gate.judge(.models([candidate]), against: .models([trained]))
    #expect(verdict.culprits.first?.weight == "first", "\(verdict.reasons)")
    #expect(verdict.culprits.first?.kind == .zeroed, "\(verdict.reasons)")
    var search = MendSearch(
      try MendBench(of: gate, [candidate], against: [trained]), of: verdict, jobs: 1)
    let mend = try #require(try search.run())
    #expect(mend.isInside, "\(mend.sentence)")
    #expect(mend.repairs.map(\.place.name) == ["first"], "\(mend.sentence)")
    #expect(mend.extraBytes > 0)
  }
}
