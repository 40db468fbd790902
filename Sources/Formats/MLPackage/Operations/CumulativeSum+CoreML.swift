import Graph

extension CumulativeSum: CoreMLOperation {
  static var milNames: [String] { ["cumsum"] }

  /// Sums of many terms lose digits in float16; whole numbers stay what they are.
  var precision: PrecisionRule { .full }

  func parameters(_ shape: [Int?], _ target: DeploymentTarget) -> [OperationParameter] {
    [
      OperationParameter("axis", .int(axis)), OperationParameter("exclusive", .bool(false)),
      OperationParameter("reverse", .bool(false)),
    ]
  }

  static func read(_ source: OperationReader) throws -> ReadResult {
    let x = try source.operand("x")
    let shape = source.type(of: x).shape
    let axes = try source.axes([try source.int("axis", default: 0)], rank: shape.count)
    for key in ["exclusive", "reverse"] where try source.bool(key, default: false) {
      throw source.fault("has '\(key)' true, only false is known")
    }
    return .operation(CumulativeSum(x, axis: axes[0]))
  }
}
