import Graph

extension Tile: CoreMLOperation {
  static var milNames: [String] { ["tile"] }

  var precision: PrecisionRule { .inherited }

  func parameters(_ shape: [Int?], _ target: DeploymentTarget) -> [OperationParameter] {
    [OperationParameter("reps", .ints(repetitions))]
  }

  static func read(_ source: OperationReader) throws -> ReadResult {
    .operation(Tile(try source.operand("x"), repetitions: try source.ints("reps")))
  }
}
