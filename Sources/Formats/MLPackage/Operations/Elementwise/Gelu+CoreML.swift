import Graph

extension Gelu: CoreMLOperation {
  static var milNames: [String] { ["gelu"] }

  var precision: PrecisionRule { .inherited }

  func parameters(_ shape: [Int?], _ target: DeploymentTarget) -> [OperationParameter] {
    [OperationParameter("mode", .string(mode.rawValue))]
  }

  static func read(_ source: OperationReader) throws -> ReadResult {
    let word = source.has("mode") ? try source.string("mode") : Mode.exact.rawValue
    guard let mode = Mode(rawValue: word) else {
      throw source.fault("has the mode '\(word)', which is not known")
    }
    return .operation(Gelu(try source.operand("x"), mode: mode))
  }
}
