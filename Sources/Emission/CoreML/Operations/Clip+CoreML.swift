import Graph

extension Clip: CoreMLOperation {
  static var milNames: [String] { ["clip"] }

  var precision: PrecisionRule { .inherited }

  func parameters(_ shape: [Int?], _ target: DeploymentTarget) -> [OperationParameter] {
    [OperationParameter("alpha", .float(lowest)), OperationParameter("beta", .float(highest))]
  }

  static func read(_ source: OperationReader) throws -> ReadResult {
    .operation(
      Clip(
        try source.operand("x"), lowest: try source.float("alpha"),
        highest: try source.float("beta")))
  }
}
