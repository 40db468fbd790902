import Graph

extension Select: CoreMLOperation {
  static var milNames: [String] { ["select"] }

  var precision: PrecisionRule { .inherited }

  static func read(_ source: OperationReader) throws -> ReadResult {
    .operation(
      Select(
        try source.operand("cond"), try source.operand("a"), else: try source.operand("b")))
  }
}
