import Graph

extension Gather: CoreMLOperation {
  static var milNames: [String] { ["gather"] }

  /// Rows as they are stored: those of a table of places are whole.
  var precision: PrecisionRule { .inherited }

  func parameters(_ shape: [Int?], _ target: DeploymentTarget) -> [OperationParameter] {
    let parameters = [
      OperationParameter("axis", .int(0)), OperationParameter("batch_dims", .int(0)),
    ]
    guard target >= .iOS17 else { return parameters }
    return parameters + [OperationParameter("validate_indices", .bool(false))]
  }

  func write(_ node: ModelGraph.Node, to program: inout ProgramWriter) throws {
    guard case .weight(let table) = x, let parts = try program.parts(of: table) else {
      return try program.append(self, node)
    }
    program.define(node.name, as: try program.lookUp(parts, self, node))
  }

  static func read(_ source: OperationReader) throws -> ReadResult {
    let x = try source.operand("x", role: .tokenTable)
    let axis = try source.int("axis", default: 0)
    guard axis == 0 || axis == -source.type(of: x).shape.count else {
      throw source.fault("gathers along axis \(axis), only 0 is known")
    }
    guard try source.int("batch_dims", default: 0) == 0 else {
      throw source.fault("has 'batch_dims' other than 0")
    }
    return .operation(Gather(x, indices: try source.operand("indices")))
  }
}
