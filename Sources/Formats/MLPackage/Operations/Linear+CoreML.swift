import Graph

extension Linear: CoreMLOperation {
  static var milNames: [String] { ["linear"] }

  /// Features as they are measured can be larger than float16 holds.
  var precision: PrecisionRule { .inherited }

  /// `linear` takes constants of its input's type only: with float16 values as weights, it is written in
  /// float32 as a product and a sum.
  func write(_ node: ModelGraph.Node, to program: inout ProgramWriter) throws {
    guard program.half == .float16, program.precision(of: self) == .float32 else {
      return try program.append(self, node)
    }
    let x = try program.value(x, in: .float32), weight = try program.value(weight, in: .float32)
    let shape = program.shape(of: node)
    let product = program.append(
      "matmul", bias == nil ? node.name : "\(node.name)_product",
      [("x", .named(x.name)), ("y", .named(weight.name))],
      [
        OperationParameter("transpose_x", .bool(false)),
        OperationParameter("transpose_y", .bool(true)),
      ], .float32, result: (.float32, shape))
    guard let bias else { return program.define(node.name, as: product) }
    let shift = try program.value(bias, in: .float32)
    program.define(
      node.name,
      as: program.append(
        "add", node.name, [("x", .named(product.name)), ("y", .named(shift.name))], [], .float32,
        result: (.float32, shape)))
  }

  static func read(_ source: OperationReader) throws -> ReadResult {
    .operation(
      Linear(
        try source.operand("x"),
        weight: try source.operand("weight", role: .matrix(outputAxis: 0)),
        bias: source.has("bias") ? try source.operand("bias", role: .bias) : nil))
  }
}
