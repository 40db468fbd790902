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

  /// A graph of one head with a table of positions, which the cases below change.
  private struct Small: CustomTestStringConvertible, Sendable {
    enum Pooling: Sendable { case masked, all, mean, first, third, none, crossed }

    var hiding: Float = -10000
    var masksScores = true
    /// Whether scores are products of the rows' running sums, whose last place is the largest.
    var sumsRows = false
    var pooling = Pooling.masked
    let testDescription: String

    /// Width 4; a text has 8 places.
    func graph() throws -> ModelGraph {
      var graph = GraphBuilder()
      let type = ValueType(.int32, [1, 8])
      let ids = graph.input("input_ids", type), mask = graph.input("attention_mask", type)
      func weight(_ name: TensorName, _ shape: [Int]) -> Operand {
        .weight(WeightReference(name, shape, role: .positionTable))
      }
      let words = try graph.append("words", Gather(weight("table", [5, 4]), indices: ids))
      let placed = try graph.append(
        "placed", ElementwiseBinary(.add, words, weight("positions", [8, 4])))
      let even = try graph.append(
        "even",
        LayerNorm(
          placed, gamma: weight("gain", [4]), beta: weight("shift", [4]), epsilon: 1e-12))
      let present = try graph.append("present", Cast(mask, to: .float32))
      var rows = even
      if sumsRows {
        let sums = try graph.append("sums", CumulativeSum(even, axis: 2))
        rows = try graph.append("last_sums", SliceByIndex(sums, begin: [0, 0, 3], end: [1, 8, 4]))
      }
      var scores = try graph.append("scores", Matmul(rows, rows, transposeY: true))
      if masksScores {
        let missing = try graph.append(
          "missing", ElementwiseBinary(.sub, .literal(.float(1)), present))
        let hidden = try graph.append(
          "hidden", ElementwiseBinary(.mul, missing, .literal(.float(hiding))))
        let wide = try graph.append("hidden_wide", ExpandDims(hidden, axes: [1]))
        scores = try graph.append("masked", ElementwiseBinary(.add, scores, wide))
      }
      let shares = try graph.append("shares", Softmax(scores))
      let context = try graph.append("context", Matmul(shares, even))
      let output = try pool(context, present, &graph)
      return try graph.finish(output: output)
    }

    private func pool(
      _ context: Operand, _ mask: Operand, _ graph: inout GraphBuilder
    ) throws(GraphError) -> Operand {
      func place(_ number: Int) throws(GraphError) -> Operand {
        try graph.append(
          "row",
          SliceByIndex(
            context, begin: [0, number, 0], end: [1, number + 1, 4], squeezedAxes: [1]))
      }
      switch pooling {
      case .first: return try place(0)
      case .third: return try place(2)
      case .none: return context
      case .all: return try graph.append("sum", Reduce(.sum, context, axis: 1, keepsAxis: false))
      case .mean:
        return try graph.append("mean", Reduce(.mean, context, axis: 1, keepsAxis: false))
      case .masked, .crossed:
        // Limits that cross make 2 of every mask.
        let shown =
          pooling == .masked ? mask : try graph.append("shown", Clip(mask, lowest: 2, highest: 0))
        let wide = try graph.append("mask_wide", ExpandDims(shown, axes: [2]))
        let kept = try graph.append("kept", ElementwiseBinary(.mul, context, wide))
        return try graph.append("sum", Reduce(.sum, kept, axis: 1, keepsAxis: false))
      }
    }

    /// Scores are at most 4 · gain² then: a normalised row has the length 2.
    func weights(gain: Float = 1) throws -> MemoryWeights {
      var weights = LengthProofTests.weights(try graph())
      weights.change("gain") { _ in gain }
      weights.change("shift") { _ in 0 }
      return weights
    }

    func proof() throws -> LengthProof? {
      try LengthProof(try graph(), weights: try weights())
    }
  }

  private static let proven = [
    Small(testDescription: "mean of the mask"),
    Small(pooling: .first, testDescription: "first token"),
    Small(hiding: -120, testDescription: "mask just enough"),
    Small(hiding: -.greatestFiniteMagnitude, testDescription: "least number as a mask"),
  ]

  private static let unproven = [
    Small(hiding: -116, testDescription: "mask just too weak"),
    Small(hiding: -10, testDescription: "weak mask"),
    Small(hiding: 10000, testDescription: "mask that shows padding"),
    Small(masksScores: false, testDescription: "no mask"),
    Small(pooling: .all, testDescription: "sum that sees padding"),
    Small(pooling: .mean, testDescription: "mean that sees padding"),
    Small(pooling: .none, testDescription: "output for each token"),
    Small(pooling: .crossed, testDescription: "mask between limits that cross"),
    Small(sumsRows: true, testDescription: "scores of running sums along the width"),
  ]

  @Test(arguments: proven)
  private func isProven(_ small: Small) throws { #expect(try small.proof() != nil) }

  @Test(arguments: unproven)
  private func isNotProven(_ small: Small) throws { #expect(try small.proof() == nil) }

  @Test func tablesOfPositionsAreCut() throws {
    let proof = try #require(try Small(testDescription: "").proof())
    let short = try #require(try proof.graph(length: 3))
    let cut = try #require(short.nodes.first { $0.name == "placed_first_tokens_1" })
    let slice = try #require(cut.operation as? SliceByIndex)
    #expect(slice.begin == [0, 0] && slice.end == [3, 4])
    #expect(cut.type.shape == [3, 4])
    #expect(short.nodes.first { $0.name == "shares" }?.type.shape == [1, 3, 3])
  }

  @Test func placesThatAreReadMustBeThere() throws {
    let proof = try #require(try Small(pooling: .third, testDescription: "").proof())
    #expect(try proof.graph(length: 2) == nil)
    #expect(try proof.graph(length: 3) != nil)
    #expect(try proof.graph(length: 9) == nil)
  }

  /// A proof is of weights, too.
  @Test func otherWeightsAreProvenAnew() throws {
    let small = Small(hiding: -500, testDescription: "")
    let proof = try #require(try small.proof())
    #expect(try proof.replacing(["gain"], by: try small.weights(gain: 2)) != nil)
    #expect(try proof.replacing(["gain"], by: try small.weights(gain: 8)) == nil)
    #expect(try proof.replacing(["table"], by: try small.weights(gain: 8)) != nil)
    var broken = try small.weights()
    broken.change("table") { _ in .nan }
    #expect(try proof.replacing(["table"], by: broken) == nil)
  }

  /// Numbers at padding that make NaN must still make it.
  @Test(arguments: [1e30, .infinity, .nan] as [Float])
  func weightsThatOverflowAreNotProven(_ number: Float) throws {
    let small = Small(testDescription: "")
    var weights = try small.weights()
    weights.change("positions") { _ in number }
    #expect(try LengthProof(try small.graph(), weights: weights) == nil)
  }
}
