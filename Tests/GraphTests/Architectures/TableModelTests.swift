import Graph
import ModelFixtures
import TestSupport
import Testing
import Weights

struct TableModelTests {
  private static let pipeline = """
    {"architecture": "tabular", "library": "l 1",
     "inputs": [{"name": "a"}, {"name": "b"},
                {"name": "c", "kind": "category", "categories": ["x", "y", "z"]}],
     "steps": [
       {"name": "numbers", "kind": "columns", "inputs": ["features"], "places": [0, 1]},
       {"name": "scaled", "kind": "multiply", "inputs": ["numbers", {"array": "scale"}]},
       {"name": "code", "kind": "columns", "inputs": ["features"], "places": [2]},
       {"name": "hot", "kind": "matches", "inputs": ["code", {"array": "keys"}]},
       {"name": "all", "kind": "join", "inputs": ["scaled", "hot"]},
       {"name": "scores", "kind": "linear", "inputs": ["all", {"array": "w"}, {"array": "b"}]},
       {"name": "shares", "kind": "softmax", "inputs": ["scores"]}],
     "returns": "shares",
     "output": {"kind": "classifier", "name": "p", "labels": ["n", "m"], "gives": "probabilities"}}
    """
  private static let shapes = ["scale": [2], "keys": [3], "w": [2, 5], "b": [2]]

  private func model(_ text: String, _ shapes: [String: [Int]] = shapes) throws -> TableModel? {
    try TableModel.recognise(files(["model.json": text]), weights: ShapesOnly(named: shapes))
  }

