import Graph
import ModelFixtures
import TestSupport
import Testing
import Weights

/// Tensors with which the library fails, or where it takes others than the names say.
struct BertWeightsTests {
  private func bert(
    _ shapes: [String: [Int]], _ changes: [String: String] = [:],
    wholeNumbers: [String: String] = [:]
  ) throws -> Bert? {
    try Bert.recognise(
      files(BertTests.texts(changes)),
      weights: ShapesOnly(named: shapes, wholeNumbers: wholeNumbers))
  }

  private func fault(
    _ shapes: [String: [Int]], _ changes: [String: String] = [:],
    wholeNumbers: [String: String] = [:]
  ) -> String {
    message { _ = try bert(shapes, changes, wholeNumbers: wholeNumbers) } ?? "accepted"
  }

  private static let table = "embeddings.word_embeddings.weight"
  private static let norm = "encoder.layer.0.output.LayerNorm"

  @Test func eachNormMayHaveItsOldName() throws {
    let bert = try #require(
      try bert([Self.table: [20, 8], "\(Self.norm).gamma": [8], "\(Self.norm).bias": [8]]))
    let names = try bert.graph(batch: 1, length: 1).weights.map(\.name)
    #expect(
      names.filter { $0.text.hasPrefix(Self.norm) } == ["\(Self.norm).gamma", "\(Self.norm).bias"])
    #expect(names.contains("embeddings.LayerNorm.weight"))
  }

  @Test(arguments: [
    ("vocab_size", "word", 20), ("type_vocab_size", "token_type", 2),
    ("max_position_embeddings", "position", 12),
  ])
  func refusesTablesOfOtherRowsByTheirKey(key: String, table: String, rows: Int) {
    let name = "embeddings.\(table)_embeddings.weight"
    let found = fault([Self.table: [20, 8]].merging([name: [rows + 1, 8]]) { $1 })
    #expect(
      found.hasPrefix("model/config.json:")
        && found.hasSuffix("'\(key)' is \(rows), the table '\(name)' has \(rows + 1) rows"),
      "\(found)")
  }

  @Test(arguments: [("gamma", "weight"), ("beta", "bias")])
  func refusesANormUnderBothNames(old: String, new: String) {
    #expect(
      fault([Self.table: [20, 8], "\(Self.norm).\(old)": [8], "\(Self.norm).\(new)": [8]])
        == "model/config.json: the weights beside it: '\(Self.norm).\(old)' beside "
        + "'\(Self.norm).\(new)', two names of one weight, is not supported; supported: one of the "
        + "two")
  }

  /// One name is enough for the library to look for all under `bert.`.
  @Test(arguments: ["bert.zzz", "bertx", "bert.embeddings.position_embeddings.weight"])
  func refusesOneNameWithThePrefix(name: String) {
    #expect(
      fault([Self.table: [20, 8], name: [3]])
        == "model/config.json: the weights beside it: '\(name)', for which the library looks for "
        + "every weight under 'bert.', beside '\(Self.table)' is not supported; supported: all "
        + "weights with 'bert.' before their names, or none")
  }

  @Test(arguments: ["embeddings.position_embeddings.weight", "pooler.dense.weight"])
  func refusesOneWeightWithoutThePrefix(name: String) {
    #expect(
      fault(["bert." + Self.table: [20, 8], name: [12, 8]])
        == "model/config.json: the weights beside it: '\(name)' beside weights under 'bert.' is not "
        + "supported; supported: all weights with 'bert.' before their names, or none")
  }

  @Test(arguments: ["cls.predictions.bias", "zzz", "bertx", "embeddings.zzz", "bert.zzz"])
  func leavesOutOthersBesideThePrefix(name: String) throws {
    let bert = try #require(try bert(["bert." + Self.table: [20, 8], name: [3]]))
    let names = try bert.graph(batch: 1, length: 1).weights.map(\.name)
    #expect(names.allSatisfy { $0.text.hasPrefix("bert.") })
  }

  @Test func leavesOutOthersWithoutThePrefix() throws {
    #expect(try bert([Self.table: [20, 8], "zbert.x": [3], "cls.x": [3]]) != nil)
  }

  @Test(arguments: ["I8", "BOOL"])
  func refusesWholeNumbers(type: String) {
    #expect(
      fault([Self.table: [20, 8]], wholeNumbers: [Self.table: type])
        == "model/config.json: the weights beside it: '\(Self.table)' of type \(type) is not "
        + "supported; supported: floating point; weights packed into whole numbers have to be "
        + "unpacked before")
    #expect(
      fault([Self.table: [20, 8]], wholeNumbers: ["embeddings.position_ids": "I64"]) == "accepted")
  }

  private static let dense = [
    "modules.json": """
    [{"path": "", "type": "sentence_transformers.models.Transformer"},
     {"path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
     {"path": "2_Dense", "type": "sentence_transformers.models.Dense"}]
    """,
    "2_Dense/config.json": #"{"in_features": 8, "out_features": 4, "bias": false}"#,
  ]

  @Test(arguments: ["2_Dense.linear2.weight", "2_Dense.linear.bias"])
  func refusesWhatAModuleDoesNotHave(name: String) {
    #expect(
      fault([Self.table: [20, 8], "2_Dense.linear.weight": [4, 8], name: [4]], Self.dense)
        == "model/config.json: the weights beside it: '\(name)', which the module of '2_Dense.' does "
        + "not have, is not supported; supported: the module's own weights")
  }

  @Test func aModuleHasItsOwnWeights() {
    #expect(
      fault([Self.table: [20, 8], "2_Dense.linear.weight": [4, 8]], Self.dense) == "accepted")
  }

  @Test func refusesAnAdapterInTheModelsOwnFolder() {
    var texts = BertTests.texts([
      "modules.json": BertTests.edited(
        BertTests.modules, #""path": "", "#, #""path": "0_Transformer", "#),
      "adapter_config.json": "{}",
    ])
    texts["0_Transformer/config.json"] = texts.removeValue(forKey: "config.json")
    #expect(
      message { _ = try Bert.recognise(files(texts), weights: ShapesOnly()) }
        == "model/adapter_config.json: an adapter beside the weights is not supported; supported: "
        + "models it was merged into (merge_and_unload)")
  }
}
