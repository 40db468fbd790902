/// How an operator of a file becomes a step.
struct ONNXOperator: Sendable {
  typealias Make =
    @Sendable (ONNXNode, [TabularColumn?]) throws(TreeError) -> TabularOperation

  /// Versions of its domain in which it means what `make` takes it for.
  let versions: ClosedRange<Int>
  let inputs: ClosedRange<Int>
  let attributes: Set<String>
  /// From the attributes, and what the inputs are on a row of zeros.
  let make: Make

  init(
    _ versions: ClosedRange<Int>, _ inputs: ClosedRange<Int>, _ attributes: Set<String> = [],
    _ make: @escaping Make
  ) {
    self.versions = versions
    self.inputs = inputs
    self.attributes = attributes
    self.make = make
  }

  /// By domain and name.
  static let all: [String: [String: ONNXOperator]] = [
    "": elementwise.merging(shapes) { one, _ in one }.merging(reductions) { one, _ in one },
    "ai.onnx.ml": tables.merging(trees) { one, _ in one },
  ]

  /// All versions of the plain operators that are known.
  static let anyVersion = 7...28

  /// Operators of every element.
  private static let elementwise: [String: ONNXOperator] = {
    var all: [String: ONNXOperator] = [:]
    for name in [
      "Identity", "Relu", "Sigmoid", "Tanh", "Exp", "Log", "Sqrt", "Neg", "Abs", "Reciprocal",
      "Floor",
      "Sign", "IsNaN", "Not",
    ] {
      guard let unary = TabularOperation.Unary(rawValue: name) else { continue }
      let versions = unary == .same ? 1...28 : anyVersion
      all[name] = ONNXOperator(versions, 1...1) { _, _ in .unary(unary) }
    }
    for name in [
      "Add", "Sub", "Mul", "Div", "Pow", "Equal", "Less", "LessOrEqual", "Greater",
      "GreaterOrEqual", "And", "Or",
    ] {
      guard let binary = TabularOperation.Binary(rawValue: name) else { continue }
      all[name] = ONNXOperator(anyVersion, 2...2) { _, _ in .binary(binary) }
    }
    for name in ["Sum", "Mean", "Max", "Min"] {
      guard let fold = TabularOperation.Fold(rawValue: name) else { continue }
      all[name] = ONNXOperator(8...28, 1...10_000) { _, _ in .fold(fold) }
    }
    all["Where"] = ONNXOperator(9...28, 3...3) { _, _ in .choose }
    all["MatMul"] = ONNXOperator(anyVersion, 2...2) { _, _ in .matrixProduct }
    all["Gemm"] = ONNXOperator(anyVersion, 2...3, ["alpha", "beta", "transA", "transB"], gemm)
    all["Cast"] = ONNXOperator(6...28, 1...1, ["to", "saturate"], cast)
    all["Clip"] = ONNXOperator(anyVersion, 1...3, ["min", "max"], clip)
    return all
  }()

  private static let gemm: Make = { node, _ throws(TreeError) in
    .affine(
      TabularAffine(
        alpha: try node.float("alpha") ?? 1, beta: try node.float("beta") ?? 1,
        transposesLeft: try node.flag("transA", false),
        transposesRight: try node.flag("transB", false)))
  }

  private static let cast: Make = { node, _ throws(TreeError) in
    guard let number = try node.integer("to") else { throw node.fault("has no attribute 'to'") }
    guard let type = TabularType(onnx: number) else {
      throw node.fault("casts to the type \(number), which is not supported")
    }
    return .cast(type)
  }

  private static let clip: Make = { node, given throws(TreeError) in
    guard node.version < 11 else {
      try node.knows([])
      return .clip(low: nil, high: nil)
    }
    guard given.count == 1 else { throw node.fault("has \(given.count) inputs, expected 1") }
    return .clip(low: try node.float("min"), high: try node.float("max"))
  }

  /// The value of a constant.
  static func constant(_ node: ONNXNode) throws(TreeError) -> TabularColumn {
    let names = [
      "value", "value_float", "value_floats", "value_int", "value_ints", "value_string",
      "value_strings",
    ]
    try node.knows(Set(names))
    guard names.count(where: node.has) == 1 else { throw node.fault("has none or several values") }
    if let tensor = try node.tensor("value") { return tensor }
    if let value = try node.float("value_float") { return TabularColumn(.floats([value]), []) }
    if let values = try node.floats("value_floats") {
      return TabularColumn(.floats(values), [values.count])
    }
    if let value = try node.integer("value_int") {
      return TabularColumn(.integers([Int64(value)]), [])
    }
    if let values = try node.integers("value_ints") {
      return TabularColumn(.integers(values.map(Int64.init)), [values.count])
    }
    if let value = try node.text("value_string") { return TabularColumn(.texts([value]), []) }
    let values = try node.texts("value_strings") ?? []
    return TabularColumn(.texts(values), [values.count])
  }
}
