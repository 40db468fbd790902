import StrictJSON

/// Linear models and trees, with the labels that they give.
extension TableLowering {
  mutating func lower(
    _ linear: TabularLinear, _ x: LoweredValue, _ step: GraphStep
  ) throws(TreeError) {
    guard x.type != .string else { throw unknown("a linear model of texts") }
    let count = linear.intercepts.count
    let depth = x.elements.count
    guard linear.coefficients.count == count * depth else {
      throw fault(
        "has \(Figures.count(linear.coefficients.count, "coefficient")) for \(Figures.count(depth, "column"))"
      )
    }
    let value = try operand(x.elements)
    let inputs = [
      value, try array("weight", [count, depth], linear.coefficients, for: .linear),
      try array("bias", [count], linear.intercepts, for: .linear),
    ]
    let source = try append(.linear, inputs, width: count)
    if linear.areOpposite { opposites.insert(source) }
    let scores = columns(source)
    guard let labels = linear.labels else {
      return set(step.outputs[0], try transformed(scores, linear.transform))
    }
    let decides: LabelRule.Decision
    let numbers: [LoweredElement]
    if count > 1 {
      numbers = try transformed(scores, linear.transform)
      decides = .largest(linear.transform == .softmaxZero ? scores : numbers)
    } else if linear.transform == .logistic {
      numbers = try sigmoid(try pair(.multiply, scores, [.number(-1), .number(1)]))
      decides = .largest(numbers)
    } else {
      numbers = try complement(scores) + scores
      decides = .sign(scores[0], pair: numbers, second: scores[0], isShare: false)
    }
    set(step.outputs[0], LabelRule(labels: labels, decides: decides))
    if step.outputs.count > 1 { set(step.outputs[1], numbers) }
  }

  private mutating func set(_ slot: Int?, _ elements: [LoweredElement]) {
    guard let slot else { return }
    values[slot] = .lowered(
      LoweredValue(elements: elements, shape: [1, elements.count], type: .float))
  }

  private mutating func set(_ slot: Int?, _ rule: LabelRule) {
    if let slot { rules[slot] = rule }
  }

  private mutating func transformed(
    _ scores: [LoweredElement], _ transform: LeafTransform
  ) throws(TreeError) -> [LoweredElement] {
    switch transform {
    case .none: scores
    case .logistic: try sigmoid(scores)
    case .softmax: try softmax(scores, scores.count)
    case .softmaxZero: throw unknown("'SOFTMAX_ZERO'")
    }
  }

  mutating func lower(
    _ trees: TabularTrees, _ x: LoweredValue, _ step: GraphStep
  ) throws(TreeError) {
    guard x.type != .string else { throw unknown("trees of texts") }
    guard !trees.isDouble, trees.ensemble.precision.roundsFeatures else {
      throw unknown("trees of 64 bits before or after other steps")
    }
    guard trees.aggregate == .sum || trees.aggregate == .average else {
      throw unknown("the '\(trees.aggregate.rawValue)' of trees")
    }
    let ensemble = trees.ensemble
    let divisor = trees.aggregate == .average ? Double(ensemble.treeCount) : ensemble.divisor
    let value = try operand(x.elements)
    self.trees.append((nextName(.trees), ensemble))
    let source = try append(
      .trees, [value], width: ensemble.outputCount,
      sums: TableStep.Sums(
        count: ensemble.outputCount, divisor: divisor,
        addsFloats: ensemble.precision.addsFloats))
    var sums = columns(source)
    if trees.base.isEmpty, trees.aggregate == .sum, ensemble.staysWithinOne {
      shares.insert(source)
    }
    if trees.base.contains(where: { $0 != 0 }) {
      let base = trees.base.map { LoweredElement.number(Float($0)) }
      sums =
        base.count == sums.count
        ? try pair(.add, sums, base) : try pair(.add, [sums[0]], base) + sums.dropFirst()
    }
    guard let classes = trees.classes else {
      return set(step.outputs[0], try transformed(sums, trees.transform))
    }
    try lower(classes, sums, trees.transform, step)
  }

  private mutating func lower(
    _ classes: TabularTrees.Classes, _ sums: [LoweredElement], _ transform: LeafTransform,
    _ step: GraphStep
  ) throws(TreeError) {
    let isLast = step.outputs.count < 2
    guard classes.labels.count == 2 else {
      let numbers = try transformed(sums, transform)
      // What has no score is never the label.
      if classes.isScored.allSatisfy({ $0 }) {
        set(step.outputs[0], LabelRule(labels: classes.labels, decides: .largest(numbers)))
      }
      if !isLast { set(step.outputs[1], numbers) }
      return
    }
    guard sums.count == 2 || !classes.isScored[1] || classes.isBinary else {
      throw fault("has \(Figures.count(sums.count, "score")) of two classes")
    }
    let score = sums.count > 1 && classes.isScored[1] ? sums[1] : sums[0]
    let numbers: [LoweredElement]
    let decides: LabelRule.Decision?
    switch (classes.isBinary, transform) {
    case (true, .logistic):
      numbers = try sigmoid(try pair(.multiply, [score], [.number(-1), .number(1)]))
      decides = classes.arePositive ? nil : .largest(numbers)
    case (true, _):
      numbers =
        classes.arePositive
        ? try complement([score]) + [score] : try negated([score]) + [score]
      decides = .largest(numbers)
    case (false, .none), (false, .logistic):
      numbers = try transformed(sums, transform)
      decides = .sign(
        score, pair: numbers, second: numbers[numbers.count - 1],
        isShare: transform == .logistic)
    case (false, _):
      numbers = try transformed(sums, transform)
      decides = nil
    }
    if let decides {
      set(step.outputs[0], LabelRule(labels: classes.labels, decides: decides))
    }
    if !isLast { set(step.outputs[1], numbers) }
  }
}
