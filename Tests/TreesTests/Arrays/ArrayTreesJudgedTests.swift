import Foundation
import StrictJSON
import Testing

@testable import Trees

/// Estimators of scikit-learn, saved by the blocks of `specs/examples/sklearn/README.md`.
@Suite(.enabled(if: JudgedModel.folder != nil, "INGOT_TREES names no folder of models"))
struct ArrayTreesJudgedTests {
  private static func read(_ judged: JudgedModel) throws -> TreeModel {
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: judged.path)))
    let model = try JSONParser.parseObject(bytes, origin: "model.json")
    return try ArrayTrees.read(model) { try NpyFile("\(judged.folder)/\($0)").array }
  }

  @Test func thereAreModels() throws {
    #expect(try JudgedModel.all(of: "sklearn").count >= 14)
  }

  @Test(arguments: try JudgedModel.all(of: "sklearn"))
  func outputsAreThoseOfTheLibrary(_ judged: JudgedModel) throws {
    let model = try Self.read(judged)
    #expect(model.library.hasPrefix("scikit-learn 1."))
    try judged.judge(model.ensemble)
  }

  @Test(arguments: try JudgedModel.all(of: "sklearn"))
  func labelsAreThoseOfTheLibrary(_ judged: JudgedModel) throws {
    let path = "\(judged.folder)/labels.json"
    let model = try Self.read(judged)
    guard case .classification(let labels) = model.task else {
      #expect(!FileManager.default.fileExists(atPath: path))
      return
    }
    let text = try Data(contentsOf: URL(filePath: path))
    var found: [String]
    let expected: [String]
    switch try #require(labels) {
    case .texts(let words):
      expected = try JSONDecoder().decode([String].self, from: text)
      found = judged.rows.map { words[Self.decision(model, $0)] }
    case .integers(let numbers):
      expected = try JSONDecoder().decode([Int].self, from: text).map(String.init)
      found = judged.rows.map { String(numbers[Self.decision(model, $0)]) }
    }
    for (row, values) in judged.rows.enumerated() where Self.isTie(model, values) {
      found[row] = expected[row]
    }
    #expect(found == expected)
  }

  private static func limit(_ model: TreeModel) -> Double { model.givesProbabilities ? 0.5 : 0 }

  private static func decision(_ model: TreeModel, _ row: [Double]) -> Int {
    let outputs = model.ensemble.outputs(of: row)
    if outputs.count == 1 { return outputs[0] > limit(model) ? 1 : 0 }
    return outputs.indices.max { outputs[$0] < outputs[$1] } ?? 0
  }

  /// Whether the last bits of the sums decide.
  private static func isTie(_ model: TreeModel, _ row: [Double]) -> Bool {
    let outputs = model.ensemble.outputs(of: row).sorted()
    if outputs.count == 1 { return abs(outputs[0] - limit(model)) < 1e-12 }
    return outputs[outputs.count - 1] - outputs[outputs.count - 2] < 1e-12
  }
}
