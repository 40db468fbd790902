import Files
import Foundation
import TestSupport
import Testing

@testable import Trees

struct XGBoostModelTests {
  private func read(_ text: String) throws -> TreeModel { try XGBoostModel.read(inMemory(text)) }

  private func read(_ changes: [String: String], of text: String = XGBoostSample.text) throws
    -> TreeModel
  {
    var text = text
    for (old, new) in changes {
      try #require(text.contains(old), "\(old)")
      text = text.replacingOccurrences(of: old, with: new)
    }
    return try read(text)
  }

  @Test func aModelSaysWhatItsFileSays() throws {
    let model = try read(XGBoostSample.text)
    #expect(model.library == "XGBoost 3.2.0")
    #expect(model.features == [TreeFeature("size"), TreeFeature("kind", .category(names: []))])
    #expect(model.task == .regression)
    #expect(model.ensemble.base == [0.25])
    #expect(model.ensemble.treeCount == 2)
    // Categories of the set go right; others, and those that are none, left.
    for (row, sum) in [
      ([2.0, 0.0], 1001.25), ([2, 1], 1010.25), ([2.5, 3.9], 1100.25), ([.nan, 3], 1010.25),
      ([0, .nan], 1010.25),
      ([0, -0.5], 1001.25), ([0, 64], 1001.25), ([0, 1e20], 1001.25),
    ] { #expect(model.ensemble.outputs(of: row) == [sum], "\(row)") }
  }

  @Test func bothFormsHoldTheSame() throws {
    let text = XGBoostSample.text.replacingOccurrences(of: "[NaN,Infinity]", with: "[0,0]")
    let model = try read(text)
    #expect(try XGBoostModel.read(inMemory(ubjson(text))) == model)
    let vectors = try read(XGBoostSample.vectors)
    #expect(try XGBoostModel.read(inMemory(ubjson(XGBoostSample.vectors))) == vectors)
  }

  @Test func aFileIsKnownByItsStart() throws {
    let text = XGBoostSample.text
    for start in [
      text, text.replacingOccurrences(of: "{\"learner\"", with: "{\n  \"learner\""),
      "{\"version\":[3],\"learner\":{",
    ] {
      #expect(XGBoostModel.recognises(Array(start.utf8.prefix(64))))
    }
    #expect(try XGBoostModel.recognises(Array(ubjson("{\"learner\":{}}"))))
    for start in [
      "", "{", "[]", "{\"name\":\"tree\"", "{\"learners\":{}", "{\"version\":\"v4\"", "binf",
      "tree\nversion=v4",
    ] {
      #expect(!XGBoostModel.recognises(Array(start.utf8)), "\(start)")
    }
  }

  @Test func vectorsOfLeavesAreReadInBothForms() throws {
    for changes in [
      [:],
      [
        "\"leaf_weights\":[3,4,1,2],": "",
        "\"right_children\":[2,1,0]": "\"right_children\":[2,-1,-1]",
      ],
    ] {
      let ensemble = try read(changes, of: XGBoostSample.vectors).ensemble
      #expect(ensemble.leafWidth == 2)
      #expect(ensemble.outputs(of: [0]) == [2, 4])
      #expect(ensemble.outputs(of: [1]) == [4, 6])
    }
  }

  /// Before version 1.6: one number to begin with, flags as words, and no categories or iterations.
  @Test func oldFilesAreRead() throws {
    let model = try read([
      "\"[2.5E-1]\"": "\"0.25\"", "\"iteration_indptr\":[0,1,2],": "",
      "[0,0,1,0,0]": "[false,false,true,false,false]",
      "\"num_target\":\"1\"": "\"num_target\":\"2\"", ",\"version\":[3,2,0]": "",
      "\"cats\":{\"enc\":[],\"feature_segments\":[],\"sorted_idx\":[]},": "",
    ])
    #expect(model.library == "XGBoost")
    #expect(model.ensemble.base == [0.25, 0.25])
    #expect(model.ensemble.outputs(of: [.nan, 3]) == [1010.25, 0.25])
  }

  @Test(arguments: [
    ("binary:logistic", "[2.5E-1]", -1.0986123085021973, TreeEnsemble.Transform.sigmoid),
    ("binary:logistic", "[0E0]", -13.815509557935018, .sigmoid),
    ("reg:logistic", "[5E-1]", 0, .sigmoid),
    ("binary:logitraw", "[2.5E-1]", 0.25, .identity),
    ("count:poisson", "[2E0]", 0.6931471824645996, .exponential),
    ("survival:aft", "[1E0]", 0, .exponential), ("rank:ndcg", "[-1E0]", -1, .identity),
  ])
  func theObjectiveTellsWhatSumsBeginWith(
    _ name: String, _ score: String, _ base: Double, _ transform: TreeEnsemble.Transform
  ) throws {
    let model = try read(["reg:squarederror": name, "[2.5E-1]": score])
    #expect(abs(model.ensemble.base[0] - base) < 1e-6)
    #expect(Double(Float(model.ensemble.base[0])) == model.ensemble.base[0])
    #expect(model.ensemble.transform == transform)
    #expect(model.task == (name == "binary:logistic" ? .classification(labels: nil) : .regression))
  }

  @Test func classesHaveTheNamesOfTheEstimator() throws {
    func task(_ attribute: String) throws -> TreeTask {
      let quoted = attribute.replacingOccurrences(of: "\"", with: "\\\"")
      return try read([
        "reg:squarederror": "binary:logistic",
        "\"attributes\":{}": "\"attributes\":{\"scikit_learn\":\"\(quoted)\"}",
      ]).task
    }
    #expect(
      try task(#"{"missing": NaN, "_le": {"classes_": ["a", "b"]}}"#)
        == .classification(labels: .texts(["a", "b"])))
    #expect(
      try task(#"{"classes_": [2.0, 7], "n_classes_": 2}"#)
        == .classification(labels: .integers([2, 7])))
    for none in [
      #"{"_estimator_type": "classifier"}"#, #"{"classes_": [0.5, 1]}"#,
      #"{"classes_": [false, true]}"#,
    ] {
      #expect(try task(none) == .classification(labels: nil))
    }
    #expect(
      message { _ = try task(#"{"classes_": ["a"]}"#) }
        == "f: the attribute 'scikit_learn' names 1 class, there are 2")
    #expect(
      message { _ = try task(#"{"missing": -999.0}"#) }
        == "f, the attribute 'scikit_learn':1:19: the estimator reads -999.0 as missing, only NaN is supported"
    )
  }

  /// An estimator stops at its best iteration, a booster does not.
  @Test func treesBehindTheBestIterationAreTheEstimatorsToDrop() throws {
    let best = "\"attributes\":{\"best_iteration\":\"0\"}"
    #expect(try read(["\"attributes\":{}": best]).ensemble.treeCount == 2)
    let estimator = best.replacingOccurrences(of: "}", with: ",\"scikit_learn\":\"{}\"}")
    #expect(try read(["\"attributes\":{}": estimator]).ensemble.treeCount == 1)
    #expect(
      try read(["\"attributes\":{}": estimator, "\"iteration_indptr\":[0,1,2],": ""]).ensemble
        .treeCount == 1)
    #expect(
      message {
        _ = try read([
          "\"attributes\":{}": estimator.replacingOccurrences(of: "\"0\"", with: "\"2\"")
        ])
      }
        == "f: the attribute 'best_iteration' is '2', there are 2 iterations")
  }

  /// Only where the estimator and the booster differ there is something to say.
  @Test(arguments: [
    ("0", "all 2 trees are used", "the first 1 of 2 trees are used"), ("1", nil, nil),
    ("2", nil, "refused"), ("7", nil, "refused"), ("-1", nil, "refused"), ("x", nil, "refused"),
  ])
  func whichTreesAreUsedIsSaid(_ best: String, _ booster: String?, _ estimator: String?) throws {
    func note(_ attributes: String) -> String? {
      do {
        let model = try read(["\"attributes\":{}": "\"attributes\":{\(attributes)}"])
        guard let note = model.note else { return nil }
        return note.split(separator: ", ").first { $0.contains("trees are used") }
          .map { String($0).replacing("and ", with: "") } ?? note
      } catch { return "refused" }
    }
    #expect(note("\"best_iteration\":\"\(best)\"") == booster)
    #expect(note("\"best_iteration\":\"\(best)\",\"scikit_learn\":\"{}\"") == estimator)
    #expect(note("\"scikit_learn\":\"{}\"") == nil)
  }

  @Test func aBestIterationBeyondAllNumbersIsRefused() throws {
    let estimator =
      "\"attributes\":{\"best_iteration\":\"9223372036854775807\",\"scikit_learn\":\"{}\"}"
    #expect(throws: TreeError.self) { try read(["\"attributes\":{}": estimator]) }
  }

  @Test func droppedTreesWeighLess() throws {
    let model = try read([
      "\"gradient_booster\":{\"model\"": "\"gradient_booster\":{\"gbtree\":{\"model\"",
      "\"name\":\"gbtree\"}": "\"name\":\"gbtree\"},\"name\":\"dart\",\"weight_drop\":[1E-1,3E-1]}",
    ])
    let (first, second): (Float, Float) = (0.1, 0.3)
    // In the order in which rows meet the leaves: the set of categories first.
    let leaves: [Float] = [10 * first, 100 * first, 1 * first, 1000 * second]
    #expect(model.ensemble.leaves == leaves.map(Double.init))
  }

  @Test func categoriesHaveTheirNames() throws {
    func names(_ enc: String) throws -> TreeFeature.Kind {
      try read(["\"enc\":[]": "\"enc\":[{\"type\":13,\"values\":[]},\(enc)]"]).features[1].kind
    }
    #expect(
      try names("{\"offsets\":[0,1,1,4],\"values\":[97,-61,-74,98]}")
        == .category(names: ["a", "", "öb"]))
    #expect(try names("{\"type\":9,\"values\":[-7,3]}") == .category(names: ["-7", "3"]))
    #expect(try names("{\"type\":12,\"values\":[-1,3]}") == .category(names: ["65535", "3"]))
  }

  func message(_ body: () throws -> Void) -> String? {
    do { try body() } catch { return "\(error)" }
    return nil
  }
}
