import Graph

extension Softmax: CoreMLOperation {
  static var milNames: [String] { ["softmax"] }

  var precision: PrecisionRule { .inherited }

  func parameters(_ shape: [Int?], _ target: DeploymentTarget) -> [OperationParameter] {
    [OperationParameter("axis", .int(axis))]
  }

  static func read(_ source: OperationReader) throws -> ReadResult {
    let x = try source.operand("x")
    let axis = try source.int("axis", default: -1)
    return .operation(Softmax(x, axis: axis < 0 ? axis : axis - source.type(of: x).shape.count))
  }
}
