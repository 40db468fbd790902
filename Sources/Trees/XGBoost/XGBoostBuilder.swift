import StrictJSON

/// Makes a model of what a file of XGBoost says.
struct XGBoostBuilder {
  /// Most features: each takes memory, and a file of a few bytes can claim any number.
  static let featureLimit = 1 << 20
  /// Memory for sets of categories in any model, in bytes, and for each byte of the file. A set takes a
  /// bit for each category up to its last, and a file of a few bytes can ask for the last of many.
  private static let setBytes = (any: 16 << 20, perFileByte: 64)

  let path: String
  let fileByteCount: Int
  private(set) var document: XGBoostDocument

  init(path: String, fileByteCount: Int, document: XGBoostDocument) {
    self.path = path
    self.fileByteCount = fileByteCount
    self.document = document
  }

  func fault(_ text: String) -> TreeError { TreeError(path: path, fault: text) }

  /// The model.
  consuming func model() throws -> TreeModel {
    let objective = try objective()
    let featureCount = try featureCount()
    let features = try features(featureCount)
    let base = try base(objective)
    // Several outputs of a logistic objective are answers to several questions, not classes.
    let isClassification =
      objective.isClassification && (objective.transform == .softmax || base.count == 1)
    let labels = try labels(of: isClassification ? max(base.count, 2) : nil)
    return TreeModel(
      ensemble: try ensemble(objective, featureCount, base), features: features,
      task: isClassification ? .classification(labels: labels) : .regression, library: library,
      note: try iterationNote(of: document.booster))
  }

  private var library: String {
    let version = document.version.map { "\($0)" }.joined(separator: ".")
    return version.isEmpty ? "XGBoost" : "XGBoost \(version)"
  }

  /// Names of the classes, if the file has them.
  ///
  /// - Parameter count: of the classes; nil where there are none.
  private func labels(of count: Int?) throws -> TreeLabels? {
    guard let text = document.attributes["scikit_learn"] else { return nil }
    let labels = try XGBoostEstimator(text: text, path: path).labels
    guard let count, let labels else { return nil }
    guard labels.count == count else {
      throw fault(
        "the attribute 'scikit_learn' names \(labels.count) \(labels.count == 1 ? "class" : "classes"), there are \(count)"
      )
    }
    return labels
  }

  private func objective() throws -> XGBoostObjective {
    guard let name = document.objective else { throw fault("'objective' has no key 'name'") }
    guard let objective = XGBoostObjective(name: name) else {
      throw fault(
        name == "binary:hinge"
          ? "the objective 'binary:hinge' gives 0 or 1 alone, which is not supported; "
            + "train with 'binary:logistic'"
          : "the objective \(quoted(name)) is not known")
    }
    return objective
  }

  private func ensemble(
    _ objective: XGBoostObjective, _ featureCount: Int, _ base: [Double]
  ) throws -> TreeEnsemble {
    let booster = document.booster
    let leafWidth = booster.trees.first?.leafWidth ?? 1
    guard leafWidth == 1 || leafWidth == base.count else {
      throw fault(
        "leaves have \(Figures.count(leafWidth, "number")), there \(Figures.are(base.count, "output"))"
      )
    }
    let outputs = try outputs(of: booster)
    let weights = try weights(of: booster)
    var builder = try TreeEnsembleBuilder(
      path: path, featureCount: featureCount, base: base, leafWidth: leafWidth,
      precision: .init(roundsFeatures: true, addsFloats: true), transform: objective.transform)
    var room = Self.setBytes.any + Self.setBytes.perFileByte * fileByteCount
    for number in 0..<(try usedTrees(of: booster)) {
      let tree = booster.trees[number]
      guard tree.leafWidth == leafWidth else {
        throw TreeError(
          path: path, tree: number,
          fault: "has leaves of \(tree.leafWidth) numbers, the trees before of \(leafWidth)")
      }
      // In the order of the nodes: a dictionary has another in each process.
      var sets: [Int: Double] = [:]
      let members = try tree.sets(number, path: path, room: &room)
      for (node, set) in members.sorted(by: { $0.key < $1.key }) {
        sets[node] = builder.add(TreeEnsemble.CategorySet(set))
      }
      try builder.add(
        tree.nodes(sets: sets, weight: weights?[number] ?? 1), output: Int(outputs[number]))
    }
    return try builder.finish()
  }

  // MARK: Trees

  private func outputs(of booster: XGBoostBooster) throws(TreeError) -> [Int32] {
    let count = booster.trees.count
    guard let name = booster.name else { throw fault("'gradient_booster' has no key 'name'") }
    guard name == "gbtree" || name == "dart" else {
      throw fault("the booster \(quoted(name)) is not known")
    }
    guard let outputs = booster.treeInfo, outputs.count == count else {
      throw fault(
        "'tree_info' has \(Figures.count(booster.treeInfo?.count ?? 0, "value")), there \(Figures.are(count, "tree"))"
      )
    }
    guard let text = booster.parameters["num_trees"], Int(text) == count else {
      throw fault(
        "'num_trees' is \(quoted(booster.parameters["num_trees"] ?? "")), there \(Figures.are(count, "tree"))"
      )
    }
    return outputs
  }

  private func weights(of booster: XGBoostBooster) throws(TreeError) -> [Float]? {
    guard let weights = booster.weightDrop else {
      guard booster.name != "dart" else { throw fault("the booster 'dart' has no 'weight_drop'") }
      return nil
    }
    guard weights.count == booster.trees.count else {
      throw fault(
        "'weight_drop' has \(Figures.count(weights.count, "value")), there \(Figures.are(booster.trees.count, "tree"))"
      )
    }
    guard booster.name == "dart" || weights.allSatisfy({ $0 == 1 }) else {
      throw fault(
        "'weight_drop' is not 1 for each tree, and the booster is \(quoted(booster.name ?? "")): versions of XGBoost "
          + "take that differently; train with 'dart', or without it")
    }
    return weights
  }
}
