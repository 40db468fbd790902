import Graph
import ModelFixtures
import TestSupport
import Testing
import Weights

@testable import Execution

/// The whole encoder, small, with every pooling.
struct BertTests {
  static func bert(pooling: PoolingMode, activation: String) throws -> Bert {
    let config = """
      {"model_type": "bert", "hidden_size": 24, "num_attention_heads": 3, "num_hidden_layers": 2,
       "intermediate_size": 40, "vocab_size": 50, "max_position_embeddings": 40,
       "type_vocab_size": 2, "layer_norm_eps": 1e-12, "hidden_act": "\(activation)"}
      """
    let modules = """
      [{"path": "", "type": "sentence_transformers.models.Transformer"},
       {"path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
       {"path": "2_Normalize", "type": "sentence_transformers.models.Normalize"}]
      """
    let files = ModelFiles(
      carriedBy: "model",
      texts: [
        "config.json": Array(config.utf8), "modules.json": Array(modules.utf8),
        "1_Pooling/config.json": Array("{\"pooling_mode\": \"\(pooling.rawValue)\"}".utf8),
      ])
    return try #require(try Bert.recognise(files, weights: MemoryWeights()))
  }

  /// Ids and mask for rows of these lengths, padded to `length`.
  static func inputs(_ rows: [[Int32]], length: Int) -> [String: InputValues] {
    [
      "input_ids": .integers(
        rows.flatMap { $0 + Array(repeating: 0, count: length - $0.count) }),
      "attention_mask": .integers(
        rows.flatMap {
          Array(repeating: 1, count: $0.count) + Array(repeating: 0, count: length - $0.count)
        }),
    ]
  }

  static func rows(_ lengths: [Int], seed: UInt64) -> [[Int32]] {
    var generator = SeededGenerator(seed: seed)
    return lengths.map { generator.integers($0, in: 1...49) }
  }

  @Test(arguments: PoolingMode.allCases, ["gelu", "gelu_new", "relu"])
  func equalsTheReference(_ pooling: PoolingMode, _ activation: String) throws {
    let bert = try Self.bert(pooling: pooling, activation: activation)
    let graph = try bert.graph(batch: 3, length: 9)
    let held = weights(for: graph, seed: 11)
    let values = Self.inputs(Self.rows([9, 4, 1], seed: 2), length: 9)
    let expected = try Reference(weights: held).run(graph, values)
    for fuses in [true, false] {
      let found = try Executor(weights: held, jobs: 2, fuses: fuses).run(graph, inputs: values)
      #expect(difference(found, expected) <= 2e-6, "fused \(fuses)")
    }
  }

  @Test func batchAndPaddingAndThreadsDoNotMatter() throws {
    let bert = try Self.bert(pooling: .mean, activation: "gelu")
    let held = weights(for: try bert.graph(batch: 1, length: 40), seed: 11)
    let rows = Self.rows((1...40).map { $0 }, seed: 8)
    // Each row on its own, unpadded.
    let alone = try Executor(weights: held, jobs: 1).runAll(count: rows.count) { index in
      let row = rows[index]
      return (
        try bert.graph(batch: 1, length: row.count), Self.inputs([row], length: row.count)
      )
    }
    for jobs in [1, 2, 3] {
      let executor = Executor(weights: held, jobs: jobs)
      for batch in [40, 7, 3] {
        let starts = stride(from: 0, to: rows.count, by: batch).map { $0 }
        let found = try executor.runAll(count: starts.count) { index in
          let part = Array(rows[starts[index]..<min(rows.count, starts[index] + batch)])
          return (
            try bert.graph(batch: part.count, length: 40), Self.inputs(part, length: 40)
          )
        }
        #expect(difference(found.flatMap { $0 }, alone.flatMap { $0 }) <= 1e-6)
      }
    }
  }

  private static func change(
    _ name: TensorName, in held: inout MemoryWeights, _ change: (Float) -> Float
  ) {
    let changed = held.tensors[name]?.values.map(change) ?? []
    held.tensors[name]?.values = changed
  }

  /// Scores and token values of −10⁵ and less: padding is below them all the same.
  @Test(arguments: [PoolingMode.mean, .maximum])
  func paddingIsHiddenFromNumbersOfAnySize(_ pooling: PoolingMode) throws {
    let bert = try Self.bert(pooling: pooling, activation: "gelu")
    var held = weights(for: try bert.graph(batch: 1, length: 9), seed: 11)
    for name in ["query", "key"] {
      Self.change("encoder.layer.0.attention.self.\(name).weight", in: &held) { $0 * 3000 }
    }
    Self.change("encoder.layer.1.output.LayerNorm.bias", in: &held) { $0 - 1e5 }
    let rows = Self.rows([9, 4, 1], seed: 2)
    let executor = Executor(weights: held, jobs: 1)
    let together = try executor.run(
      try bert.graph(batch: 3, length: 9), inputs: Self.inputs(rows, length: 9))
    let alone = try rows.flatMap { row in
      try executor.run(
        try bert.graph(batch: 1, length: row.count), inputs: Self.inputs([row], length: row.count))
    }
    #expect(difference(together, alone) <= 1e-5)
  }

  @Test func oneThreadTwoThreadsAndASecondRunGiveTheSameBytes() throws {
    let bert = try Self.bert(pooling: .mean, activation: "gelu")
    let held = weights(for: try bert.graph(batch: 1, length: 20), seed: 11)
    func run(_ jobs: Int) throws -> [[Float]] {
      let executor = Executor(weights: held, jobs: jobs)
      return try executor.runAll(count: 12) { index in
        let rows = Self.rows([5 + index % 3, 3], seed: UInt64(index))
        return (try bert.graph(batch: 2, length: 7), Self.inputs(rows, length: 7))
      }
    }
    let first = try run(1)
    #expect(try run(2) == first)
    #expect(try run(4) == first)
  }

  struct Poison: CustomTestStringConvertible, Sendable {
    let weight: String
    let value: Float
    var testDescription: String { "\(value) in \(weight)" }
  }

  static let poisons = [
    "embeddings.word_embeddings.weight", "embeddings.position_embeddings.weight",
    "embeddings.LayerNorm.weight", "encoder.layer.0.attention.self.query.weight",
    "encoder.layer.0.attention.self.key.bias", "encoder.layer.0.attention.self.value.weight",
    "encoder.layer.1.intermediate.dense.weight", "encoder.layer.1.output.dense.bias",
    "encoder.layer.1.output.LayerNorm.bias",
  ].flatMap { name in [Float.nan, .infinity, -.infinity].map { Poison(weight: name, value: $0) } }

  @Test(arguments: poisons)
  func nonFiniteWeightsReachTheOutput(_ poison: Poison) throws {
    for pooling in PoolingMode.allCases {
      let bert = try Self.bert(pooling: pooling, activation: "gelu")
      let graph = try bert.graph(batch: 1, length: 3)
      var held = weights(for: graph, seed: 11)
      let isTable = poison.weight.hasPrefix("embeddings.word")
      // The row of token 7, or the first row.
      let place = isTable ? 7 * 24 + 3 : 3
      held.tensors[TensorName(poison.weight)]?.values[place] = poison.value
      let values = Self.inputs([[7, 2, 9]], length: 3)
      for fuses in [true, false] {
        let found = try Executor(weights: held, jobs: 1, fuses: fuses).run(graph, inputs: values)
        #expect(found.contains { !$0.isFinite }, "\(pooling), fused \(fuses)")
      }
    }
  }
}
