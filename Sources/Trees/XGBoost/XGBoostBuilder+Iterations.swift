import StrictJSON

// What of a file's trees is used, where training stopped early.
extension XGBoostBuilder {
  /// The number of trees that the object that wrote the file predicts with.
  func usedTrees(of booster: XGBoostBooster) throws(TreeError) -> Int {
    let count = booster.trees.count
    // Only the scikit-learn estimators write this attribute, and only they stop at the best iteration.
    guard isOfEstimator, let text = document.attributes["best_iteration"] else { return count }
    let starts = try iterationStarts(of: booster)
    guard let best = Int(text), best >= 0, best < starts.count - 1 else {
      throw fault(
        "the attribute 'best_iteration' is \(quoted(text)), there are \(starts.count - 1) iterations"
      )
    }
    return Int(starts[best + 1])
  }

  private var isOfEstimator: Bool { document.attributes["scikit_learn"] != nil }

  /// What of the file's trees is used, and how to have the others; nil where all objects of the library
  /// use the same.
  func iterationNote(of booster: XGBoostBooster) throws(TreeError) -> String? {
    guard let text = document.attributes["best_iteration"] else { return nil }
    let count = booster.trees.count
    guard isOfEstimator else {
      // Whoever writes a number of one's own there means something that is not known.
      guard let best = Int(text), best >= 0, best < count else { return nil }
      if let starts = booster.iterationStarts, best + 2 >= starts.count { return nil }
      return
        "training stopped early, at 'best_iteration' \(best), and all \(count) trees are used, "
        + "as 'Booster.predict' does; what 'XGBClassifier' and 'XGBRegressor' predict with is in the "
        + "file that 'booster[:\(best + 1)].save_model' writes"
    }
    let used = try usedTrees(of: booster)
    guard used < count else { return nil }
    return "training stopped early, at 'best_iteration' \(text), and the first \(used) of \(count) "
      + "trees are used, as the estimator that wrote the file does; what 'Booster.predict' uses is "
      + "in the file that 'model.get_booster().save_model' writes"
  }

  /// Of each iteration its first tree, and the number of trees.
  private func iterationStarts(of booster: XGBoostBooster) throws(TreeError) -> [Int32] {
    let count = booster.trees.count
    guard let starts = booster.iterationStarts else {
      let text = booster.parameters["num_parallel_tree"] ?? "1"
      let outputs = Int(booster.treeInfo?.max() ?? 0) + 1
      guard let forest = Int32(text), forest > 0, outputs > 0 else {
        throw fault("'num_parallel_tree' is \(quoted(text)), expected a number from 1 on")
      }
      let (step, overflows) = Int(forest).multipliedReportingOverflow(by: outputs)
      guard !overflows, count.isMultiple(of: step) else {
        throw fault("there \(Figures.are(count, "tree")), \(text) × \(outputs) in each iteration")
      }
      return stride(from: 0, through: count, by: step).map(Int32.init)
    }
    guard starts.first == 0, Int(starts.last ?? -1) == count,
      zip(starts, starts.dropFirst()).allSatisfy({ $0 <= $1 })
    else {
      throw fault("'iteration_indptr' does not rise from 0 to the number of trees, \(count)")
    }
    return starts
  }
}
