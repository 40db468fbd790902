import Graph

extension Cast: CoreMLOperation {
  static var milNames: [String] { ["cast"] }

  var precision: PrecisionRule { .inherited }

  /// To floats of the program's own width.
  func write(_ node: ModelGraph.Node, to program: inout ProgramWriter) throws {
    let precision = program.precision(of: self)
    let x = try program.value(x, in: precision)
    program.define(
      node.name,
      as: program.append(
        milName, node.name, [("x", .named(x.name))],
        [OperationParameter("dtype", .string(word(precision)))], precision,
        result: (scalar.milType(precision), program.shape(of: node))))
  }

  private func word(_ precision: MILDataType) -> String {
    switch scalar {
    case .float32, .float64: precision == .float16 ? "fp16" : "fp32"
    case .int32: "int32"
    case .bool: "bool"
    }
  }

  /// Casts between floats, and between integers, change nothing here: Ingot computes in float32 and
  /// int32, and looks elsewhere whether what a program says could hold the values.
  static func read(_ source: OperationReader) throws -> ReadResult {
    let x = try source.operand("x")
    let word = try source.string("dtype")
    let scalar: ScalarType
    switch word {
    case "fp16", "fp32": scalar = .float32
    // Ids that a narrower integer cannot hold are refused by the table they are looked up in.
    case "int32", "int16", "uint16": scalar = .int32
    case "bool": scalar = .bool
    default: throw source.fault("casts to '\(word)', which is not known")
    }
    return source.type(of: x).scalar == scalar ? .same(x) : .operation(Cast(x, to: scalar))
  }
}
