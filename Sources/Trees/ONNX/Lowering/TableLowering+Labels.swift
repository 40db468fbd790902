import StrictJSON

/// Where labels come from, and the end of a program.
extension TableLowering {
  /// Notes how the value of a step is a label.
  mutating func noteRules(_ step: GraphStep) throws(TreeError) {
    guard let output = step.outputs[0] else { return }
    let first = step.inputs[0]
    switch step.operation {
    case .place(let place):
      guard place.isLargest, !place.takesLast, let first, let value = values[first],
        case .lowered(let x) = value, try runner.axis(place.axis, of: x.shape.count) >= 0,
        x.shape[try runner.axis(place.axis, of: x.shape.count)] == x.elements.count
      else { return }
      rules[output] = LabelRule(labels: nil, decides: .largest(x.elements))
    case .pick, .gather:
      guard let first, let second = step.inputs.count > 1 ? step.inputs[1] : nil,
        case .constant(let names)? = values[first], var rule = rules[second], rule.labels == nil
      else { return }
      rule.labels = labels(names)
      rules[output] = rule.labels == nil ? nil : rule
    case .cast(let type):
      guard let first, let rule = rules[first], keeps(type, rule.labels) else { return }
      rules[output] = rule
    case .unary(.same), .reshape, .squeeze, .unsqueeze, .flatten, .transpose:
      if let first { rules[output] = rules[first] }
    case .labelMap(let map):
      if let first { rules[output] = rules[first].flatMap { mapped($0, map) } }
    default: break
    }
  }

  /// Whether labels of another type are the same.
  private func keeps(_ type: TabularType, _ labels: TreeLabels?) -> Bool {
    switch (type, labels) {
    case (.bool, _): false
    case (.string, .texts?): true
    case (.string, _), (_, .texts?): false
    case (.float, .integers(let integers)?): integers.allSatisfy { abs($0) <= 1 << 24 }
    default: true
    }
  }

  private func labels(_ column: TabularColumn) -> TreeLabels? {
    if case .texts(let texts) = column.elements { return .texts(texts) }
    return column.elements.wholeNumbers.map(TreeLabels.integers)
  }

  /// A rule whose labels are replaced by others.
  private func mapped(_ rule: LabelRule, _ map: TabularLabelMap) -> LabelRule? {
    guard case .integers(let keys) = map.keys, case .texts(let texts) = map.values,
      case .texts(let other) = map.other, let last = other.first
    else { return nil }
    let known = Dictionary(zip(keys.map(Int.init), texts)) { first, _ in first }
    let places: [Int]
    switch (rule.labels, rule.decides) {
    case (.integers(let integers)?, _): places = integers
    case (nil, .largest(let numbers)): places = Array(numbers.indices)
    default: return nil
    }
    var result = rule
    result.labels = .texts(places.map { known[$0] ?? last })
    return result
  }

  /// The program, which returns the numbers of outputs.
  mutating func finish(_ numbers: [TabularOutput]) throws(TreeError) -> Table {
    let label = graph.outputs.first { $0.kind == .label }
    guard numbers.count == 1 || label != nil else {
      throw fault(
        "there \(Figures.are(numbers.count, "output")): \(numbers.map(\.name).joined(separator: ", ")); convert a model "
          + "of one")
    }
    var elements: [LoweredElement] = []
    for output in numbers {
      guard let value = values[output.slot] else { throw fault("'\(output.name)' has no value") }
      elements += try lowered(value).elements
    }
    let (task, returned, isShare) = try task(label, elements)
    let result = try returnedStep(returned)
    prune(for: result)
    return Table(
      program: TableProgram(
        library: graph.library,
        inputs: inputs.enumerated().map { number, input in
          categories[number].map { TreeFeature(input.name, .category(names: $0)) } ?? input
        },
        steps: steps, returned: result, task: task, givesProbabilities: isShare,
        outputName: numbers[0].name),
      arrays: arrays, trees: trees)
  }

  /// Leaves out what the result does not need: numbers of a class that is not returned.
  private mutating func prune(for result: String) {
    var needed: Set<String> = [result]
    var read: Set<String> = []
    for step in steps.reversed() where needed.contains(step.name) {
      for input in step.inputs {
        switch input {
        case .value(let name): needed.insert(name)
        case .array(let name): read.insert(name)
        }
      }
    }
    steps = steps.filter { needed.contains($0.name) }
    arrays = arrays.filter { read.contains($0.name) }
    trees = trees.filter { needed.contains($0.step) }
  }

  private mutating func returnedStep(_ elements: [LoweredElement]) throws(TreeError) -> String {
    guard case .value(let name) = try operand(elements), name != TableProgram.features else {
      throw fault("nothing is computed of the features")
    }
    return name
  }

  /// What numbers mean, which of them are returned, and whether they are probabilities.
  private func task(
    _ label: TabularOutput?, _ elements: [LoweredElement]
  ) throws(TreeError) -> (TreeTask, [LoweredElement], Bool) {
    guard let label else { return (.regression, elements, false) }
    guard let rule = rules[label.slot] else {
      // A label of one number, as detectors of outliers give it, is not kept.
      guard elements.count > 1 else { return (.regression, elements, false) }
      throw fault(
        "'\(label.name)' is not the class of the largest number of \(elements.count), which is all that a model "
          + "of tables says")
    }
    switch rule.decides {
    case .largest(let numbers):
      let labels = rule.labels ?? .integers(Array(numbers.indices))
      // Of two scores, one the other below zero, the second alone: it is above 0 where it is the larger.
      if labels.count == 2, let source = whole(numbers), opposites.contains(source),
        elements == [numbers[1]]
      {
        return (.classification(labels: labels), elements, false)
      }
      guard labels.count == elements.count, haveSameOrder(numbers, elements) else {
        throw otherLabel(label)
      }
      return (.classification(labels: labels), elements, areShares(elements))
    case .sign(_, let pair, let second, let isShare):
      guard pair == elements, let labels = rule.labels else {
        throw otherLabel(label)
      }
      return (.classification(labels: labels), [second], isShare)
    }
  }

  private func otherLabel(_ label: TabularOutput) -> TreeError {
    fault(
      "'\(label.name)' is not the class of the largest of the numbers that are given; convert the model so that it "
        + "gives a number of each class")
  }

  /// Whether the largest of some numbers has the place of the largest of others in every row.
  private func haveSameOrder(_ one: [LoweredElement], _ other: [LoweredElement]) -> Bool {
    if one == other { return true }
    return root(one) == root(other)
  }

  /// The first elements whose order others have.
  private func root(_ elements: [LoweredElement]) -> [LoweredElement] {
    var elements = elements
    while let source = whole(elements), let before = sameOrder[source] { elements = before }
    return elements
  }
}
