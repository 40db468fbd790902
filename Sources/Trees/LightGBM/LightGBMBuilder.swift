import StrictJSON

/// Makes a model of what a file of LightGBM says.
struct LightGBMBuilder {
  let path: String
  let document: LightGBMDocument

  func model() throws(TreeError) -> TreeModel {
    try document.check(path: path)
    let objective = try LightGBMObjective(document.objective, path: path)
    let outputs = document.classCount ?? 1
    guard objective.outputCount ?? outputs == outputs else {
      throw TreeError(
        path: path,
        fault: "'num_class' is \(outputs), the objective is \(quoted(document.objective ?? ""))")
    }
    return TreeModel(
      ensemble: try ensemble(objective, outputs), features: try features(),
      task: objective.isClassification ? .classification(labels: nil) : .regression,
      library: "LightGBM")
  }

  private func ensemble(
    _ objective: LightGBMObjective, _ outputs: Int
  ) throws(TreeError) -> TreeEnsemble {
    var builder = try TreeEnsembleBuilder(
      path: path, featureCount: document.featureNames.count,
      base: Array(repeating: 0, count: outputs),
      divisor: document.averages ? Double(max(document.trees.count / outputs, 1)) : 1,
      precision: .init(roundsFeatures: false, addsFloats: false),
      transform: objective.transform)
    for (number, tree) in document.trees.enumerated() {
      let sets = try tree.sets(into: &builder, number, path: path)
      try builder.add(tree.nodes(sets: sets, scale: objective.scale), output: number % outputs)
    }
    return try builder.finish()
  }

  // MARK: Features

  /// The features with their names and kinds.
  private func features() throws(TreeError) -> [TreeFeature] {
    var categorical = Set(document.categoricalFeatures ?? [])
    for (number, name) in document.featureNames.enumerated()
    where document.largestCategory[name] != nil { categorical.insert(number) }
    let names = try categoryNames(categorical.sorted())
    var features: [TreeFeature] = []
    for (number, name) in document.featureNames.enumerated() {
      let kind: TreeFeature.Kind =
        categorical.contains(number) ? .category(names: names[number] ?? []) : .number
      features.append(TreeFeature(name, kind))
    }
    return features
  }

  /// The names of categories, by their feature; those that cannot be told from the file are left out.
  ///
  /// The Python package keeps the names column by column, and numbers them in their order, −1 what is missing.
  /// Among its columns are ordered ones, which are numbers to LightGBM; then the file does not say which is
  /// which.
  private func categoryNames(_ features: [Int]) throws(TreeError) -> [Int: [String]] {
    let columns = document.categoryNames
    guard features.count == columns.count else { return [:] }
    var names: [Int: [String]] = [:]
    for (feature, column) in zip(features, columns) {
      let name =
        document.featureNames.indices.contains(feature) ? document.featureNames[feature] : ""
      guard document.largestCategory[name] ?? -1 < column.count else { return [:] }
      guard Set(column).count == column.count else {
        throw TreeError(path: path, fault: "feature \(quoted(name)) has a category twice")
      }
      names[feature] = column
    }
    return names
  }
}
