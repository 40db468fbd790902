import ModelFixtures
import TestSupport
import Testing
import Weights

@testable import Graph

/// Which graphs are proven to give the same for a text without its padding.
struct LengthProofTests {
  private static func weights(_ graph: ModelGraph) -> MemoryWeights {
    var generator = SeededGenerator(seed: 11)
    return MemoryWeights(for: graph.weights) { reference in
      (0..<reference.elementCount).map { _ in Float.random(in: -1...1, using: &generator) }
    }
  }

  private static func graph(
    _ type: any RecognisedArchitecture.Type, _ config: String, pooling: PoolingMode = .mean
  ) throws -> ModelGraph {
    let texts = BertTests.texts([
      "config.json": config, "sentence_bert_config.json": #"{"max_seq_length": 10}"#,
      "1_Pooling/config.json": #"{"pooling_mode": "\#(pooling.rawValue)"}"#,
    ])
    let model = try #require(try type.recognise(files(texts), weights: ShapesOnly()))
    return try model.graph(batch: 1, length: 10)
  }

  @Test(arguments: PostNormEncoderTests.families)
  func transformersLikeBertAreProven(_ family: PostNormEncoderTests.Family) throws {
    let graph = try Self.graph(family.type, family.config)
    let proof = try #require(try LengthProof(graph, weights: Self.weights(graph)))
    let short = try #require(try proof.graph(length: 4))
    #expect(short.outputType == graph.outputType)
    #expect(short.inputs.allSatisfy { $0.type.shape == [1, 4] })
    #expect(short.weights.map(\.name) == graph.weights.map(\.name))
    let context = short.nodes.first { $0.name == "layer1_context" }
    #expect(context?.type.shape == [1, 2, 4, 4])
  }

  @Test(arguments: PoolingMode.allCases)
  func poolings(_ pooling: PoolingMode) throws {
    let bert = try #require(PostNormEncoderTests.families.first)
    let graph = try Self.graph(bert.type, bert.config, pooling: pooling)
    let proof = try LengthProof(graph, weights: Self.weights(graph))
    // Of the place of the last token it is not seen that no padding can have it.
    #expect((proof != nil) == (pooling != .lastToken))
  }

  /// Its norms are written out, and have no bound here.
  @Test func t5IsNotProven() throws {
    let graph = try Self.graph(T5.self, T5Tests.config)
    #expect(try LengthProof(graph, weights: Self.weights(graph)) == nil)
  }

  private static let proven = [
    SmallGraph(testDescription: "mean of the mask"),
    SmallGraph(pooling: .first, testDescription: "first token"),
    SmallGraph(hiding: -120, testDescription: "mask just enough"),
    SmallGraph(hiding: -.greatestFiniteMagnitude, testDescription: "least number as a mask"),
  ]

  private static let unproven = [
    SmallGraph(hiding: -116, testDescription: "mask just too weak"),
    SmallGraph(hiding: -10, testDescription: "weak mask"),
    SmallGraph(hiding: 10000, testDescription: "mask that shows padding"),
    SmallGraph(masksScores: false, testDescription: "no mask"),
    SmallGraph(pooling: .all, testDescription: "sum that sees padding"),
    SmallGraph(pooling: .mean, testDescription: "mean that sees padding"),
    SmallGraph(pooling: .none, testDescription: "output for each token"),
    // It makes 2 of every mask.
    SmallGraph(
      changes: [.present: SmallGraph.steps { Clip($0, lowest: 2, highest: 0) }],
      testDescription: "mask between limits that cross"),
    // The last place of a running sum is the largest.
    SmallGraph(
      changes: [
        .states: SmallGraph.steps(
          { CumulativeSum($0, axis: 2) },
          { SliceByIndex($0, begin: [0, 0, 3], end: [1, 8, 4]) })
      ], testDescription: "running sums along the width"),
  ]

  @Test(arguments: proven)
  func isProven(_ small: SmallGraph) throws { #expect(try small.proof() != nil) }

  @Test(arguments: unproven)
  func isNotProven(_ small: SmallGraph) throws { #expect(try small.proof() == nil) }

  @Test func tablesOfPositionsAreCut() throws {
    let proof = try #require(try SmallGraph().proof())
    let short = try #require(try proof.graph(length: 3))
    let cut = try #require(short.nodes.first { $0.name == "placed_first_tokens_1" })
    let slice = try #require(cut.operation as? SliceByIndex)
    #expect(slice.begin == [0, 0] && slice.end == [3, 4])
    #expect(cut.type.shape == [3, 4])
    #expect(short.nodes.first { $0.name == "shares" }?.type.shape == [1, 3, 3])
  }

  @Test func placesThatAreReadMustBeThere() throws {
    let proof = try #require(try SmallGraph(pooling: .third).proof())
    #expect(try proof.graph(length: 2) == nil)
    #expect(try proof.graph(length: 3) != nil)
    #expect(try proof.graph(length: 9) == nil)
  }

  /// A proof is of weights, too.
  @Test func otherWeightsAreProvenAnew() throws {
    func small(_ gain: Float) -> SmallGraph {
      SmallGraph(hiding: -500, gain: gain)
    }
    let proof = try #require(try small(1).proof())
    #expect(try proof.replacing(["gain"], by: try small(2).weights()) != nil)
    #expect(try proof.replacing(["gain"], by: try small(8).weights()) == nil)
    #expect(try proof.replacing(["table"], by: try small(8).weights()) != nil)
    var broken = try small(1).weights()
    broken.change("table") { _ in .nan }
    #expect(try proof.replacing(["table"], by: broken) == nil)
  }

  /// Numbers at padding that make NaN must still make it.
  @Test(arguments: [1e30, .infinity, .nan] as [Float])
  func weightsThatOverflowAreNotProven(_ number: Float) throws {
    let small = SmallGraph()
    var weights = try small.weights()
    weights.change("positions") { _ in number }
    #expect(try LengthProof(try small.graph(), weights: weights) == nil)
  }
}
