import Graph

extension Transpose: CoreMLOperation {
  static var milNames: [String] { ["transpose"] }

  var precision: PrecisionRule { .inherited }

  func parameters(_ shape: [Int?], _ target: DeploymentTarget) -> [OperationParameter] {
    [OperationParameter("perm", .ints(permutation))]
  }

  static func read(_ source: OperationReader) throws -> ReadResult {
    let x = try source.operand("x")
    let permutation = try source.axes(
      try source.ints("perm"), rank: source.type(of: x).shape.count)
    return .operation(Transpose(x, permutation: permutation))
  }
}
