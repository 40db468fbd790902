import Foundation
import TestSupport
import Testing

/// What `check` and `explain` say of two files of XGBoost's where one thing differs, with the rows that XGBoost
/// itself then sends elsewhere.
@Suite(
  .enabled(
    if: TreeFolder.root != nil && Oracle.isAvailable, "no models of tables: run scripts/test"))
struct TreeBlameInteropTests {
  private struct Change: Decodable {
    let tree: Int
    let trees: Int
    let leafRows: Int
    let thresholdRows: Int
    let lastRows: Int
    let feature: String
    let baseline: Double
    let candidate: Double
  }

  private let scratch: TemporaryFolder
  private let change: Change
  private let model = "\(TreeFolder.root ?? "")/xgboost/classifier/model.json"

  init() throws {
    scratch = try TemporaryFolder()
    let folder = "\(TreeFolder.root ?? "")/xgboost/classifier"
    let text = try Oracle.run("trees/change_trees.py", [folder, scratch.path])
    change = try JSONDecoder().decode(Change.self, from: Data(text.utf8))
  }

  private func check(_ name: String) throws -> Program {
    try Program.run(
      ["check", model, name, "--references", "rows.jsonl", "--limits", "strict"], in: scratch.path)
  }

  @Test func aLeafNamesItsTree() throws {
    let found = try check("leaf.json")
    #expect(found.status == 3, "\(found.errors)")
    #expect(
      found.errors.contains(
        "tree \(change.tree): leaves differ by up to 0.25; moves \(change.leafRows) of 400 inputs"),
      "\(found.errors)")
  }

  @Test func aThresholdNamesItsFeature() throws {
    let found = try check("threshold.json")
    #expect(found.status == 3, "\(found.errors)")
    let numbers = (Float(change.baseline), Float(change.candidate))
    #expect(
      found.errors.contains(
        "feature '\(change.feature)': threshold \(numbers.0) of tree \(change.tree), node 1 is "
          + "\(numbers.1); \(change.thresholdRows) of 400 inputs go another way"), "\(found.errors)"
    )
  }

  @Test func aTreeThatIsMissingIsNamed() throws {
    let found = try check("fewer.json")
    #expect(found.status == 3, "\(found.errors)")
    #expect(
      found.errors.contains(
        "tree \(change.trees - 1) of the baseline is missing; moves \(change.lastRows) of 400 "
          + "inputs"), "\(found.errors)")
  }

  /// What passes is explained, too, and `--json` has the same as values.
  @Test func explainNamesThemToo() throws {
    let loose = "lenient,similarity-drift-mean=1,similarity-drift-max=1"
    let found = try Program.run(
      [
        "explain", model, "threshold.json", "--references", "rows.jsonl", "--limits", loose,
        "--json",
      ], in: scratch.path)
    #expect(found.status == 0, "\(found.errors)")
    let trees = try #require(try found.json()["trees"] as? [[String: Any]])
    #expect(trees.count == 1)
    #expect(trees.first?["what"] as? String == "threshold")
    #expect(trees.first?["node"] as? Int == 1)
    #expect(trees.first?["moved"] as? Int == change.thresholdRows)
    let text = try Program.run(
      ["explain", model, "leaf.json", "--references", "rows.jsonl", "--limits", loose],
      in: scratch.path)
    #expect(text.output.contains("tree \(change.tree): leaves differ by up to 0.25"), "\(text)")
  }
}
