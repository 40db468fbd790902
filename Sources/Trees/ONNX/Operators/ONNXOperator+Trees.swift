import StrictJSON

extension ONNXOperator {
  /// Operators of trees, of the domain ai.onnx.ml.
  static let trees: [String: ONNXOperator] = [
    "TreeEnsembleClassifier": ONNXOperator(
      1...5, 1...1,
      ONNXTreeLists.attributes.union(ONNXTreeLists.leafAttributes("class")).union([
        "classlabels_int64s", "classlabels_strings",
      ])
    ) { node, given throws(TreeError) in
      guard
        let labels = try node.labels(
          texts: "classlabels_strings", integers: "classlabels_int64s")
      else { throw node.fault("has no classes") }
      guard labels.count > 1 else { throw node.fault("has a single class") }
      return try .trees(trees(node, given, "class", labels.count, labels))
    },
    "TreeEnsembleRegressor": ONNXOperator(
      1...5, 1...1,
      ONNXTreeLists.attributes.union(ONNXTreeLists.leafAttributes("target")).union([
        "aggregate_function", "n_targets",
      ])
    ) { node, given throws(TreeError) in
      try .trees(trees(node, given, "target", try node.integer("n_targets") ?? 1, nil))
    },
    "TreeEnsemble": ONNXOperator(5...5, 1...1, ONNXTreeReader.attributes) {
      node, given throws(TreeError) in
      try .trees(ONNXTreeReader(node, columns(node, given)).read())
    },
  ]

  /// The first input of trees, which has rows and columns of numbers.
  private static func columns(
    _ node: ONNXNode, _ given: [TabularColumn?]
  ) throws(TreeError) -> TabularColumn {
    guard let columns = given[0], columns.type != .string, columns.type != .bool,
      columns.shape.count == 1 || columns.shape.count == 2, columns.count == columns.width
    else {
      let shape = given[0]?.shape ?? []
      throw node.fault(
        "is given \(given[0]?.type ?? .bool) of the shape \(shape), expected numbers of a row")
    }
    return columns
  }

  /// Trees of the operators of version 1 and 3.
  private static func trees(
    _ node: ONNXNode, _ given: [TabularColumn?], _ kind: String, _ outputs: Int,
    _ labels: TreeLabels?
  ) throws(TreeError) -> TabularTrees {
    guard outputs > 0, outputs <= TreeEnsembleBuilder.outputLimit else {
      throw node.fault("has \(outputs) outputs, expected 1 to \(TreeEnsembleBuilder.outputLimit)")
    }
    let columns = try columns(node, given)
    let isDouble = columns.type == .double
    let lists = try ONNXTreeLists(node, kind: kind, outputs: outputs, isDouble: isDouble)
    let leaves = try ONNXTreeLeaves(node, lists, outputs: outputs)
    let base = try lists.base(node)
    let isTwo = labels != nil && outputs == 2
    guard base.isEmpty || base.count == (isTwo ? 1 : outputs) else {
      throw node.fault(
        "has \(Figures.count(base.count, "base value")) and \(Figures.count(outputs, "output")); of two classes one is "
          + "expected")
    }
    let aggregate: TabularTrees.Aggregate = try node.choice("aggregate_function", .sum)
    guard [.sum, .average].contains(aggregate) || leaves.isFull(lists) else {
      throw node.fault("takes the \(aggregate.rawValue) of leaves of which some have no number")
    }
    return TabularTrees(
      ensemble: try lists.ensemble(node, leaves, features: columns.width, outputs: outputs),
      base: labels == nil ? try leaves.added(base, node, lists) : base, aggregate: aggregate,
      transform: try transform(node, outputs: outputs),
      classes: try labels.map { labels throws(TreeError) in
        let isScored = try leaves.scored(node, lists, classes: outputs)
        guard outputs > 2 || isScored[0] else {
          throw node.fault("its leaves have numbers of the second class alone, expected the first")
        }
        let isBinary = outputs == 2 && isScored.count { $0 } == 1
        if outputs == 2, !isBinary { try requireOrdinary(labels, node) }
        return TabularTrees.Classes(
          labels: labels, isBinary: isBinary,
          arePositive: lists.leafValues.allSatisfy { $0 >= 0 },
          isScored: outputs > 2 && !base.isEmpty ? isScored.map { _ in true } : isScored)
      },
      isDouble: isDouble, outputType: .float)
  }

  /// Where leaves score both of two classes, ONNX Runtime gives the labels 1 and 0, whatever the file says.
  private static func requireOrdinary(
    _ labels: TreeLabels, _ node: ONNXNode
  ) throws(TreeError) {
    guard case .integers(let integers) = labels, integers != [0, 1] else { return }
    throw node.fault(
      "its leaves score both of the classes \(integers[0]) and \(integers[1]), for which ONNX Runtime gives the labels "
        + "0 and 1; call the classes 0 and 1, or by texts, or score one of them alone")
  }

  /// Of a single number ONNX Runtime does nothing, whatever the file says; what is meant is not known.
  private static func transform(
    _ node: ONNXNode, outputs: Int
  ) throws(TreeError) -> LeafTransform {
    let transform: LeafTransform = try node.choice("post_transform", .none)
    guard outputs > 1 || transform == .none else {
      throw node.fault(
        "'post_transform' of a single output is '\(transform.rawValue)', expected 'NONE'")
    }
    return transform
  }
}
