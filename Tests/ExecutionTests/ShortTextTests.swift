import Graph
import ModelFixtures
import TestSupport
import Testing

@testable import Execution

/// A text gives the same at a proven length as it does padded to its package's.
struct ShortTextTests {
  private static let length = 40

  private static let configs = [
    "bert", "roberta", "mpnet", "electra", "albert", "distilbert", "nomic_bert",
  ]

  private static func model(_ type: String, _ pooling: PoolingMode) throws -> any Architecture {
    let config = """
      {"model_type": "\(type)", "hidden_size": 24, "num_attention_heads": 3,
       "num_hidden_layers": 2, "intermediate_size": 40, "vocab_size": 50,
       "max_position_embeddings": 64}
      """
    let distilled = """
      {"model_type": "distilbert", "dim": 24, "n_heads": 3, "n_layers": 2, "hidden_dim": 40,
       "vocab_size": 50, "max_position_embeddings": 64}
      """
    let modules = """
      [{"path": "", "type": "sentence_transformers.models.Transformer"},
       {"path": "1_Pooling", "type": "sentence_transformers.models.Pooling"}]
      """
    let texts = [
      "config.json": type == "distilbert" ? distilled : config, "modules.json": modules,
      "1_Pooling/config.json": "{\"pooling_mode\": \"\(pooling.rawValue)\"}",
    ]
    let files = ModelFiles(carriedBy: "model", texts: texts.mapValues { Array($0.utf8) })
    return try Architectures.recognise(files, weights: MemoryWeights())
  }

  @Test(arguments: configs)
  func equalsTheFullLength(_ type: String) throws { try check(type, .mean) }

  @Test(arguments: PoolingMode.allCases.filter { $0 != .lastToken })
  func equalsTheFullLength(of pooling: PoolingMode) throws { try check("bert", pooling) }

  private func check(_ type: String, _ pooling: PoolingMode) throws {
    let graph = try Self.model(type, pooling).graph(batch: 1, length: Self.length)
    let source = weights(for: graph, seed: 5)
    let proof = try #require(try LengthProof(graph, weights: source))
    let executor = Executor(weights: source, jobs: 1)
    for (length, tokens) in [(8, 1), (8, 8), (16, 13), (39, 39), (40, 20)] {
      let short = try #require(try proof.graph(length: length))
      let rows = BertTests.rows([tokens], seed: UInt64(tokens))
      let full = try executor.run(graph, inputs: BertTests.inputs(rows, length: Self.length))
      let cut = try executor.run(short, inputs: BertTests.inputs(rows, length: length))
      let scale = full.map(\.magnitude).max() ?? 0
      #expect(cut.count == full.count && scale > 0)
      for (a, b) in zip(full, cut) { #expect((a - b).magnitude <= 1e-6 * scale) }
    }
  }
}
