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

/// Rounding of many weights that make the drift together, in a network of twelve layers. Each of the first
/// eight loses the same; the last four are nearly the identity and lose next to nothing.
struct ManyWeightsTests {
  private static let layers = 12
  private static let lossy = 8
  /// So large that palettes of 6 bits are smaller than INT8 with its scales.
  private static let width = 48

  private let folder: TemporaryFolder
  private let trained: Model
  private let references: ReferenceSet

  init() throws {
    folder = try TemporaryFolder()
    var numbers = SeededGenerator(seed: 11)
    var tensors: [TensorName: (shape: [Int], values: [Float])] = [:]
    for layer in 0..<Self.layers {
      let noise: Float = layer < Self.lossy ? 0.05 : 0.002
      let rows = numbers.matrix(Self.width, Self.width)
      tensors[Self.name(layer)] = (
        [Self.width, Self.width],
        rows.indices.flatMap { row in
          rows[row].indices.map { (row == $0 ? 1 : 0) + noise * rows[row][$0] }
        }
      )
    }
    trained = try Self.model(tensors)
    references = try ModelFixtures.references(numbers.pairs(24, width: Self.width))
  }

  private static func name(_ layer: Int) -> TensorName { TensorName("w\(layer)") }

  private static func model(
    _ tensors: [TensorName: (shape: [Int], values: [Float])]
  ) throws -> Model {
    let inputs = (0..<width).map { #"{"name": "x\#($0)"}"# }.joined(separator: ", ")
    let list = (0..<layers).map { #"{"weight": "\#(name($0))"}"# }.joined(separator: ", ")
    let json =
      #"{"architecture": "dense", "inputs": [\#(inputs)], "layers": [\#(list)], "#
      + #""output": {"kind": "embedding"}}"#
    let files = ModelFiles(carriedBy: "model", texts: ["model.json": Array(json.utf8)])
    let weights = MemoryWeights(tensors: tensors)
    return try Model(
      origin: "model", architecture: try Architectures.recognise(files, weights: weights),
      files: files, weights: weights)
  }

  /// Six weights as trained and four bits for all leave several times what is allowed, six bits for the
  /// eight lossy ones less than half.
  private var gate: Gate {
    get throws {
      Gate(
        on: references, try Limits(profile: .lenient, overrides: ["cosineMean": 0.99985]),
        threshold: nil, jobs: 1)
    }
  }

  private var candidate: Model {
    get throws {
      try MendSearchTests.compressed(trained, .palette(bits: 2, .perTensor), in: folder)
    }
  }

  @Test func asFewAsAreEnoughAreLiftedToTheLowestLevelThatIs() throws {
    let gate = try gate, candidate = try candidate
    let verdict = try gate.judge(.models([candidate]), against: .models([trained]))
    #expect(!verdict.isPassed)
    var told: [Int] = []
    var search = MendSearch(
      try MendBench(of: gate, [candidate], against: [trained]), of: verdict, jobs: 1
    ) { told.append($0) }
    let mend = try #require(try search.run())
    #expect(mend.isInside, "\(mend.sentence)")
    #expect(Set(mend.repairs.map(\.place.name)) == Set((0..<Self.lossy).map(Self.name)))
    #expect(mend.repairs.count == Self.lossy)
    #expect(mend.repairs.allSatisfy { $0.scheme == .palette(bits: 6, .perTensor) })
    #expect(
      mend.sentence.hasPrefix("palette 6 bits per tensor for 8 weights (+"), "\(mend.sentence)")
    #expect(search.tries <= MendSearch.mostTries)
    #expect(told == Array(0..<search.tries))
  }

  /// The recipe makes what was printed.
  @Test func theRecipeOfManyWeightsPasses() throws {
    let gate = try gate, candidate = try candidate
    let verdict = try gate.judge(.models([candidate]), against: .models([trained]))
    let explanation = try Explanation(
      of: verdict, by: gate, .models([candidate]), against: .models([trained]), jobs: 1)
    let recipe = try #require(explanation.mend?.recipe)
    let model = try MendSearchTests.compressed(
      trained, try CompressionOptions(recipe: recipe), in: folder)
    let mended = try gate.judge(.models([model]), against: .models([trained]))
    #expect(mended.isPassed, "\(mended.reasons)")
    #expect(mended.metrics == explanation.mend?.metrics)
  }

  @Test func theRefusalSaysThatItIsRounding() throws {
    let verdict = try gate.judge(.models([try candidate]), against: .models([trained]))
    let words =
      "no single weight makes most of the drift: plain rounding of 12 weights; swapped in alone, 'w"
    #expect(verdict.reasons.contains { $0.hasPrefix(words) }, "\(verdict.reasons)")
  }
}
