import Graph

extension ScaledDotProductAttention: CoreMLOperation {
  static var milNames: [String] { ["scaled_dot_product_attention"] }

  /// Written out as products and softmax on every system: the operation of its own is new in iOS 18
  /// and is reported to crash there.
  func write(_ node: ModelGraph.Node, to program: inout ProgramWriter) throws {
    let half = program.half
    let query = try program.value(query, in: half), key = try program.value(key, in: half)
    let value = try program.value(value, in: half)
    let mask = try mask.map { try program.value($0, in: half) }
    let width = query.shape.last.flatMap(\.self) ?? 1
    // The query is scaled, not the scores, which could be too large for float16 before.
    let factor = program.constant(
      OperationParameter("scale", .float(1 / Float(width).squareRoot())), node.name, half)
    let scaled = program.append(
      "mul", "\(node.name)_query", [("x", .named(query.name)), ("y", .named(factor))], [],
      half, result: (half, query.shape))
    let shape = Array(query.shape.dropLast()) + [key.shape[key.shape.count - 2]]
    let scores = product(scaled, key, "\(node.name)_scores", true, shape, &program)
    let masked =
      mask.map { mask in
        program.append(
          "add", "\(node.name)_masked", [("x", .named(scores.name)), ("y", .named(mask.name))], [],
          half, result: (half, shape))
      } ?? scores
    let shares = program.append(
      "softmax", "\(node.name)_shares", [("x", .named(masked.name))],
      [OperationParameter("axis", .int(-1))], half, result: (half, shape))
    program.define(
      node.name, as: product(shares, value, node.name, false, query.shape, &program))
  }

  private func product(
    _ x: ProgramValue, _ y: ProgramValue, _ name: String, _ transposesY: Bool, _ shape: [Int?],
    _ program: inout ProgramWriter
  ) -> ProgramValue {
    program.append(
      "matmul", name, [("x", .named(x.name)), ("y", .named(y.name))],
      [
        OperationParameter("transpose_x", .bool(false)),
        OperationParameter("transpose_y", .bool(transposesY)),
      ], program.half, result: (program.half, shape))
  }

  static func read(_ source: OperationReader) throws -> ReadResult {
    let mask = source.has("attn_mask") ? try source.operand("attn_mask") : nil
    return .operation(
      ScaledDotProductAttention(
        query: try source.operand("query"), key: try source.operand("key"),
        value: try source.operand("value"), mask: mask))
  }
}