  @Test func stepsBecomeAGraph() throws {
    let model = try #require(try model(Self.pipeline))
    let graph = try model.graph(batch: 4, length: 1)
    #expect(graph.outputType == ValueType(.float32, [4, 2]))
    #expect(
      graph.weights == [
        WeightReference("scale", [2], role: .statistic),
        WeightReference("keys", [3], role: .statistic),
        WeightReference("w", [2, 5], role: .matrix(outputAxis: 0)),
        WeightReference("b", [2], role: .bias),
      ])
    #expect(model.input.words == "3 values ('a', 'b', 'c')")
    #expect(model.output == .classes(labels: ["n", "m"], width: 2))
    #expect(model.outputName == "p")
  }

  @Test func anotherArchitectureIsLeftAlone() throws {
    #expect(try model(BertTests.edited(Self.pipeline, "tabular", "dense")) == nil)
  }

  struct Refusal: CustomTestStringConvertible, Sendable {
    let old: String
    let new: String
    let words: String
    var shapes = TableModelTests.shapes
    var testDescription: String { words }
  }

  static let refusals = [
    Refusal(
      old: "[\"scaled\", \"hot\"]", new: "[\"scaled\", \"shares\"]",
      words: "step 'all' reads 'shares', which no earlier step makes"),
    Refusal(
      old: "[\"scaled\", \"hot\"]", new: "[\"all\", \"hot\"]",
      words: "step 'all' reads 'all', which no earlier step makes"),
    Refusal(
      old: "\"inputs\": [\"code\",", new: "\"inputs\": [\"codes\",",
      words: "step 'hot' reads 'codes', which no earlier step makes"),
    Refusal(
      old: "\"name\": \"scaled\"", new: "\"name\": \"numbers\"",
      words: "the step 'numbers' needs a unique name of letters, digits and '_'"),
    Refusal(
      old: "\"name\": \"numbers\"", new: "\"name\": \"features\"",
      words: "the step 'features' needs a unique name of letters, digits and '_'"),
    Refusal(
      old: "\"name\": \"shares\"", new: "\"name\": \"a.b\"",
      words: "the step 'a.b' needs a unique name of letters, digits and '_'"),
    Refusal(
      old: "\"softmax\"", new: "\"erf\"", words: "step 'shares' is of the kind 'erf', expected one"),
    Refusal(
      old: "[\"scores\"]", new: "[\"scores\", \"all\"]",
      words: "step 'shares' has 2 inputs, 'softmax' takes 1"),
    Refusal(
      old: "[\"scores\"]", new: "[3]", words: "step 'shares' has an input that is the number 3"),
    Refusal(
      old: "\"places\": [2]", new: "\"places\": [3]",
      words: "asks for column 3, there are 3"),
    Refusal(
      old: "\"places\": [2]", new: "\"places\": [-1]", words: "step 'code' has the place"),
    Refusal(old: "\"places\": [2]", new: "\"places\": []", words: "has no places"),
    Refusal(
      old: "\"inputs\": [\"scores\"]", new: "\"inputs\": [\"scores\"], \"group\": 3",
      words: "has groups of 3 of 2 columns"),
    Refusal(
      old: "\"kind\": \"join\"", new: "\"kind\": \"join\", \"group\": 2",
      words: "step 'all' of the kind 'join' has a group"),
    Refusal(
      old: "\"kind\": \"join\"", new: "\"kind\": \"join\", \"outputs\": 2",
      words: "step 'all' has 'outputs', which is for 'trees'"),
    Refusal(
      old: "\"returns\": \"shares\"", new: "\"returns\": \"share\"",
      words: "'returns' is 'share', which no step makes"),
    Refusal(
      old: "[\"n\", \"m\"]", new: "[\"n\", \"m\", \"o\"]", words: "there are 3 labels"),
    Refusal(
      old: "tabular", new: "tabular", words: "the array 'keys' is missing",
      shapes: ["scale": [2], "w": [2, 5], "b": [2]]),
    Refusal(
      old: "tabular", new: "tabular", words: "shapes [1, 2] and [3] do not broadcast",
      shapes: ["scale": [3], "keys": [3], "w": [2, 5], "b": [2]]),
    Refusal(
      old: "tabular", new: "tabular",
      words: "the array 'keys' has the shape [3, 1], expected one axis",
      shapes: ["scale": [2], "keys": [3, 1], "w": [2, 5], "b": [2]]),
    Refusal(
      old: "tabular", new: "tabular", words: "the last axis of both must be equal",
      shapes: ["scale": [2], "keys": [3], "w": [2, 6], "b": [2]]),
    Refusal(
      old: "\"softmax\", \"inputs\": [\"scores\"]",
      new:
        "\"trees\", \"inputs\": [\"scores\"], \"outputs\": 2, \"divisor\": 0, \"sums\": \"float32\"",
      words: "step 'shares' divides its sums"),
    Refusal(
      old: "\"softmax\", \"inputs\": [\"scores\"]",
      new:
        "\"trees\", \"inputs\": [\"scores\"], \"outputs\": 2, \"divisor\": 1, \"sums\": \"float32\"",
      words: "shares.leaves"),
    Refusal(
      old: "\"join\", \"inputs\": [\"scaled\", \"hot\"]",
      new: "\"add\", \"inputs\": [{\"array\": \"scale\"}, {\"array\": \"scale\"}]",
      words: "reads only arrays, expected a step"),
  ]

  @Test(arguments: refusals)
  func whatIsNotSoundIsNamed(_ refusal: Refusal) throws {
    let text =
      refusal.old == refusal.new
      ? Self.pipeline : BertTests.edited(Self.pipeline, refusal.old, refusal.new)
    let error = #expect(throws: (any Error).self) { try model(text, refusal.shapes) }
    let words = "\(try #require(error))"
    #expect(words.contains(refusal.words), "\(words)")
  }

  /// A hundred thousand are more than any describing file may hold.
  @Test(arguments: [
    (10_001, "step 's10000' is one of 10001, at most 10000 are read"),
    (100_000, "the text holds more than 300000 values"),
  ])
  func manyStepsAreRefused(_ count: Int, _ expected: String) throws {
    var steps = "{\"name\": \"s0\", \"kind\": \"relu\", \"inputs\": [\"features\"]}"
    for number in 1..<count {
      steps += ", {\"name\": \"s\(number)\", \"kind\": \"relu\", \"inputs\": [\"s\(number - 1)\"]}"
    }
    let text = """
      {"architecture": "tabular", "inputs": [{"name": "a"}], "steps": [\(steps)],
       "returns": "s1", "output": {"kind": "regressor"}}
      """
    let error = #expect(throws: (any Error).self) { try model(text) }
    let words = "\(try #require(error))"
    #expect(words.contains(expected), "\(words)")
  }
}
