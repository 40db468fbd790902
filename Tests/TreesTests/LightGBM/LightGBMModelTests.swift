import Files
import Foundation
import TestSupport
import Testing

@testable import Trees

/// What is read of small files.
struct LightGBMModelTests {
  static let forms = [LightGBMSample.text, LightGBMSample.json]

  private func read(_ text: String) throws -> TreeModel { try LightGBMModel.read(inMemory(text)) }

  @Test(arguments: forms) func bothFormsAreRead(_ text: String) throws {
    #expect(LightGBMModel.isLightGBM(start: Array(text.utf8.prefix(64))))
    let model = try read(text)
    #expect(model.task == .classification(labels: nil))
    #expect(model.library == "LightGBM")
    #expect(model.ensemble.transform == .sigmoid)
    for (row, sum) in [
      ([-2.0, 0, 0], 1.5), ([0.05, 0, 0], 0.25), ([0, 0, 0], 1.5), ([1, 0, 2], 20.5),
      ([1, 0, 33.9], 20.5), ([1, 0, 3], 300.5), ([1, 0, -2], 300.5), ([1, 0, .nan], 300.5),
      ([.nan, 0, 2], 20.5),
    ] { #expect(model.ensemble.sums(of: row) == [sum], "\(row)") }
  }

  @Test(arguments: forms) func featuresHaveNames(_ text: String) throws {
    let features = try read(text).features
    #expect(features.map(\.name) == ["age", "höhe", "city"])
    #expect(features[1].kind == .number)
    guard case .category(let names) = features[2].kind else {
      Issue.record("\(features[2])")
      return
    }
    #expect(names.prefix(6) == ["a", "b", "2", "3.5", "true", "n0"])
    #expect(names.count == 34)
  }

  @Test func namesThatCannotBeToldAreLeftOut() throws {
    // A second column: an ordered one, which is a number to LightGBM.
    let two = LightGBMSample.text.replacingOccurrences(of: "[[\"a\"", with: "[[1], [\"a\"")
    #expect(try read(two).features[2].kind == .category(names: []))
    let none = LightGBMSample.text.replacingOccurrences(
      of: "\\[\\[\"a\".*\\n", with: "null\n", options: .regularExpression)
    #expect(try read(none).features[2].kind == .category(names: []))
  }

  @Test(arguments: [
    ("binary sigmoid:2", TreeEnsemble.Transform.sigmoid, true, 1.0),
    ("cross_entropy", .sigmoid, false, 0.5), ("regression", .identity, false, 0.5),
    ("regression_l1", .identity, false, 0.5), ("poisson", .exponential, false, 0.5),
    ("lambdarank", .identity, false, 0.5), ("custom", .identity, false, 0.5),
  ])
  func objectivesSayWhatOutputsAre(
    _ name: String, _ transform: TreeEnsemble.Transform, _ isClassification: Bool, _ leaf: Double
  ) throws {
    for form in Self.forms {
      let model = try read(form.replacingOccurrences(of: "binary sigmoid:1", with: name))
      #expect(model.ensemble.transform == transform)
      #expect((model.task != .regression) == isClassification)
      #expect(model.ensemble.leaves.last == leaf)
    }
  }

  @Test func withoutAnObjectiveSumsAreTheOutputs() throws {
    let text = LightGBMSample.text.replacingOccurrences(
      of: "objective=binary sigmoid:1\n", with: "")
    #expect(try read(text).ensemble.transform == .identity)
  }

  @Test func aForestIsAMean() throws {
    let text = LightGBMSample.text.replacingOccurrences(
      of: "feature_names", with: "average_output\nfeature_names")
    #expect(try read(text).ensemble.sums(of: [1, 0, 2]) == [10.25])
  }

  @Test func numbersNextToZeroAreZero() throws {
    let zero = Double(1e-35 as Float)
    for (threshold, row, sum) in [
      ("1e-36", zero, 20.5), ("1e-36", zero.nextUp, 300.5),
      ("-1.0000000180025095e-35", -zero, 300.5),
      ("-1.0000000180025095e-35", (-zero).nextDown, 20.5),
    ] {
      let text = LightGBMSample.json
        .replacingOccurrences(of: "\"threshold\": \"2||33\"", with: "\"threshold\": \(threshold)")
        .replacingOccurrences(of: "\"==\"", with: "\"<=\"")
      #expect(try read(text).ensemble.sums(of: [1, 0, row]) == [sum], "\(threshold) \(row)")
    }
  }

  @Test func nothingElseIsTakenForLightGBM() {
    for text in [
      "", "tree", "tree\nversio", "{}", "{\"learner\":", "{\"name\": \"other\"",
      "tree\r\nversion=v4",
    ] {
      #expect(!LightGBMModel.isLightGBM(start: Array(text.utf8)), "\(text)")
    }
  }

  /// Trees as deep as LightGBM grows them, leaf by leaf, in objects within each other.
  @Test func deepTreesAreRead() throws {
    func dump(_ depth: Int) -> String {
      let branch = """
        {"split_feature": 0, "threshold": 1, "decision_type": "<=", "default_left": false,
         "missing_type": "NaN", "right_child": {"leaf_value": 1}, "left_child":
        """
      let tree =
        String(repeating: branch, count: depth) + "{\"leaf_value\": 7}"
        + String(repeating: "}", count: depth)
      return """
        {"name": "tree", "version": "v4", "num_class": 1, "max_feature_idx": 0, "feature_names": ["a"],
         "tree_info": [{"tree_index": 0, "num_leaves": \(depth + 1), "tree_structure": \(tree)}]}
        """
    }
    #expect(try read(dump(4000)).ensemble.sums(of: [0]) == [7])
    #expect(throws: ScanError.self) { try read(dump(5000)) }
    #expect(throws: ScanError.self) { try read(String(repeating: "{\"name\":", count: 100_000)) }
    #expect(throws: ScanError.self) {
      try read("{\"monotone_constraints\":" + String(repeating: "[", count: 100_000))
    }
  }
}
