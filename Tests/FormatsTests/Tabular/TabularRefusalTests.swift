import Testing
import Trees

@testable import Formats

/// What is not sound, or not understood, is refused with words.
struct TabularRefusalTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let words: String
    let change: @Sendable (inout StumpFile) -> Void
    var testDescription: String { words }

    init(_ words: String, _ change: @escaping @Sendable (inout StumpFile) -> Void) {
      self.words = words
      self.change = change
    }
  }

  private static let trees: [Case] = [
    Case("tree 0, node 0: has the child 9, which is not in the tree") {
      $0.nodes[0].trueChildNodeID = 9
    },
    Case("tree 0: has no root: its nodes form a cycle") {
      $0.nodes[0].trueChildNodeID = 0
      $0.nodes.remove(at: 1)
    },
    Case("tree 0, node 0: is part of a cycle") { $0.nodes[0].trueChildNodeID = 0 },
    Case("tree 0, node 0: has the child 1, which another node has too") {
      $0.nodes[0].falseChildNodeID = 1
    },
    Case("tree 0: has two roots, the nodes 0 and 7") { $0.nodes.append(StumpFile.leaf(7, 1)) },
    Case("tree 0, node 3: is part of a cycle") {
      for (id, child): (UInt64, UInt64) in [(3, 4), (4, 3)] {
        var node = $0.nodes[0]
        node.nodeID = id
        node.trueChildNodeID = child
        node.falseChildNodeID = id + 10
        $0.nodes += [node, StumpFile.leaf(id + 10, 1)]
      }
    },
    Case("tree 0: has two nodes 2") { $0.nodes[1].nodeID = 2 },
    Case("tree 8: has two roots, the nodes 1 and 2") {
      for place in [1, 2] { $0.nodes[place].treeID = 8 }
      $0.nodes.removeFirst()
    },
    Case("tree 0, node 0: looks at feature 1, there are 1") { $0.nodes[0].branchFeatureIndex = 1 },
    Case("tree 0, node 0: looks at feature \(Int.max), there are 1") {
      $0.nodes[0].branchFeatureIndex = .max
    },
    Case("tree 0, node 0: compares with NaN") { $0.nodes[0].branchFeatureValue = .nan },
    Case("tree 0, node 0: has the behaviour 7, expected 0 to 6") {
      $0.nodes[0].nodeBehavior = .UNRECOGNIZED(7)
    },
    Case("tree 0, node 0: is a branch with a value, which only leaves have") {
      $0.nodes[0].evaluationInfo = $0.nodes[1].evaluationInfo
    },
    Case("tree 0, node 1: is a leaf without a value") { $0.nodes[1].evaluationInfo = [] },
    Case("tree 0, node 1: is a leaf of [inf], which is not finite") {
      $0.nodes[1].evaluationInfo[0].evaluationValue = .infinity
    },
    Case("tree 0, node 1: adds to number 1, the model gives 1, from 0") {
      for place in [1, 2] { $0.nodes[place].evaluationInfo[0].evaluationIndex = 1 }
    },
    Case("has no trees") { $0.nodes = [] },
    Case("is a regressor of 2 numbers, expected one") {
      $0.message.treeEnsembleRegressor.treeEnsemble.numPredictionDimensions = 2
    },
    Case("is a regressor of \(Int.max) numbers, expected one") {
      $0.message.treeEnsembleRegressor.treeEnsemble.numPredictionDimensions = .max
    },
    Case("has 2 base values for 1 numbers") {
      $0.message.treeEnsembleRegressor.treeEnsemble.basePredictionValue = [1, 2]
    },
    Case("the sums begin with [nan] and are divided by 1.0, which is not finite") {
      $0.message.treeEnsembleRegressor.treeEnsemble.basePredictionValue = [.nan]
    },
    Case("has the transform 3, softmax with a zero class, whose meaning is not known") {
      $0.message.treeEnsembleRegressor.postEvaluationTransform = .softmaxWithZeroReference
    },
    Case("has the transform 4, expected 0 to 2") {
      $0.message.treeEnsembleRegressor.postEvaluationTransform = .UNRECOGNIZED(4)
    },
    Case(
      "has the transform 'softmax' of 1 numbers, which Core ML's regressor of trees lacks"
    ) { $0.message.treeEnsembleRegressor.postEvaluationTransform = .softmax },
    Case("has 3 labels and trees of 1 numbers, expected as many, or two labels and one number") {
      $0.classify(["a", "b", "c"])
    },
    Case("has 1 labels and trees of 1 numbers, expected as many, or two labels and one number") {
      $0.classify(["a"])
    },
    Case("has the label 'a' twice") { $0.classify(["a", "a"]) },
    Case("has no class labels") {
      $0.classify(["a", "b"])
      $0.message.treeEnsembleClassifier.classLabels = nil
    },
  ]

  private static let interfaces: [Case] = [
    Case("has specification version 0, expected 1 to 10") { $0.message.specificationVersion = 0 },
    Case("has specification version 11, expected 1 to 10") { $0.message.specificationVersion = 11 },
    Case("holds no model of a known kind") { $0.message.type = nil },
    Case("is an ML Program, not one of the classic models") { $0.message.mlProgram.version = 1 },
    Case("has no inputs") { $0.message.description_p.input = [] },
    Case("has no outputs") { $0.message.description_p.output = [] },
    Case("has an input without a name") { $0.message.description_p.input[0].name = "" },
    Case("has two inputs called 'battery'") {
      $0.message.description_p.input.append($0.message.description_p.input[0])
    },
    Case("the inputs have 2 numbers, the model looks at 1") {
      $0.message.description_p.input.append(StumpFile.double("hour"))
      $0.message.glmRegressor.offset = [1]
      $0.message.glmRegressor.weights = [SpecDoubleArray()]
      $0.message.glmRegressor.weights[0].value = [1]
    },
    Case("output 'minutes' is optional; only inputs may be") {
      $0.message.description_p.output[0].type.isOptional = true
    },
    Case("input 'battery': has no type") { $0.message.description_p.input[0].type.type = nil },
    Case("input 'battery': is an image, expected numbers, texts or dictionaries") {
      $0.message.description_p.input[0].type.imageType.width = 3
    },
    Case("input 'battery': is an array of shape [1, 1], expected one dimension") {
      $0.message.description_p.input[0].type.multiArrayType.dataType = .double
      $0.message.description_p.input[0].type.multiArrayType.shape = [1, 1]
    },
    Case("input 'battery': is an array of float32, expected doubles") {
      $0.message.description_p.input[0].type.multiArrayType.dataType = .float32
    },
    Case("input 'battery' is an array of -1 doubles, expected 1 to 1000000") {
      $0.message.description_p.input[0].type.multiArrayType.dataType = .double
      $0.message.description_p.input[0].type.multiArrayType.shape = [-1]
      $0.message.scaler = SpecScaler()
    },
    Case("input 'battery' is a string, expected numbers") {
      $0.message.description_p.input[0].type.stringType = SpecStringFeatureType()
      $0.message.glmRegressor.offset = [1]
      $0.message.glmRegressor.weights = [SpecDoubleArray()]
    },
    Case("no output is the predicted 'other'") {
      $0.message.description_p.predictedFeatureName = "other"
    },
    Case("output 'minutes' is an int64, expected a double") {
      $0.message.description_p.output[0].type.int64Type = SpecInt64FeatureType()
    },
    Case("no output is the probabilities 'minutes', a dictionary by strings") {
      $0.classify(["a", "b"])
      $0.message.description_p.predictedProbabilitiesName = "minutes"
    },
    Case("has functions, which models of this kind do not have") {
      $0.message.description_p.functions = [SpecFunctionDescription()]
    },
  ]

  @Test(arguments: trees + interfaces)
  func whatIsNotSoundIsNamed(_ item: Case) throws {
    var file = StumpFile()
    item.change(&file)
    let error = #expect(throws: TabularError.self) { try file.program() }
    #expect(error?.description == "a.mlmodel: \(item.words)")
  }

  @Test(
    arguments: [
      (
        [0xea, 0x12, 0x00],
        "has 'supportVectorRegressor' (field 301) of Model, which is not understood"
      ),
      (
        [0xfa, 0x12, 0x00],
        "has 'neuralNetworkRegressor' (field 303) of Model, which is not understood"
      ),
      (
        [0xf2, 0x25, 0x00], "has 'categoricalMapping' (field 606) of Model, which is not understood"
      ),
      (
        [0x12, 0x02, 0x6a, 0x00],
        "has 'state' (field 13) of ModelDescription, which is not understood"
      ),
      ([0x18, 0x01], "has field 3 of Model, which is not understood"),
      (
        [0xf2, 0x12, 0x02, 0x18, 0x01],
        "has field 3 of TreeEnsembleRegressor, which is not understood"
      ),
    ] as [([UInt8], String)])
  func unknownFieldsAreNamed(_ bytes: [UInt8], _ words: String) throws {
    let whole = try StumpFile().message.deterministicBytes() + bytes
    let error = #expect(throws: TabularError.self) {
      try TabularProgram(reading: whole, path: "a.mlmodel")
    }
    #expect(error?.description == "a.mlmodel: \(words)")
  }

  /// What training takes is kept, and changes nothing of what the model computes.
  @Test func hintsAreDroppedAndTrainingIsKept() throws {
    var file = StumpFile()
    let plain = try file.program()
    file.nodes[0].relativeHitRate = 0.5
    #expect(try file.program() == plain)
    file.message.isUpdatable = true
    file.message.description_p.trainingInput = file.message.description_p.input
    let updatable = try file.program()
    #expect(updatable.training == updatable.inputs && updatable.step == plain.step)
  }
}
