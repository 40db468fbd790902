import Graph

extension SigmoidHard: CoreMLOperation {
  static var milNames: [String] { ["sigmoid_hard"] }

  var precision: PrecisionRule { .inherited }

  func parameters(_ shape: [Int?], _ target: DeploymentTarget) -> [OperationParameter] {
    [OperationParameter("alpha", .float(alpha)), OperationParameter("beta", .float(beta))]
  }

  static func read(_ source: OperationReader) throws -> ReadResult {
    .operation(
      SigmoidHard(
        try source.operand("x"), alpha: source.has("alpha") ? try source.float("alpha") : 0.2,
        beta: source.has("beta") ? try source.float("beta") : 0.5))
  }
}
