import IngotFeatures
import StrictJSON
package import Trees
import Weights

/// An ensemble of decision trees over named features, which any library grew.
///
/// Its own form is arrays beside a description (`specs/formats/tree-model.md`); `TreeFiles` makes them of the
/// files of libraries.
package struct ForestModel: RecognisedArchitecture {
  package static let name = "tree-ensemble"
  package static let signature = "model.json with \"architecture\": \"tree-ensemble\""

  package let description: TreeDescription
  /// What the arrays' shapes say.
  package let header: TreeHeader
  package let output: ModelOutput
  package let describingFiles = [TreeDescription.fileName]

  package var outputName: String { description.outputName }
  package let input: ModelInput

  package static func recognise(
    _ files: ModelFiles, weights: any WeightSource
  ) throws -> ForestModel? {
    guard let object = try files.object(TreeDescription.fileName),
      object["architecture"]?.string == name
    else { return nil }
    let description = try TreeDescription(object)
    return ForestModel(
      description: description, header: try description.header(of: weights, object.origin),
      output: description.output,
      input: .features(try FeatureSchema(description.features.map(\.feature))))
  }

  /// Whether another tool wrote the trees of the other: each has an order of its own of branches and leaves.
  func isOfAnotherTool(than other: ForestModel) -> Bool {
    description.library != other.description.library
  }

  /// The trees of these arrays in a source.
  ///
  /// - Throws: as `TreeSum.ensemble`.
  package func ensemble(of source: any WeightSource) throws -> TreeEnsemble {
    let origin = (source as? any WeightFile)?.files.first ?? "the trees"
    return try TreeEnsemble(header, path: origin) {
      try source.doubles(of: TensorName($0.tensorName))
    }
  }

  package func graph(batch: Int, length: Int) throws(GraphError) -> ModelGraph {
    var graph = GraphBuilder()
    let x = graph.input(
      "features", ValueType(TreeSum.scalar(of: header), [batch, header.featureCount]))
    let arrays = TreeArrays.allCases.map { TreeSum.reference($0, header) }
    let sums = try graph.append("trees", TreeSum(x, header, arrays: arrays))
    return try graph.finish(output: sums)
  }
}

extension Architecture {
  /// Whether a file may have fewer numbers than the model as trained: equal nodes of trees are one there.
  package var isMergedWhenWritten: Bool {
    self is ForestModel || (self as? TableModel)?.hasTrees == true
  }

  /// Whether another model of the same kind has its numbers in another order, so that no two of them belong
  /// together.
  package func isLaidOutOtherwise(than other: any Architecture) -> Bool {
    guard let ours = self as? ForestModel, let theirs = other as? ForestModel else { return false }
    return ours.isOfAnotherTool(than: theirs)
  }
}
