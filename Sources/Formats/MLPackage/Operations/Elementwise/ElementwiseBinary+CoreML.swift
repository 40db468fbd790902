import Graph

extension ElementwiseBinary: CoreMLOperation {
  static var milNames: [String] { Kind.allCases.map(\.rawValue) }

  var precision: PrecisionRule { .inherited }

  static func read(_ source: OperationReader) throws -> ReadResult {
    guard let kind = Kind(rawValue: source.type) else { throw source.fault("is not known") }
    return .operation(ElementwiseBinary(kind, try source.operand("x"), try source.operand("y")))
  }
}
