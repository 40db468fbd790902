import Graph

extension Matmul: CoreMLOperation {
  static var milNames: [String] { ["matmul"] }

  var precision: PrecisionRule { .inherited }

  func parameters(_ shape: [Int?], _ target: DeploymentTarget) -> [OperationParameter] {
    [
      OperationParameter("transpose_x", .bool(transposeX)),
      OperationParameter("transpose_y", .bool(transposeY)),
    ]
  }

  static func read(_ source: OperationReader) throws -> ReadResult {
    let transposeX = try source.bool("transpose_x", default: false)
    let transposeY = try source.bool("transpose_y", default: false)
    return .operation(
      Matmul(
        try source.operand("x", role: .matrix(outputAxis: transposeX ? 1 : 0)),
        try source.operand("y", role: .matrix(outputAxis: transposeY ? 0 : 1)),
        transposeX: transposeX, transposeY: transposeY))
  }
}
