import StrictJSON

extension ONNXOperator {
  /// Operators of tables, of the domain ai.onnx.ml.
  static let tables: [String: ONNXOperator] = [
    "LinearClassifier": ONNXOperator(
      1...5, 1...1,
      [
        "classlabels_ints", "classlabels_strings", "coefficients", "intercepts", "multi_class",
        "post_transform",
      ], linearClassifier),
    "LinearRegressor": ONNXOperator(
      1...5, 1...1, ["coefficients", "intercepts", "post_transform", "targets"], linearRegressor),
    "Scaler": ONNXOperator(1...5, 1...1, ["offset", "scale"]) { node, given throws(TreeError) in
      let (offset, scale) = (try node.floats("offset") ?? [], try node.floats("scale") ?? [])
      let width = given[0]?.width ?? 0
      for (name, values) in [("offset", offset), ("scale", scale)]
      where values.count != 1 && values.count != width {
        throw node.fault(
          "'\(name)' has \(Figures.count(values.count, "number")), there \(Figures.are(width, "column"))"
        )
      }
      return .scaler(offset: offset, scale: scale)
    },
    "Normalizer": ONNXOperator(1...5, 1...1, ["norm"]) { node, _ throws(TreeError) in
      .normalizer(try node.choice("norm", .largest))
    },
    "Imputer": ONNXOperator(
      1...5, 1...1,
      [
        "imputed_value_floats", "imputed_value_int64s", "replaced_value_float",
        "replaced_value_int64",
      ], imputer),
    "OneHotEncoder": ONNXOperator(
      1...5, 1...1, ["cats_int64s", "cats_strings", "zeros"]
    ) { node, _ throws(TreeError) in
      guard let labels = try node.labels(texts: "cats_strings", integers: "cats_int64s") else {
        throw node.fault("has no categories")
      }
      return .oneHot(labels, allowsUnknown: try node.flag("zeros", true))
    },
    "LabelEncoder": ONNXOperator(
      2...5, 1...1,
      [
        "keys_floats", "keys_int64s", "keys_strings", "keys_tensor", "values_floats",
        "values_int64s", "values_strings", "values_tensor", "default_float", "default_int64",
        "default_string", "default_tensor",
      ], labelEncoder),
    "ArrayFeatureExtractor": ONNXOperator(1...5, 2...2) { _, _ in .pick },
    "FeatureVectorizer": ONNXOperator(
      1...5, 1...10_000, ["inputdimensions"]
    ) { node, given throws(TreeError) in
      let widths = try node.integers("inputdimensions") ?? []
      let found = given.map { $0?.width ?? 0 }
      guard widths == found else {
        throw node.fault("'inputdimensions' are \(widths), the inputs have \(found) columns")
      }
      return .vectorizer(widths: widths)
    },
    "ZipMap": ONNXOperator(
      1...5, 1...1, ["classlabels_int64s", "classlabels_strings"]
    ) { node, given throws(TreeError) in
      guard
        let labels = try node.labels(texts: "classlabels_strings", integers: "classlabels_int64s")
      else { throw node.fault("has no classes") }
      guard labels.count == given[0]?.count else {
        throw node.fault(
          "has \(labels.count) \(labels.count == 1 ? "class" : "classes") and \(Figures.count(given[0]?.count ?? 0, "column"))"
        )
      }
      return .nameClasses(labels)
    },
  ]

  private static let linearClassifier: Make = { node, given throws(TreeError) in
    guard
      let labels = try node.labels(texts: "classlabels_strings", integers: "classlabels_ints")
    else { throw node.fault("has no classes") }
    let intercepts = try node.floats("intercepts") ?? []
    _ = try node.flag("multi_class", false)
    guard intercepts.count == labels.count || (intercepts.count == 1 && labels.count == 2) else {
      throw node.fault(
        "has \(Figures.count(intercepts.count, "intercept")) and \(labels.count) \(labels.count == 1 ? "class" : "classes")"
      )
    }
    return .linear(try linear(node, given, intercepts, labels))
  }

