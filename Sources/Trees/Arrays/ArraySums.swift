import StrictJSON

/// How leaves are added up: the keys of `model.json` beside `trees`.
struct ArraySums {
  /// Of each output the number that its sum begins with.
  let base: [Double]
  let divisor: Double
  let precision: TreeEnsemble.Precision
  let transform: TreeEnsemble.Transform
  /// Whether x < t goes left, not x ≤ t.
  let isStrict: Bool

  init(_ model: JSONObject, _ table: TreeTable) throws(JSONError) {
    base = try ArraySums.base(model, table)
    divisor = try ArraySums.divisor(model)
    precision = TreeEnsemble.Precision(
      roundsFeatures: try model.bool("float32_features"), addsFloats: false)
    transform = try ArraySums.transform(model, outputs: base.count)
    isStrict = try ArraySums.isStrict(model)
  }

  private static func base(
    _ model: JSONObject, _ table: TreeTable
  ) throws(JSONError) -> [Double] {
    guard model["base"] != nil else {
      guard table.outputs == nil else {
        throw model.error(
          "'base' is missing; with 'tree_outputs' it says how many outputs there are",
          at: model.position)
      }
      return Array(repeating: 0, count: table.leafWidth)
    }
    var base: [Double] = []
    for node in try model.array("base") {
      guard let value = node.double else {
        throw model.error(
          "a number of 'base' is \(node.kind), expected a finite number", at: node.position)
      }
      base.append(value)
    }
    guard table.outputs != nil || base.count == table.leafWidth else {
      throw model.error(
        "'base' has \(Figures.count(base.count, "number")), 'value' has \(table.leafWidth) a leaf; without "
          + "'tree_outputs' these are as many", at: try model.required("base").position)
    }
    return base
  }

  private static func divisor(_ model: JSONObject) throws(JSONError) -> Double {
    guard let node = model["divisor"] else { return 1 }
    guard let value = node.double, value > 0 else {
      throw model.mismatch("divisor", expected: "a number above 0", node)
    }
    return value
  }

  private static func transform(
    _ model: JSONObject, outputs: Int
  ) throws(JSONError) -> TreeEnsemble.Transform {
    guard let node = model["transform"] else { return .identity }
    guard let transform = TreeEnsemble.Transform(rawValue: try model.string("transform")) else {
      let words = TreeEnsemble.Transform.allCases.map(\.rawValue).joined(separator: ", ")
      throw model.mismatch("transform", expected: "one of \(words)", node)
    }
    guard outputs > 1 || ![.softmax, .oneVersusRest, .share].contains(transform) else {
      throw model.error(
        "'\(transform.rawValue)' is for several outputs, there is 1", at: node.position)
    }
    return transform
  }

  private static func isStrict(_ model: JSONObject) throws(JSONError) -> Bool {
    guard let node = model["compare"] else { return false }
    switch try model.string("compare") {
    case "<=": return false
    case "<": return true
    default: throw model.mismatch("compare", expected: "'<=' or '<'", node)
    }
  }
}
