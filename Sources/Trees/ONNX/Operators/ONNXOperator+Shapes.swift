extension ONNXOperator {
  /// Operators that move elements.
  static let shapes: [String: ONNXOperator] = [
    "Constant": ONNXOperator(anyVersion, 0...0) { node, _ throws(TreeError) in
      throw node.fault("is no step")
    },
    "Concat": ONNXOperator(anyVersion, 1...10_000, ["axis"]) { node, _ throws(TreeError) in
      guard let axis = try node.integer("axis") else { throw node.fault("has no attribute 'axis'") }
      return .concat(axis: axis)
    },
    "Reshape": ONNXOperator(anyVersion, 2...2, ["allowzero"]) { node, _ throws(TreeError) in
      .reshape(keepsZero: try node.flag("allowzero", false))
    },
    "Gather": ONNXOperator(anyVersion, 2...2, ["axis"]) { node, _ throws(TreeError) in
      .gather(axis: try node.integer("axis") ?? 0)
    },
    "Slice": ONNXOperator(10...28, 3...5) { _, _ in .slice },
    "Transpose": ONNXOperator(anyVersion, 1...1, ["perm"]) { node, _ throws(TreeError) in
      .transpose(try node.integers("perm"))
    },
    "Squeeze": ONNXOperator(anyVersion, 1...2, ["axes"]) { node, given throws(TreeError) in
      .squeeze(try axes(node, given, since: 13))
    },
    "Unsqueeze": ONNXOperator(anyVersion, 1...2, ["axes"]) { node, given throws(TreeError) in
      .unsqueeze(try axes(node, given, since: 13))
    },
    "Flatten": ONNXOperator(anyVersion, 1...1, ["axis"]) { node, _ throws(TreeError) in
      .flatten(axis: try node.integer("axis") ?? 1)
    },
    "Shape": ONNXOperator(anyVersion, 1...1) { _, _ in .shape },
    "ConstantOfShape": ONNXOperator(9...28, 1...1, ["value"]) { node, _ throws(TreeError) in
      let value = try node.tensor("value") ?? TabularColumn(.floats([0]), [1])
      guard value.count == 1 else { throw node.fault("'value' has \(value.count) elements") }
      return .fill(value)
    },
  ]

  /// Axes that are an attribute until a version, and an input since.
  static func axes(
    _ node: ONNXNode, _ given: [TabularColumn?], since version: Int
  ) throws(TreeError) -> [Int]? {
    guard node.version >= version else {
      guard given.count == 1 else { throw node.fault("has \(given.count) inputs, expected 1") }
      return try node.integers("axes")
    }
    guard !node.has("axes") else {
      throw node.fault("has the attribute 'axes', which is not known in version \(node.version)")
    }
    return nil
  }

  /// Operators that make fewer numbers of many.
  static let reductions: [String: ONNXOperator] = {
    var all: [String: ONNXOperator] = [:]
    let kinds: [(TabularReduction.Kind, Int)] = [
      (.sum, 13), (.mean, 18), (.product, 18), (.largest, 18), (.smallest, 18),
    ]
    for (kind, since) in kinds {
      all[kind.rawValue] = ONNXOperator(
        anyVersion, 1...2, ["axes", "keepdims", "noop_with_empty_axes"]
      ) { node, given throws(TreeError) in
        .reduce(
          TabularReduction(
            kind: kind, axes: try axes(node, given, since: since),
            keepsAxes: try node.flag("keepdims", true),
            keepsWithoutAxes: try node.flag("noop_with_empty_axes", false)))
      }
    }
    for isLargest in [true, false] {
      all[isLargest ? "ArgMax" : "ArgMin"] = ONNXOperator(
        anyVersion, 1...1, ["axis", "keepdims", "select_last_index"]
      ) { node, _ throws(TreeError) in
        .place(
          TabularPlace(
            axis: try node.integer("axis") ?? 0, keepsAxis: try node.flag("keepdims", true),
            isLargest: isLargest, takesLast: try node.flag("select_last_index", false)))
      }
    }
    all["Softmax"] = ONNXOperator(anyVersion, 1...1, ["axis"]) { node, _ throws(TreeError) in
      let isNew = node.version >= 13
      return .softmax(axis: try node.integer("axis") ?? (isNew ? -1 : 1), coversRest: !isNew)
    }
    return all
  }()
}
