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
  package var input: ModelInput { .features(names: description.features.map(\.name)) }
  package var readsMissingValues: Bool { true }

  package static func recognise(
    _ files: ModelFiles, weights: any WeightSource
  ) throws -> ForestModel? {
    guard let object = try files.object(TreeDescription.fileName),
      object["architecture"]?.string == name
    else { return nil }
    let description = try TreeDescription(object)
    return ForestModel(
      description: description, header: try description.header(of: weights, object.origin),
      output: description.output)
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