  private static let linearRegressor: Make = { node, given throws(TreeError) in
    let targets = try node.integer("targets") ?? 1
    guard targets > 0, targets <= TreeEnsembleBuilder.outputLimit else {
      throw node.fault("has \(targets) targets, expected 1 to \(TreeEnsembleBuilder.outputLimit)")
    }
    let intercepts = try node.floats("intercepts") ?? [Float](repeating: 0, count: targets)
    guard intercepts.count == targets else {
      throw node.fault(
        "has \(Figures.count(intercepts.count, "intercept")) and \(Figures.count(targets, "target"))"
      )
    }
    return .linear(try linear(node, given, intercepts, nil))
  }

  private static func linear(
    _ node: ONNXNode, _ given: [TabularColumn?], _ intercepts: [Float], _ labels: TreeLabels?
  ) throws(TreeError) -> TabularLinear {
    let coefficients = try node.floats("coefficients") ?? []
    let width = given[0]?.width ?? 0
    let (needed, overflows) = width.multipliedReportingOverflow(by: intercepts.count)
    guard !overflows, coefficients.count == needed, width > 0 else {
      throw node.fault(
        "has \(Figures.count(coefficients.count, "coefficient")), \(Figures.count(width, "column")) and "
          + "\(Figures.count(intercepts.count, "output")) "
          + "need \(needed)")
    }
    let transform: LeafTransform = try node.choice("post_transform", .none)
    return TabularLinear(
      coefficients: coefficients, intercepts: intercepts, labels: labels,
      // ONNX Runtime does nothing with the number of a regression of one.
      transform: labels == nil && intercepts.count == 1 ? .none : transform)
  }

  private static let imputer: Make = { node, given throws(TreeError) in
    let (floats, integers) = (
      try node.floats("imputed_value_floats") ?? [], try node.integers("imputed_value_int64s") ?? []
    )
    let (count, width) = (max(floats.count, integers.count), given[0]?.width ?? 0)
    guard floats.isEmpty != integers.isEmpty, count == 1 || count == width else {
      throw node.fault("has \(Figures.count(count, "value")) for \(Figures.count(width, "column"))")
    }
    if integers.isEmpty {
      return .imputer(.floats(floats, replaced: try node.float("replaced_value_float") ?? 0))
    }
    return .imputer(
      .integers(
        integers.map(Int64.init), replaced: Int64(try node.integer("replaced_value_int64") ?? 0)))
  }

  private static let labelEncoder: Make = { node, _ throws(TreeError) in
    func list(_ name: String) throws(TreeError) -> [TabularColumn.Elements] {
      var found: [TabularColumn.Elements] = []
      if let floats = try node.floats("\(name)_floats") { found.append(.floats(floats)) }
      if let integers = try node.integers("\(name)_int64s") {
        found.append(.integers(integers.map(Int64.init)))
      }
      if let texts = try node.texts("\(name)_strings") { found.append(.texts(texts)) }
      if let tensor = try node.tensor("\(name)_tensor") { found.append(tensor.elements) }
      return found
    }
    let (keys, values) = (try list("keys"), try list("values"))
    guard keys.count == 1, values.count == 1, keys[0].count == values[0].count else {
      throw node.fault(
        "has \(keys.reduce(0) { $0 + $1.count }) keys and \(values.reduce(0) { $0 + $1.count }) values"
      )
    }
    return .labelMap(
      TabularLabelMap(keys: keys[0], values: values[0], other: try other(node, values[0].type)))
  }

  /// What becomes of texts and numbers that are no key.
  private static func other(
    _ node: ONNXNode, _ type: TabularType
  ) throws(TreeError) -> TabularColumn.Elements {
    if let tensor = try node.tensor("default_tensor") {
      guard tensor.count == 1, tensor.type == type else {
        throw node.fault("'default_tensor' is not a single \(type)")
      }
      return tensor.elements
    }
    switch type {
    case .float: return .floats([try node.float("default_float") ?? -0.0])
    case .int64: return .integers([Int64(try node.integer("default_int64") ?? -1)])
    case .string: return .texts([try node.text("default_string") ?? "_Unused"])
    default: throw node.fault("has values of the type \(type) and no 'default_tensor'")
    }
  }
}
