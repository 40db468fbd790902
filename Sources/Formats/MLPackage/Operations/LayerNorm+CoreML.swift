import Graph

extension LayerNorm: CoreMLOperation {
  static var milNames: [String] { ["layer_norm"] }

  /// The least normal float16 number: what is smaller may count as zero on a device.
  private static let minEpsilon: Float = 0x1p-14

  func write(_ node: ModelGraph.Node, to program: inout ProgramWriter) throws {
    let precision = program.precision(of: self)
    let minimum = precision == .float16 ? LayerNorm.minEpsilon : 0
    let inputs = try operands.map { parameter, operand in
      (parameter, MILArgument.named(try program.value(operand, in: precision).name))
    }
    program.define(
      node.name,
      as: program.append(
        milName, node.name, inputs,
        [
          OperationParameter("axes", .ints([-1])),
          OperationParameter("epsilon", .float(max(epsilon, minimum))),
        ], precision, result: (precision, program.shape(of: node))))
  }

  static func read(_ source: OperationReader) throws -> ReadResult {
    let x = try source.operand("x")
    let shape = source.type(of: x).shape
    let axes = try source.axes(try source.ints("axes"), rank: shape.count)
    guard axes == [shape.count - 1], let width = shape.last else {
      throw source.fault("normalises over the axes \(axes) of \(shape), only the last is known")
    }
    func part(_ name: String, _ value: Float) throws -> Operand {
      source.has(name)
        ? try source.operand(name, role: .norm)
        : .literal(.floats(Array(repeating: value, count: width), shape: [width]))
    }
    return .operation(
      LayerNorm(
        x, gamma: try part("gamma", 1), beta: try part("beta", 0),
        epsilon: source.has("epsilon") ? try source.float("epsilon") : 1e-5))
  }
}
