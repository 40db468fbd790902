import StrictJSON

/// Makes a model of what a file of CatBoost says.
struct CatBoostBuilder {
  /// Most features: a file of a few bytes can claim any number.
  private static let featureLimit = 1 << 20
  /// Most names of categories, those of all features added up.
  private static let nameLimit = 1 << 16

  /// Most categories: numbers of 32 bits count no further.
  private static let categoryLimit = 1 << 24

  let path: String
  let document: CatBoostDocument

  private func fault(_ text: String, tree: Int? = nil) -> TreeError {
    TreeError(path: path, tree: tree, fault: text)
  }

  func model() throws(TreeError) -> TreeModel {
    guard let name = document.loss else {
      throw fault("'model_info' has no 'loss_function', which says what the outputs are")
    }
    guard name != "RMSEWithUncertainty" else {
      throw fault(
        "the loss 'RMSEWithUncertainty' gives a mean and the logarithm of a variance, which are no numbers of one "
          + "kind; train with 'RMSE' for the mean")
    }
    guard let loss = CatBoostLoss(name: name) else {
      throw fault("the loss \(quoted(name)) is not known, or its outputs are not supported")
    }
    guard document.categoryTexts.count <= Self.categoryLimit else {
      throw fault("has more than \(Self.categoryLimit) categories")
    }
    let features = try features()
    let ensemble = try ensemble(loss, features.count)
    return TreeModel(
      ensemble: ensemble, features: features,
      task: loss.isClassification
        ? .classification(labels: try labels(max(ensemble.outputCount, 2))) : .regression,
      library: library)
  }

  /// The library with its version, which is the tag of what it was built of.
  private var library: String {
    let words = (document.versionInfo ?? "").split(whereSeparator: \.isWhitespace)
    guard let tag = words.first(where: { $0.hasPrefix("tags/v") }) else { return "CatBoost" }
    return "CatBoost \(tag.dropFirst("tags/v".count))"
  }

  private func labels(_ count: Int) throws(TreeError) -> TreeLabels? {
    let names = document.classes.names
    let numbers = names.compactMap { name in
      if case .number(let number) = name { number } else { nil }
    }
    let values = names.isEmpty ? document.classes.numbers : numbers
    guard !names.isEmpty || !values.isEmpty else { return nil }
    let found = names.isEmpty ? values.count : names.count
    guard found == count else {
      throw fault(
        "'class_params' has \(found) \(found == 1 ? "class" : "classes"), the outputs are of \(count)"
      )
    }
    let integers = values.compactMap { Int(exactly: $0) }
    if integers.count == count { return .integers(integers) }
    return .texts(
      names.map { name in
        switch name {
        case .text(let text): text
        case .number(let number): "\(number)"
        }
      })
  }

  // MARK: Trees

  private func ensemble(
    _ loss: CatBoostLoss, _ featureCount: Int
  ) throws(TreeError) -> TreeEnsemble {
    guard let width = document.trees.first?.leafWidth else { throw fault("has no trees") }
    guard document.bias.isEmpty || document.bias.count == width || document.bias == [0] else {
      throw fault(
        "'scale_and_bias' has \(document.bias.count) \(document.bias.count == 1 ? "bias" : "biases"), leaves \(Figures.count(width, "number"))"
      )
    }
    guard width == 1 || loss.transform != .exponential,
      width > 1 || loss.transform != .softmax
    else { throw fault("leaves have \(width) numbers, the loss is '\(document.loss ?? "")'") }
    var builder = try TreeEnsembleBuilder(
      path: path, featureCount: featureCount,
      base: document.bias.count == width ? document.bias : Array(repeating: 0, count: width),
      leafWidth: width, precision: .init(roundsFeatures: true, addsFloats: false),
      transform: loss.transform)
    for (number, tree) in document.trees.enumerated() {
      guard tree.leafWidth == width else {
        throw fault("has leaves of \(tree.leafWidth) numbers, others \(width)", tree: number)
      }
      var branches: [TreeNodes.Node] = []
      for split in tree.splits {
        branches.append(try branch(split, number))
      }
      try builder.add(tree.treeNodes(scale: document.scale, branches: branches))
    }
    return try builder.finish()
  }

  /// A branch whose left node is 0 where what it asks does not hold, and right node 1.
  private func branch(
    _ split: CatBoostTree.Split, _ tree: Int
  ) throws(TreeError) -> TreeNodes.Node {
    switch split {
    case .border(let index, let border):
      guard let feature = document.numbers[Int(index)], let place = feature.place else {
        throw fault("asks for numeric feature \(index), which 'float_features' lacks", tree: tree)
      }
      return .branch(
        feature: place, threshold: Double(border),
        rule: feature.missing == .asTrue ? [] : .missingGoesLeft, left: 0, right: 1)
    case .category(let index, let hash):
      guard let feature = document.categories[Int(index)], let place = feature.place else {
        throw fault(
          "asks for categorical feature \(index), which 'categorical_features' lacks", tree: tree)
      }
      guard let category = document.categoryPlaces[UInt32(bitPattern: hash)] else {
        throw fault(
          "asks for a category of feature \(quoted(feature.name)) by the hash \(hash), and "
            + "'cat_features_hash' does not say which it is; save the model with its 'pool'",
          tree: tree)
      }
      return .branch(
        feature: place, threshold: Double(category), rule: .isEqual, left: 1, right: 0)
    }
  }

  // MARK: Features

  /// The features in the order of the rows.
  ///
  /// The file does not say to which feature a category belongs; each has those of all, unless that were too
  /// many names.
  private func features() throws(TreeError) -> [TreeFeature] {
    let (total, isBeyond) = document.categories.count.multipliedReportingOverflow(
      by: document.categoryTexts.count)
    let names = isBeyond || total > Self.nameLimit ? [] : document.categoryTexts
    let kinds =
      document.numbers.sorted { $0.key < $1.key }.map { ($0.value, TreeFeature.Kind.number) }
      + document.categories.sorted { $0.key < $1.key }.map {
        ($0.value, .category(names: names))
      }
    var features: [Int: TreeFeature] = [:]
    for (feature, kind) in kinds {
      guard let place = feature.place, place >= 0, place < Self.featureLimit,
        features[place] == nil
      else {
        throw fault(
          "feature \(quoted(feature.name)) has the 'flat_feature_index' "
            + "\(feature.place.map(String.init) ?? "null"), or that of another")
      }
      features[place] = TreeFeature(feature.name.isEmpty ? "f\(place)" : feature.name, kind)
    }
    // What training never looked at may be left out.
    let count = (features.keys.max() ?? -1) + 1
    return (0..<count).map { features[$0] ?? TreeFeature("f\($0)") }
  }
}
