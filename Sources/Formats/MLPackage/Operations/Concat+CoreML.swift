import Graph

extension Concat: CoreMLOperation {
  static var milNames: [String] { ["concat"] }

  var precision: PrecisionRule { .inherited }

  /// All parts are one list of MIL's.
  func write(_ node: ModelGraph.Node, to program: inout ProgramWriter) throws {
    let precision = program.precision(of: self)
    let parts = try values.map { try program.value($0, in: precision) }
    program.define(
      node.name,
      as: program.append(
        milName, node.name, [("values", .names(parts.map(\.name)))],
        [OperationParameter("axis", .int(axis)), OperationParameter("interleave", .bool(false))],
        precision, result: (node.type.scalar.milType(precision), program.shape(of: node))))
  }

  static func read(_ source: OperationReader) throws -> ReadResult {
    guard try source.bool("interleave", default: false) == false else {
      throw source.fault("interleaves its values, which is not known")
    }
    let values = try source.operands("values")
    guard let first = values.first else { throw source.fault("joins no values") }
    let axes = try source.axes(
      [try source.int("axis")], rank: source.type(of: first).shape.count)
    return .operation(Concat(values, axis: axes[0]))
  }
}
