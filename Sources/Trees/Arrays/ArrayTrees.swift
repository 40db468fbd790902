package import StrictJSON

/// Trees as plain arrays, described by `model.json`: scikit-learn's without pickle.
///
/// The format is in `specs/formats/tree-model.md`.
package enum ArrayTrees {
  /// What `architecture` says.
  package static let name = "trees"

  /// Reads the description and the arrays that it names.
  ///
  /// - Parameters:
  ///   - model: the whole of `model.json`.
  ///   - array: opens an array by the name that `model.json` gives it.
  /// - Throws: `JSONError` with the place of a key that is wrong, or whose array is; `TreeError` with the
  ///   tree and the node; and what `array` throws.
  package static func read(
    _ model: JSONObject, array: (String) throws -> TreeArray
  ) throws -> TreeModel {
    try model.allowOnly([
      "architecture", "library", "inputs", "trees", "compare", "float32_features", "base",
      "divisor", "transform", "output",
    ])
    let architecture = try model.string("architecture")
    guard architecture == name else {
      throw model.error(
        "'architecture' is \(quoted(architecture)), expected '\(name)'", at: model.position)
    }
    let features = try features(model)
    let table = try TreeTable(model.object("trees"), array)
    let sums = try ArraySums(model, table)
    let output = try ArrayOutput(model, transform: sums.transform, width: sums.base.count)
    let ensemble = try ensemble(model, table, sums, features)
    return TreeModel(
      ensemble: ensemble, features: features, task: output.task,
      library: model["library"] == nil ? "arrays" : try model.string("library"),
      givesProbabilities: output.givesProbabilities, outputName: output.name)
  }

  private static func ensemble(
    _ model: JSONObject, _ table: TreeTable, _ sums: ArraySums, _ features: [TreeFeature]
  ) throws(TreeError) -> TreeEnsemble {
    var builder = try TreeEnsembleBuilder(
      path: model.origin, featureCount: features.count, base: sums.base,
      leafWidth: table.leafWidth, divisor: sums.divisor, precision: sums.precision,
      transform: sums.transform)
    var sets = ArraySets(table, features, path: model.origin)
    for tree in 0..<table.treeCount {
      let nodes = try sets.nodes(of: tree, isStrict: sums.isStrict, &builder)
      try builder.add(nodes, output: table.outputs.map { Int($0[tree]) } ?? 0)
    }
    return try builder.finish()
  }
}
