import Graph

extension BatchNorm: CoreMLOperation {
  static var milNames: [String] { ["batch_norm"] }

  /// Core ML folds it into the convolution before it. Alone it is a product and a sum.
  func parameters(_ shape: [Int?], _ target: DeploymentTarget) -> [OperationParameter] {
    [OperationParameter("epsilon", .float(epsilon))]
  }

  static func read(_ source: OperationReader) throws -> ReadResult {
    let x = try source.operand("x")
    let shape = source.type(of: x).shape
    guard shape.count > 1 else {
      throw source.fault("has an 'x' of \(shape), which has no channels")
    }
    func part(_ name: String, _ role: WeightRole, _ value: Float) throws -> Operand {
      source.has(name)
        ? try source.operand(name, role: role)
        : .literal(.floats(Array(repeating: value, count: shape[1]), shape: [shape[1]]))
    }
    return .operation(
      BatchNorm(
        x, mean: try source.operand("mean", role: .statistic),
        variance: try source.operand("variance", role: .statistic),
        gamma: try part("gamma", .norm, 1), beta: try part("beta", .norm, 0),
        epsilon: source.has("epsilon") ? try source.float("epsilon") : 1e-5))
  }
}
