import Graph

extension Clip: CoreMLOperation {
  static var milNames: [String] { ["clip"] }

  var precision: PrecisionRule { .inherited }

  /// A bound that float16 does not hold is the largest that it holds.
  func write(_ node: ModelGraph.Node, to program: inout ProgramWriter) throws {
    let precision = program.precision(of: self)
    let maximum: Float = precision == .float16 ? 65504 : .greatestFiniteMagnitude
    let x = try program.value(x, in: precision)
    program.define(
      node.name,
      as: program.append(
        milName, node.name, [("x", .named(x.name))],
        [
          OperationParameter("alpha", .float(min(max(lowest, -maximum), maximum))),
          OperationParameter("beta", .float(min(max(highest, -maximum), maximum))),
        ], precision, result: (precision, program.shape(of: node))))
  }

  /// An infinite bound bounds nothing: it is read as the last number there is.
  static func read(_ source: OperationReader) throws -> ReadResult {
    func bound(_ parameter: String) throws -> Float {
      let value = try source.float(parameter)
      return value.isInfinite
        ? Float(signOf: value, magnitudeOf: .greatestFiniteMagnitude) : value
    }
    return .operation(
      Clip(try source.operand("x"), lowest: try bound("alpha"), highest: try bound("beta")))
  }
}
