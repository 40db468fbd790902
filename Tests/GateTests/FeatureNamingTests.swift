import Graph
import ModelFixtures
import TestSupport
import Testing

@testable import Gate
@testable import Inputs

/// Columns of a table are matched with features by their names.
struct FeatureNamingTests {
  @Test func columnsTakeTheModelsOrder() throws {
    let set = try references(["x1,x0,output", "1,10,0", "2,20,0"], origin: "r.csv")
    let arranged = try set.arranged(for: .features(names: ["x0", "x1"]))
    #expect(arranged.inputs == [.values([10, 1]), .values([20, 2])])
    #expect(arranged.features == nil)
    #expect(arranged.digest == set.digest)
    #expect(try arranged.arranged(for: .features(names: ["x0", "x1"])).inputs == arranged.inputs)
  }

  @Test func otherColumnsAreAnError() throws {
    let set = try references(["x1,y", "1,10"], origin: "r.csv")
    let fault = refusal { _ = try set.arranged(for: .features(names: ["x0", "x1"])) }
    #expect(
      fault == "r.csv:1: the columns are 'x1', 'y', the model takes 2 features: 'x0', 'x1'; "
        + "too many: 'y'; missing: 'x0'")
    let fewer = try references(["x1", "1"], origin: "r.csv")
    #expect(
      refusal { _ = try fewer.arranged(for: .features(names: ["x0", "x1"])) }
        == "r.csv:1: the columns are 'x1', the model takes 2 features: 'x0', 'x1'; missing: 'x0'")
    let more = try references(["x1,x0,label", "1,2,3"], origin: "r.csv")
    #expect(
      refusal { _ = try more.arranged(for: .features(names: ["x0", "x1"])) }.hasSuffix(
        "the model takes 2 features: 'x0', 'x1'; too many: 'label'"))
  }

  /// The gate and the encoder arrange them on their own.
  @Test func theGateJudgesByNames() throws {
    let model = try denseModel([[1, 0]], .numbers)
    let swapped = try references(["x1,x0"] + (0..<9).map { "1000,\($0)" }, origin: "r.csv")
    let verdict = try Gate(on: swapped, Limits(), threshold: nil, jobs: 1).judge(
      [denseModel([[1, 0.001]], .numbers)], against: [model])
    guard case .outputs(let drift)? = verdict.metrics?.drift else {
      Issue.record("no outputs")
      return
    }
    // 1000 × 0.001 of the second feature, in a range of 8 of the first.
    #expect((drift.max - 1.0 / 8).magnitude < 1e-4)
    let lines = try InputLines(bytes: Array("x1,x0\n1000,7\n".utf8), origin: "i.csv")
    #expect(try ModelRunner(model: model, jobs: 1).outputs(for: lines).values == [7])
  }
}
