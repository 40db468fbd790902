import Files
import Graph
import TestSupport
import Testing
import WeightCompression
import Weights

@testable import Formats

/// Dense models: every output, both layouts, standardisation.
extension MLPackageRoundTripTests {
  struct DenseCase: CustomTestStringConvertible, Sendable {
    let name: String
    let layers: String
    let output: String
    let shapes: [TensorName: [Int]]
    var standardises = false
    /// Nodes by name and operation.
    let nodes: [String]
    let means: ModelOutput
    /// Names of outputs, then predicted feature and predicted probabilities.
    let outputs: [String]
    var testDescription: String { name }
  }

  static let dense: [DenseCase] = [
    DenseCase(
      name: "three labels", layers: #"{"weight": "w", "bias": "b", "activation": "softmax"}"#,
      output: #"{"name": "kind", "kind": "classifier", "labels": ["x", "y", "z"]}"#,
      shapes: ["w": [3, 3]],
      nodes: ["layer0_linear_product matmul", "layer0_linear add", "layer0_active softmax"],
      means: .classes(labels: ["x", "y", "z"], width: 3),
      outputs: ["kind", "kind_probability", "kind", "kind_probability"]),
    DenseCase(
      name: "two labels of one output", layers: #"{"weight": "w", "activation": "sigmoid"}"#,
      output: #"{"name": "kind", "kind": "classifier", "labels": ["no", "yes"]}"#,
      shapes: ["w": [1, 3]],
      nodes: ["layer0_linear matmul", "layer0_active sigmoid", "kind_first sub"],
      means: .classes(labels: ["no", "yes"], width: 1),
      outputs: ["kind", "kind_probability", "kind", "kind_probability"]),
    DenseCase(
      name: "two labels of two outputs", layers: #"{"weight": "w", "activation": "softmax"}"#,
      output: #"{"kind": "classifier", "labels": ["no", "yes"]}"#, shapes: ["w": [2, 3]],
      nodes: ["layer0_linear matmul", "layer0_active softmax"],
      means: .classes(labels: ["no", "yes"], width: 2),
      outputs: ["output", "output_probability", "output", "output_probability"]),
    DenseCase(
      name: "one score for two integers", layers: #"{"weight": "w"}"#,
      output: #"{"name": "kind", "kind": "classifier", "labels": [-1, 1]}"#, shapes: ["w": [1, 3]],
      nodes: ["layer0_linear matmul", "kind_first mul"],
      means: .classes(labels: .integers([-1, 1]), width: 1, scale: .scores),
      outputs: ["kind", "kind_score", "kind", "kind_score"]),
    DenseCase(
      name: "two columns of one sigmoid", layers: #"{"weight": "w", "activation": "sigmoid"}"#,
      output: #"{"kind": "classifier", "labels": [0, 1], "columns": 2}"#, shapes: ["w": [1, 3]],
      nodes: ["layer0_linear matmul", "layer0_columns mul", "layer0_active sigmoid"],
      means: .classes(labels: .integers([0, 1]), width: 2),
      outputs: ["output", "output_probability", "output", "output_probability"]),
    DenseCase(
      name: "one against the rest", layers: #"{"weight": "w", "activation": "one-vs-rest"}"#,
      output: #"{"kind": "classifier", "labels": ["x", "y", "z"]}"#, shapes: ["w": [3, 3]],
      nodes: [
        "layer0_linear matmul", "layer0_active_each sigmoid", "layer0_active_sum reduce_sum",
        "layer0_active real_div",
      ],
      means: .classes(labels: ["x", "y", "z"], width: 3),
      outputs: ["output", "output_probability", "output", "output_probability"]),
    DenseCase(
      name: "regressor", layers: #"{"weight": "w"}"#,
      output: #"{"name": "price in €", "kind": "regressor"}"#, shapes: ["w": [2, 3]],
      nodes: ["layer0_linear matmul"], means: .numbers(width: 2),
      outputs: ["price_in____", "price_in____", ""]),
    DenseCase(
      name: "embedding of both layouts, standardised",
      layers: """
        {"weight": "w", "bias": "b", "layout": "in,out", "activation": "tanh"},
        {"weight": "v", "layout": "out,in", "activation": "gelu"}
        """,
      output: #"{"name": "state", "kind": "embedding"}"#, shapes: ["w": [3, 5], "v": [4, 5]],
      standardises: true,
      nodes: [
        "centred sub", "standardised real_div", "layer0_product matmul", "layer0_sum add",
        "layer0_active tanh", "layer1_linear matmul", "layer1_active gelu",
      ], means: .embedding(width: 4), outputs: ["state_workaround", "", ""]),
  ]

