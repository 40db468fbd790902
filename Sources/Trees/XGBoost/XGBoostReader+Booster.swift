// The booster: its trees, and what belongs to all of them.
extension XGBoostReader {
  mutating func readBooster() throws {
    try scanner.beginObject()
    while let key = try scanner.nextKey() {
      switch key {
      case "name":
        let name = try scanner.string()
        guard name != "gblinear" else { throw linear }
        document.booster.name = name
      case "model": try readModel()
      case "gbtree": try readDartTrees()
      case "weight_drop": document.booster.weightDrop = try scanner.floats()
      case "weights", "boosted_rounds", "param": throw linear
      default: throw unknown(key, in: "'gradient_booster'")
      }
    }
  }

  private var linear: TreeError {
    TreeError(
      path: scanner.path,
      fault: "is a linear model (booster 'gblinear'), which has no trees; "
        + "train with the booster 'gbtree' or 'dart'")
  }

  /// `dart` keeps its trees as a booster in the booster.
  private mutating func readDartTrees() throws {
    try scanner.beginObject()
    while let key = try scanner.nextKey() {
      switch key {
      case "name": try scanner.skip()
      case "model": try readModel()
      default: throw unknown(key, in: "'gbtree'")
      }
    }
  }

  private mutating func readModel() throws {
    try scanner.beginObject()
    while let key = try scanner.nextKey() {
      switch key {
      case "cats": try readCategoryNames()
      case "gbtree_model_param":
        // The last was written before version 2.0, always "0".
        document.booster.parameters = try texts(
          known: ["num_parallel_tree", "num_trees", "size_leaf_vector"], key)
      case "iteration_indptr": document.booster.iterationStarts = try scanner.integers()
      case "tree_info": document.booster.treeInfo = try scanner.integers()
      case "trees":
        try scanner.beginArray()
        while try scanner.nextElement() { try readTree() }
      // Since version 3.5, of `gbtree` too.
      case "weight_drop": document.booster.weightDrop = try scanner.floats()
      default: throw unknown(key, in: "'model'")
      }
    }
  }

  private mutating func readTree() throws {
    let number = document.booster.trees.count
    // Means of nodes are leaves where these are vectors, before version 3.2. They come before the key that
    // says so, and are most of a file's floats: the first tree tells whether they are worth their memory.
    let keepsWeights = document.booster.trees.first?.isVector ?? true
    var tree = XGBoostTree()
    try scanner.beginObject()
    while let key = try scanner.nextKey() {
      switch key {
      case "base_weights" where keepsWeights: tree.baseWeights = try scanner.floats()
      case "leaf_weights": tree.leafWeights = try scanner.floats()
      case "left_children": tree.left = try scanner.integers()
      case "right_children": tree.right = try scanner.integers()
      case "split_indices": tree.features = try scanner.integers()
      case "split_conditions": tree.conditions = try scanner.floats()
      case "default_left": tree.defaultLeft = try scanner.flags()
      case "split_type": tree.isCategory = try scanner.flags()
      case "categories": tree.categories = try scanner.integers()
      case "categories_nodes": tree.categoryNodes = try scanner.integers()
      case "categories_segments": tree.categoryStarts = try scanner.integers()
      case "categories_sizes": tree.categoryCounts = try scanner.integers()
      case "tree_param":
        tree.parameters = try texts(
          known: ["num_deleted", "num_feature", "num_nodes", "size_leaf_vector"], key)
      case "id":
        let id = try scanner.integer()
        guard id == number else { throw scanner.error("tree \(number) has the id \(id)") }
      case "base_weights", "loss_changes", "parents", "sum_hessian", "leaf_child_counts":
        try scanner.skip()
      default: throw unknown(key, in: "tree \(number)")
      }
    }
    try tree.close(number, path: scanner.path)
    document.booster.trees.append(tree)
  }

  /// `cats`: since version 3.1, what the categories of a data frame were.
  private mutating func readCategoryNames() throws {
    try scanner.beginObject()
    while let key = try scanner.nextKey() {
      switch key {
      case "enc":
        var names: [[String]] = []
        try scanner.beginArray()
        while try scanner.nextElement() { names.append(try categoryNames(names.count)) }
        document.booster.categoryNames = names
      // Sums of the counts of names, and their order, follow from the names.
      case "feature_segments", "sorted_idx": try scanner.skip()
      default: throw unknown(key, in: "'cats'")
      }
    }
  }

  private mutating func categoryNames(_ feature: Int) throws -> [String] {
    var names = XGBoostCategoryNames()
    try scanner.beginObject()
    while let key = try scanner.nextKey() {
      switch key {
      case "offsets": names.offsets = try scanner.integers()
      case "type": names.type = try scanner.integer()
      case "values":
        names.values = []
        try scanner.beginArray()
        while try scanner.nextElement() { names.values.append(try scanner.integer()) }
      default: throw unknown(key, in: "the categories of feature \(feature)")
      }
    }
    return try names.names(of: feature, path: scanner.path)
  }
}
