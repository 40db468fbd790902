import Trees

@testable import Formats

/// A regressor of one branch as other tools may write it, with every part open to change.
struct StumpFile {
  var message = SpecModel()

  init(behaviour: Int = 0, threshold: Double = 0.5, missingIsTrue: Bool = false) {
    message.specificationVersion = 1
    message.description_p.input = [Self.double("battery")]
    message.description_p.output = [Self.double("minutes")]
    message.description_p.predictedFeatureName = "minutes"
    var branch = SpecTreeNode()
    branch.nodeBehavior = .init(rawValue: behaviour) ?? .leaf
    branch.branchFeatureValue = threshold
    branch.trueChildNodeID = 1
    branch.falseChildNodeID = 2
    branch.missingValueTracksTrueChild = missingIsTrue
    nodes = [branch, Self.leaf(1, 10), Self.leaf(2, 20)]
    message.treeEnsembleRegressor.treeEnsemble.numPredictionDimensions = 1
  }

  var nodes: [SpecTreeNode] {
    get { message.treeEnsembleRegressor.treeEnsemble.nodes }
    set { message.treeEnsembleRegressor.treeEnsemble.nodes = newValue }
  }

  static func double(_ name: String) -> SpecFeatureDescription {
    var feature = SpecFeatureDescription()
    feature.name = name
    feature.type.doubleType = SpecDoubleFeatureType()
    return feature
  }

  static func leaf(_ id: UInt64, _ value: Double, _ index: UInt64 = 0) -> SpecTreeNode {
    var node = SpecTreeNode()
    node.nodeID = id
    node.nodeBehavior = .leaf
    var evaluation = SpecEvaluationInfo()
    evaluation.evaluationIndex = index
    evaluation.evaluationValue = value
    node.evaluationInfo = [evaluation]
    return node
  }

  /// The same as a classifier of these labels.
  mutating func classify(_ labels: [String], _ dimensions: UInt64 = 1) {
    var classifier = SpecTreeEnsembleClassifier()
    classifier.treeEnsemble = message.treeEnsembleRegressor.treeEnsemble
    classifier.treeEnsemble.numPredictionDimensions = dimensions
    classifier.stringClassLabels.vector = labels
    message.treeEnsembleClassifier = classifier
    message.description_p.output = [Self.double("minutes")]
    message.description_p.output[0].type.stringType = SpecStringFeatureType()
  }

  func program() throws -> TabularProgram {
    try TabularProgram(reading: try message.deterministicBytes(), path: "a.mlmodel")
  }
}
