/// What a file of XGBoost says, as it says it.
struct XGBoostDocument {
  /// `version`: major, minor and patch; empty where the file has none.
  var version: [Int32] = []
  /// `learner.attributes`.
  var attributes: [String: String] = [:]
  /// `learner.feature_names`; empty where the file has none.
  var featureNames: [String] = []
  /// `learner.feature_types`; empty where the file has none.
  var featureTypes: [String] = []
  /// `learner.learner_model_param`: texts of numbers.
  var parameters: [String: String] = [:]
  /// `learner.objective.name`.
  var objective: String?
  var booster = XGBoostBooster()
}

/// What a file of XGBoost says about its trees.
struct XGBoostBooster {
  /// `gbtree` or `dart`.
  var name: String?
  /// `gbtree_model_param`: texts of numbers.
  var parameters: [String: String] = [:]
  var trees: [XGBoostTree] = []
  /// Of each tree: the output that it adds to.
  var treeInfo: [Int32]?
  /// Of each iteration its first tree, and the number of trees at the end; nil before version 1.7.
  var iterationStarts: [Int32]?
  /// Of each tree: what its leaves are multiplied by; nil without dropped trees.
  var weightDrop: [Float]?
  /// Of each feature: names of its categories; empty where it has none, or the file none of all.
  var categoryNames: [[String]] = []
}
