import Formats
import Foundation
import Graph
import Inputs
import TestSupport
import Testing
import Weights

/// Models whose training stopped early predict as the object of the library that Ingot follows, and where another
/// predicts otherwise, a note says how to get that.
@Suite(.enabled(if: Oracle.isAvailable, "INGOT_ORACLE_PYTHON names no Python environment"))
struct EarlyStoppingTests {
  private let folder: TemporaryFolder
  private let rows: [[Double]]
  private let expected: [String: [Double]]
  /// What the library's other object gives for a file.
  private let other: [String: [Double]]
  private let trees: [String: Int]

  init() throws {
    folder = try TemporaryFolder()
    _ = try Oracle.run("early_stopping.py", [folder.path])
    let path = folder.path
    func read<Value: Decodable>(_ name: String) throws -> Value {
      try JSONDecoder().decode(
        Value.self, from: Data(contentsOf: URL(filePath: "\(path)/\(name).json")))
    }
    rows = try read("rows")
    expected = try read("expected")
    other = try read("other")
    trees = try read("trees")
  }

  private func outputs(_ name: String) throws -> [Double] {
    let model = try ModelLoader.open(folder.path(name))
    let outputs = try ModelRunner(model: model, jobs: 2).outputs(for: rows.map { .values($0) })
    try #require(outputs.width == 1)
    return outputs.values.map(Double.init)
  }

  private func areEqual(_ one: [Double], _ other: [Double]?) -> Bool {
    guard let other, one.count == other.count, !one.isEmpty else { return false }
    return zip(one, other).allSatisfy { abs($0 - $1) <= 1e-6 }
  }

  @Test func outputsAreThoseOfTheObjectThatIsFollowed() throws {
    #expect(expected.count == 9 && other.count == 3)
    for (name, values) in expected { #expect(areEqual(try outputs(name), values), "\(name)") }
    // The other object does not predict the same, and does so with the file that the note names.
    for (file, mended) in [
      ("native.json", "native-best.json"), ("native.ubj", "native-best.json"),
      ("estimator.json", "estimator-all.json"),
    ] {
      #expect(!areEqual(try outputs(file), other[file]), "\(file)")
      #expect(areEqual(try outputs(mended), other[file]), "\(file)")
    }
  }

  private func note(_ name: String) throws -> String? {
    TreeFiles.note(try ModelLoader.weights(of: folder.path(name)))
  }

  @Test func notesSayWhatIsUsed() throws {
    let (best, all) = (try #require(trees["best"]), try #require(trees["all"]))
    let ofBooster =
      "training stopped early, at 'best_iteration' \(best - 1), and all \(all) trees are used, as "
      + "'Booster.predict' does; what 'XGBClassifier' and 'XGBRegressor' predict with is in the file "
      + "that 'booster[:\(best)].save_model' writes"
    for name in ["native.json", "native.ubj", "estimator-all.json"] {
      #expect(try note(name) == ofBooster, "\(name)")
    }
    #expect(
      try note("estimator.json")
        == "training stopped early, at 'best_iteration' \(best - 1), and the first \(best) of \(all) "
        + "trees are used, as the estimator that wrote the file does; what 'Booster.predict' uses is "
        + "in the file that 'model.get_booster().save_model' writes")
    for name in expected.keys
    where name == "native-best.json" || name.contains("lightgbm") || name.contains("catboost") {
      #expect(try note(name) == nil, "\(name)")
    }
  }

  @Test func commandsSayIt() throws {
    let words = try #require(try note("native.json"))
    try folder.write("in.jsonl", "{\"values\": [1, 2, 3, 4, 5]}\n")
    func run(_ arguments: [String]) throws -> Program {
      try Program.run(arguments, in: folder.path)
    }
    let embedded = try run(["embed", "native.json", "--inputs", "in.jsonl", "-o", "o.npy"])
    #expect(embedded.status == 0 && embedded.errors == "native.json: \(words)\n")
    let best = try run(["embed", "native-best.json", "--inputs", "in.jsonl", "-o", "o.npy"])
    #expect(best.status == 0 && best.errors.isEmpty)
    let inspected = try run(["inspect", "native.json"])
    #expect(inspected.output.contains("\nnote: \(words)\n"), "\(inspected.output)")
    #expect(!(try run(["inspect", "native-best.json"]).output.contains("note: ")))
    let json = try run(["inspect", "native.json", "--json"]).output
    let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    let metadata = object?["metadata"] as? [String: String]
    #expect(metadata?["trees.note"] == words)
  }
}
