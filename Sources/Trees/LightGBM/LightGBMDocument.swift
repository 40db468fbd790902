import StrictJSON

/// What a file of LightGBM says, of either form.
struct LightGBMDocument {
  /// Versions of the format that are read.
  private static let versions: Set<String> = ["v2", "v3", "v4"]

  /// `version`: `v4`.
  var version: String?
  /// `num_class`: outputs of a row.
  var classCount: Int?
  /// `num_tree_per_iteration`; as many as classes where the file has none.
  var treesPerIteration: Int?
  /// `max_feature_idx`: the last feature.
  var lastFeature: Int?
  /// `objective`, with its parameters; nil of an objective of one's own.
  var objective: String?
  /// `average_output`: whether sums are divided by the number of iterations.
  var averages = false
  var featureNames: [String] = []
  /// Of each feature of categories that training used, by its name: the largest category.
  var largestCategory: [String: Int] = [:]
  /// `categorical_feature` of the parameters: features of categories; nil where the file has none.
  var categoricalFeatures: [Int]?
  /// `pandas_categorical`: of each column of categories of the data frame their names.
  var categoryNames: [[String]] = []
  var trees: [LightGBMTree] = []

  /// Checks what both forms say before their trees are taken.
  ///
  /// - Parameter path: the file, for messages.
  func check(path: String) throws(TreeError) {
    func fault(_ text: String) -> TreeError { TreeError(path: path, fault: text) }
    guard let version, Self.versions.contains(version) else {
      let found = version.map { "'version' is \(quoted($0))" } ?? "there is no 'version'"
      throw fault("\(found), expected v2, v3 or v4")
    }
    guard let lastFeature, featureNames.count - 1 == lastFeature else {
      let found =
        lastFeature.map { "'max_feature_idx' is \($0)" } ?? "there is no 'max_feature_idx'"
      throw fault("\(found), 'feature_names' has \(Figures.count(featureNames.count, "name"))")
    }
    guard Set(featureNames).count == featureNames.count else {
      throw fault("'feature_names' has a name twice")
    }
    guard let classCount, classCount == treesPerIteration ?? classCount else {
      throw fault(
        "'num_class' is \(classCount.map(String.init) ?? "missing"), "
          + "'num_tree_per_iteration' \(treesPerIteration.map(String.init) ?? "missing")")
    }
    guard classCount > 0, classCount <= TreeEnsembleBuilder.outputLimit else {
      throw fault(
        "'num_class' is \(classCount), expected 1 to \(TreeEnsembleBuilder.outputLimit)")
    }
    guard trees.count.isMultiple(of: classCount) else {
      throw fault(
        "there \(Figures.are(trees.count, "tree")), 'num_tree_per_iteration' is \(classCount)")
    }
  }
}
