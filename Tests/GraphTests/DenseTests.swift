import Graph
import ModelFixtures
import TestSupport
import Testing
import Weights

struct DenseTests {
  private static let network = """
    {"architecture": "dense", "inputs": [{"name": "a"}, {"name": "b"}, {"name": "c"}],
     "standardize": {"mean": "mean.npy", "scale": "scale.npy"},
     "layers": [
       {"weight": "w0.npy", "bias": "b0.npy", "layout": "in,out", "activation": "relu"},
       {"weight": "w1", "bias": "b1", "activation": "softmax"}],
     "output": {"name": "y", "kind": "classifier", "labels": ["p", "q"]}}
    """
  private static let shapes = ["w0": [3, 4], "w1": [2, 4]]

  private func dense(_ text: String, _ shapes: [String: [Int]] = shapes) throws -> Dense? {
    try Dense.recognise(files(["model.json": text]), weights: ShapesOnly(named: shapes))
  }

  @Test func buildsAGraphInBothLayouts() throws {
    let dense = try #require(try dense(Self.network))
    let graph = try dense.graph(batch: 5, length: 1)
    #expect(graph.outputType == ValueType(.float32, [5, 2]))
    #expect(
      graph.weights == [
        WeightReference("mean", [3], role: .statistic),
        WeightReference("scale", [3], role: .statistic),
        WeightReference("w0", [3, 4], role: .matrix(outputAxis: 1)),
        WeightReference("b0", [4], role: .bias),
        WeightReference("w1", [2, 4], role: .matrix(outputAxis: 0)),
        WeightReference("b1", [2], role: .bias),
      ])
    #expect(dense.output == .classes(labels: ["p", "q"], width: 2))
  }

  @Test func aRowOfCoefficientsIsOneOutput() throws {
    let text = """
      {"architecture": "dense", "inputs": [{"name": "a"}, {"name": "b"}],
       "layers": [{"weight": "coef"}], "output": {"kind": "regressor"}}
      """
    let dense = try #require(try dense(text, ["coef": [2]]))
    #expect(dense.output == .numbers(width: 1))
    #expect(try dense.graph(batch: 1, length: 1).weights[0].shape == [1, 2])
  }

  @Test func integerLabelsAreNotTexts() throws {
    let text = BertTests.edited(Self.network, "[\"p\", \"q\"]", "[0, 7]")
    let dense = try #require(try dense(text))
    #expect(dense.output == .classes(labels: .integers([0, 7]), width: 2))
    #expect(dense.output != .classes(labels: ["0", "7"], width: 2))
    #expect(ClassLabels.integers([0, 7]).words == ["0", "7"])
    #expect(ClassLabels.texts(["0", "7"]).words == ["'0'", "'7'"])
  }

  @Test(arguments: [
    ("identity", ScoreScale.scores), ("relu", .scores), ("tanh", .scores), ("gelu", .scores),
    ("softmax", .probabilities), ("sigmoid", .probabilities), ("one-vs-rest", .probabilities),
  ])
  func onlyProbabilitiesAreCalledSo(_ activation: String, _ scale: ScoreScale) throws {
    let text = BertTests.edited(Self.network, "softmax", activation)
    let dense = try #require(try dense(text))
    #expect(dense.output == .classes(labels: ["p", "q"], width: 2, scale: scale))
  }

  @Test func oneSigmoidBecomesTwoColumns() throws {
    let text = BertTests.edited(
      BertTests.edited(Self.network, "softmax", "sigmoid"), "\"labels\"",
      "\"columns\": 2, \"labels\"")
    let dense = try #require(try dense(text, ["w0": [3, 4], "w1": [1, 4]]))
    #expect(dense.output == .classes(labels: ["p", "q"], width: 2))
    #expect(try dense.graph(batch: 5, length: 1).outputType == ValueType(.float32, [5, 2]))
  }

  struct Refusal: CustomTestStringConvertible, Sendable {
    let name: String
    let old: String
    let new: String
    let expected: String
    var testDescription: String { name }
  }

  private static func otherLabel(_ label: String) -> String {
    "model/model.json:6:62: a label is \(label), expected distinct whole numbers as the others are"
  }

  static let refusals: [Refusal] = [
    Refusal(
      name: "unknown key", old: "\"standardize\"", new: "\"standardise\"",
      expected: "model/model.json:2:17: unknown key 'standardise'; known here: architecture, "
        + "inputs, standardize, normalize, layers, output"),
    Refusal(
      name: "norm", old: "\"layers\": [", new: "\"normalize\": \"max\", \"layers\": [",
      expected: "model/model.json:3:15: 'normalize' is 'max', expected 'l1' or 'l2'"),
    Refusal(
      name: "activation", old: "relu", new: "swish",
      expected: "model/model.json:4:4: 'activation' is 'swish', expected one of identity, relu, "
        + "sigmoid, tanh, softmax, gelu, one-vs-rest"),
    Refusal(
      name: "one against the rest in the middle", old: "relu", new: "one-vs-rest",
      expected: "model/model.json:1:1: layer 1 of 2 has the activation 'one-vs-rest', which is for "
        + "the last one"),
    Refusal(
      name: "columns of a softmax", old: "\"labels\"", new: "\"columns\": 1, \"labels\"",
      expected: "model/model.json:6:59: 'columns' is 1, the last layer has 2 outputs with the "
        + "activation 'softmax'; 2 columns are made of one sigmoid"),
    Refusal(
      name: "labels of both kinds", old: "[\"p\", \"q\"]", new: "[0, \"q\"]",
      expected: otherLabel("the string \"q\"")),
    Refusal(
      name: "integer twice", old: "[\"p\", \"q\"]", new: "[7, 7]",
      expected: otherLabel("the number 7")),
    Refusal(
      name: "layout", old: "in,out", new: "out-in",
      expected: "model/model.json:4:4: 'layout' is 'out-in', expected 'out,in' or 'in,out'"),
    Refusal(
      name: "missing weight", old: "w0.npy", new: "nowhere.npy",
      expected: "model/model.json: the model needs a weight 'nowhere', which is not there"),
    Refusal(
      name: "wrong layout", old: "\"layout\": \"in,out\", ", new: "",
      expected: "model/model.json: weight 'w0' has shape [3, 4], the model needs [3, 3]"),
    Refusal(
      name: "labels", old: "[\"p\", \"q\"]", new: "[\"p\", \"q\", \"r\"]",
      expected: "model/model.json:6:12: there are 3 labels, the last layer has 2 outputs"),
    Refusal(
      name: "label twice", old: "[\"p\", \"q\"]", new: "[\"p\", \"p\"]",
      expected: "model/model.json:6:64: a label is the string \"p\", expected distinct strings"),
    Refusal(
      name: "feature twice", old: "{\"name\": \"b\"}", new: "{\"name\": \"a\"}",
      expected: "model/model.json:1:53: the feature name 'a' is empty or appears twice"),
    Refusal(
      name: "kind", old: "classifier", new: "oracle",
      expected: "model/model.json:6:12: 'kind' is 'oracle', expected classifier, regressor or "
        + "embedding"),
  ]

  @Test(arguments: refusals)
  func refuses(_ refusal: Refusal) {
    let text = BertTests.edited(Self.network, refusal.old, refusal.new)
    #expect(message { _ = try dense(text) } == refusal.expected)
  }
}
