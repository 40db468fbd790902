extension TabularGraph {
  /// The model, where it is trees alone: what stands around them gives names to classes or changes types, and
  /// nothing that is computed. nil otherwise, and where the trees are no sums, or two classes have scores that
  /// are no probabilities of the second.
  ///
  /// Sums begin with the base, which ONNX Runtime adds last: in 32 bits the last bits may differ.
  package var trees: TreeModel? {
    guard inputs.count == 1, let first = steps.first, case .trees(let trees) = first.operation,
      first.inputs == [inputs[0].slot], steps.dropFirst().allSatisfy(\.isPlain),
      let scores = first.outputs.last ?? nil, reads(scores)
    else { return nil }
    guard trees.aggregate == .sum || trees.aggregate == .average && trees.base.isEmpty,
      let (ensemble, task) = trees.model
    else { return nil }
    let features = (0..<ensemble.featureCount).map { TreeFeature("f\($0)") }
    return TreeModel(
      ensemble: ensemble, features: features, task: task, library: library,
      givesProbabilities: ensemble.transform == .identity ? ensemble.staysWithinOne : nil)
  }

  /// Whether an output is the value of a slot.
  private func reads(_ slot: Int) -> Bool {
    var same: Set<Int> = [slot]
    for step in steps.dropFirst() {
      if let input = step.inputs[0], same.contains(input) {
        // Scores without their fractions are other numbers.
        if case .cast(let type) = step.operation, type == .int32 || type == .int64 { return false }
        same.formUnion(step.outputs.compactMap { $0 })
      }
    }
    return outputs.contains { same.contains($0.slot) }
  }
}

extension GraphStep {
  /// Whether numbers stay what they are.
  fileprivate var isPlain: Bool {
    switch operation {
    case .unary(.same), .nameClasses: true
    case .cast(let type): type != .bool && type != .string
    default: false
    }
  }
}

extension TabularTrees {
  /// The ensemble with its base and transform, and of two classes the second alone.
  fileprivate var model: (TreeEnsemble, TreeTask)? {
    let divisor = aggregate == .average ? Double(ensemble.treeCount) : 1
    guard let classes else {
      guard transform == .none else { return nil }
      let base = self.base.isEmpty ? ensemble.base : self.base
      return (ensemble.with(base: base, divisor, .identity), .regression)
    }
    let task = TreeTask.classification(labels: classes.labels)
    guard classes.labels.count == 2 else {
      // What has no score is never the label.
      guard let transform = transform.ofTrees, classes.isScored.allSatisfy({ $0 }) else {
        return nil
      }
      let base = self.base.isEmpty ? ensemble.base : self.base
      return (ensemble.with(base: base, 1, transform), task)
    }
    if classes.isBinary {
      // A leaf has the score of one class: where none is negative it is the probability of the second.
      guard
        transform == .logistic && !classes.arePositive || transform == .none && classes.arePositive,
        ensemble.leafWidth == 1
      else { return nil }
      let sums = ensemble.with(
        base: [base.first ?? 0], 1, transform == .logistic ? .sigmoid : .identity)
      // Above ½ it is the second, which only probabilities say.
      guard transform == .logistic || sums.staysWithinOne else { return nil }
      return (sums, task)
    }
    guard transform == .logistic, base.isEmpty, ensemble.leafWidth == 2 else { return nil }
    return (ensemble.ofSecond(.sigmoid), task)
  }
}

extension LeafTransform {
  fileprivate var ofTrees: TreeEnsemble.Transform? {
    switch self {
    case .none: .identity
    case .logistic: .sigmoid
    case .softmax: .softmax
    case .softmaxZero: nil
    }
  }
}

extension TreeEnsemble {
  /// Whether no row can have an output below 0 or, but for rounding, above 1: forests give shares of votes, and
  /// their files do not say so.
  var staysWithinOne: Bool {
    guard base.allSatisfy({ $0 >= 0 }), leaves.allSatisfy({ $0 >= 0 }) else { return false }
    var most = base
    for tree in 0..<treeCount {
      var largest = [Double](repeating: 0, count: leafWidth)
      var open = [roots[tree]]
      while let node = open.popLast() {
        if node >= 0 {
          open += [left[Int(node)], right[Int(node)]]
          continue
        }
        let first = (-1 - Int(node)) * leafWidth
        for place in 0..<leafWidth { largest[place] = max(largest[place], leaves[first + place]) }
      }
      for place in 0..<leafWidth { most[Int(outputs[tree]) + place] += largest[place] }
    }
    return most.allSatisfy { $0 <= divisor * 1.0001 }
  }

  /// The same trees with other sums.
  fileprivate func with(base: [Double], _ divisor: Double, _ transform: Transform) -> TreeEnsemble {
    TreeEnsemble(
      features: features, thresholds: thresholds, rules: rules, left: left, right: right,
      roots: roots,
      outputs: outputs.map { min($0, Int32(base.count - 1)) }, leafWidth: leafWidth, leaves: leaves,
      categories: categories, featureCount: featureCount, base: base, divisor: divisor,
      precision: precision, transform: transform)
  }

  /// The same trees, of whose leaves only the second of two numbers is kept.
  fileprivate func ofSecond(_ transform: Transform) -> TreeEnsemble {
    TreeEnsemble(
      features: features, thresholds: thresholds, rules: rules, left: left, right: right,
      roots: roots,
      outputs: outputs, leafWidth: 1,
      leaves: stride(from: 1, to: leaves.count, by: 2).map { leaves[$0] },
      categories: categories, featureCount: featureCount, base: [0], divisor: divisor,
      precision: precision, transform: transform)
  }
}
