package import Trees

extension TabularProgram {
  /// A model of trees as a Core ML model: a double, or where options say so an int64, for each feature.
  ///
  /// Shares of votes become sums where every tree has the same votes to give. A regression of several
  /// numbers becomes a pipeline of regressors.
  ///
  /// - Parameter path: the file of the model, for messages.
  /// - Throws: what Core ML cannot say, with the feature where it is one's.
  package init(
    _ model: TreeModel, path: String, options: TabularOptions = TabularOptions()
  ) throws(TabularError) {
    let place = TabularPlace(path)
    let inputs = try options.inputs(model.features.map(\.name), at: place)
    guard inputs.count == model.ensemble.featureCount else {
      throw place.fault(
        "has \(inputs.count) features with names and looks at \(model.ensemble.featureCount)")
    }
    let conversion = TreeConversion(model, at: place)
    try conversion.nodeCount()
    switch model.task {
    case .regression:
      self = try Self.regression(conversion, inputs, path: path, options)
    case .classification(let labels):
      let labels = labels ?? .integers(Array(0..<max(2, model.ensemble.outputCount)))
      let ensemble = try conversion.ensemble(try conversion.scale(for: labels))
      try self.init(
        path: path, inputs: inputs, classifier: .treeClassifier(ensemble, labels), labels: labels,
        name: options.output, metadata: options.metadata)
    }
    if let clash = inputs.first(where: { input in outputs.contains { $0.name == input.name } }) {
      throw place.fault(
        "the output is called '\(clash.name)', like a feature; give it another name")
    }
  }

  private static func regression(
    _ conversion: TreeConversion, _ inputs: [TabularFeature], path: String,
    _ options: TabularOptions
  ) throws(TabularError) -> TabularProgram {
    let count = conversion.ensemble.outputCount
    if count == 1 {
      return try TabularProgram(
        path: path, inputs: inputs,
        regressor: .treeRegressor(try conversion.ensemble(try conversion.scale(ofNumber: 0))),
        name: options.output, metadata: options.metadata)
    }
    guard count <= 1000 else {
      throw conversion.place.fault("has \(count) numbers, at most 1000 become a pipeline")
    }
    var programs: [TabularProgram] = []
    for number in 0..<count {
      programs.append(
        try TabularProgram(
          path: path, inputs: inputs,
          regressor: .treeRegressor(
            try conversion.ensemble(try conversion.scale(ofNumber: number))),
          name: "\(options.output)_\(number)"))
    }
    return try TabularProgram(
      path: path, inputs: inputs, outputs: programs.flatMap(\.outputs),
      step: .pipeline(.init(.plain, programs)), metadata: options.metadata)
  }
}

extension TreeConversion {
  /// - Parameter number: the output of a regression.
  fileprivate func scale(ofNumber number: Int) throws(TabularError) -> Scale {
    switch ensemble.transform {
    case .identity, .sigmoid:
      return Scale(
        divisor: ensemble.divisor, isVote: false, transform: ensemble.transform,
        outputs: number..<number + 1)
    case .exponential:
      throw place.fault(
        "gives exp of its sum, as of counts, and Core ML has no step for it; "
          + "train on the logarithm of the target, and let the app take exp")
    case .isolation:
      throw place.fault("is an isolation forest, whose score Core ML has no step for")
    case .softmax, .oneVersusRest, .share: throw refusal(of: "a regressor")
    }
  }

  /// - Parameter labels: of a classification.
  fileprivate func scale(for labels: TreeLabels) throws(TabularError) -> Scale {
    let count = ensemble.outputCount
    guard labels.count >= 2, count == labels.count || (count == 1 && labels.count == 2) else {
      throw place.fault(
        "has \(labels.count) labels and gives \(count) numbers, expected as many, "
          + "or two labels and one number")
    }
    switch ensemble.transform {
    case .sigmoid where count == 1, .softmax where count > 1:
      return Scale(
        divisor: ensemble.divisor, isVote: false, transform: ensemble.transform,
        outputs: 0..<count)
    case .identity where count == 1:
      if let votes = VotesOfFloats(ensemble) {
        return Scale(
          divisor: Double(ensemble.treeCount), isVote: true, transform: .identity, outputs: 0..<1,
          hasRest: true,
          vote: votes.vote, secondWinsTies: votes.secondWinsTies)
      }
      return Scale(
        divisor: ensemble.divisor, isVote: isVote, transform: .identity, outputs: 0..<1,
        hasRest: isVote)
    case .identity:
      return Scale(
        divisor: ensemble.divisor, isVote: isVote, transform: .identity, outputs: 0..<count)
    case .share where count > 1:
      return Scale(
        divisor: try votes(), isVote: true, transform: .identity, outputs: 0..<count)
    case .oneVersusRest, .sigmoid:
      throw place.fault(
        "gives a sigmoid of each of \(count) sums (one-vs-rest), and Core ML's trees take the sigmoid "
          + "of one sum only; train it with softmax, as for multinomial classes")
    default: throw refusal(of: "a classifier")
    }
  }

  private func refusal(of kind: String) -> TabularError {
    place.fault(
      "has the transform '\(ensemble.transform.rawValue)' of \(ensemble.outputCount) numbers, which "
        + "Core ML's trees lack for \(kind)")
  }

  /// Whether sums are shares of votes: every tree gives numbers of 0 to 1, and as many as there are trees
  /// divide them.
  private var isVote: Bool {
    ensemble.divisor == Double(ensemble.treeCount) && ensemble.base.allSatisfy { $0 == 0 }
      && ensemble.leaves.allSatisfy { (0...1).contains($0) }
  }

  /// The votes of all trees, which every row shares out.
  private func votes() throws(TabularError) -> Double {
    let isFull = ensemble.leafWidth == ensemble.outputCount
    var sums = [Double](repeating: .nan, count: ensemble.treeCount)
    guard isFull, ensemble.base.allSatisfy({ $0 == 0 }), (ensemble.leaves.min() ?? -1) >= 0 else {
      throw varyingVotes
    }
    for tree in 0..<ensemble.treeCount {
      var open = [ensemble.roots[tree]]
      while let node = open.popLast() {
        if node >= 0 {
          open += [ensemble.left[Int(node)], ensemble.right[Int(node)]]
          continue
        }
        let first = Int(-1 - node) * ensemble.leafWidth
        let sum = ensemble.leaves[first..<first + ensemble.leafWidth].reduce(0, +)
        if sums[tree].isNaN { sums[tree] = sum }
        guard abs(sum - sums[tree]) <= 1e-9 * sum else { throw varyingVotes }
      }
    }
    let total = sums.reduce(0, +)
    guard total > 0 else { throw varyingVotes }
    return total
  }

  private var varyingVotes: TabularError {
    place.fault(
      "divides votes by their sum, which differs from leaf to leaf, and Core ML's trees only add; "
        + "save the shares of each leaf instead of its counts")
  }
}