  @Test(arguments: dense, [nil, .int8(.perChannel), .palette(bits: 1, .perTensor)] as [Scheme?])
  func dense(_ test: DenseCase, _ scheme: Scheme?) throws {
    let model = try SmallModels.dense(
      layers: test.layers, output: test.output, standardises: test.standardises,
      shapes: test.shapes)
    try model.write(scheme, to: path)
    let opened = try open()
    let architecture = opened.model.architecture
    #expect(architecture.input == model.architecture.input)
    #expect(architecture.output == test.means)
    #expect(architecture.shapes == .single(lengths: [1]))
    #expect(Self.names(try architecture.graph(batch: 1, length: 1)) == test.nodes)
    let description = opened.message.description_p
    #expect(
      description.output.map(\.name)
        + [description.predictedFeatureName, description.predictedProbabilitiesName]
        == test.outputs)
    #expect(description.input.map(\.name) == ["features"])
    #expect(description.input[0].shortDescription == "The features, in this order: a, b, c")
    #expect(description.input[0].type.multiArrayType.shape == [1, 3])
    #expect(description.input[0].type.multiArrayType.dataType == .float32)
    // Statistics stay as they were.
    for name in opened.model.weights.names where ["mean", "scale"].contains(name) {
      #expect(
        try opened.model.weights.floats(of: name) == (try model.weights.floats(of: name)))
    }
  }

  /// Numbers of the graph itself are not a table of positions: two columns are made with two signs.
  @Test func numbersOfTheGraphAreListedAsSuch() throws {
    let model = try SmallModels.dense(
      layers: #"{"weight": "w", "bias": "b", "activation": "sigmoid"}"#,
      output: #"{"kind": "classifier", "labels": [0, 1], "columns": 2}"#,
      shapes: ["w": [1, 3], "b": [1]])
    try model.write(to: path)
    let constants = try CoreMLPackage.inspect(path, files: MLPackageParts.noFiles).constants
    #expect(constants.map { "\($0.name) \($0.role)" } == ["b bias", "numbers number", "w matrix"])
    let read = try open().model
    #expect(try read.usedWeights().first { $0.name == "numbers" }?.role == .number)
  }

  @Test func featuresOfAClassifier() throws {
    try SmallModels.classifier().write(to: path)
    let outputs = try open().message.description_p.output
    #expect(
      outputs.map(\.shortDescription) == ["The most likely of: x, y, z", "The probability of each"])
    guard case .stringType = outputs[0].type.type,
      case .stringKeyType = outputs[1].type.dictionaryType.keyType
    else {
      Issue.record("\(outputs)")
      return
    }
  }

  /// The names of a program's inputs and outputs are not a weight's to take.
  @Test(arguments: ["features", "kind", "kind_probability"])
  func aWeightOfAReservedName(_ name: String) throws {
    let model = try SmallModels.dense(
      layers: #"{"weight": "\#(name)", "activation": "softmax"}"#,
      output: #"{"name": "kind", "kind": "classifier", "labels": ["x", "y", "z"]}"#,
      shapes: [TensorName(name): [3, 3]])
    #expect(
      message { try model.write(to: path) }
        == "small: the name '\(name)' is needed by the format; rename that tensor")
    #expect(try Folder.names(in: folder.path).isEmpty)
  }

  /// Names that are not identifiers, or give one identifier twice, get different ones.
  @Test func namesOfWeights() throws {
    let model = try SmallModels.dense(
      layers: #"{"weight": "a.b", "bias": "a/b"}, {"weight": "1", "bias": "tensor"}"#,
      output: #"{"kind": "embedding"}"#, shapes: ["a.b": [2, 3], "1": [2, 2]])
    try model.write(to: path)
    let weights = try open().model.weights
    #expect(weights.names == ["_1", "a_b", "a_b_1", "tensor_workaround"])
    #expect(try weights.floats(of: "a_b_1") == model.compressed().floats(of: "a/b"))
  }

  /// One weight under two shapes is two constants.
  @Test func oneWeightTwice() throws {
    let model = try SmallModels.dense(
      layers: #"{"weight": "w", "bias": "b"}, {"weight": "w", "bias": "b"}"#,
      output: #"{"kind": "embedding"}"#, shapes: ["w": [3, 3]])
    try model.write(to: path)
    #expect(try open().model.weights.names == ["b", "w"])
  }

  @Test func theTokenizerIsACompanion() throws {
    let model = try SmallModels.bert(tokenizer: Array("{}".utf8))
    let emitted = try model.write(to: path)
    #expect(emitted.companions == ["tokenizer.json": Array("{}".utf8)])
    #expect(emitted.format == .mlpackage)
    #expect(
      emitted.files.map(\.path) == [
        "Data/com.apple.CoreML/model.mlmodel", "Data/com.apple.CoreML/weights/weight.bin",
        "Manifest.json",
      ])
    #expect(try open().model.digest == emitted.digest)
    #expect(try SmallModels.embedding().write(to: path).companions.isEmpty)
  }
}
