import Graph

extension Conv: CoreMLOperation {
  static var milNames: [String] { ["conv"] }

  func parameters(_ shape: [Int?], _ target: DeploymentTarget) -> [OperationParameter] {
    steps.parameters + [
      OperationParameter("dilations", .ints(steps.dilations)),
      OperationParameter("groups", .int(groups)),
    ]
  }

  static func read(_ source: OperationReader) throws -> ReadResult {
    let x = try source.operand("x")
    let weight = try source.operand("weight", role: .matrix(outputAxis: 0))
    let bias = source.has("bias") ? try source.operand("bias", role: .bias) : nil
    let image = source.type(of: x).shape
    guard image.count == 4, case .weight(let reference) = weight, reference.shape.count == 4 else {
      throw source.fault("has an 'x' of \(image), or no weight of four axes, which is not known")
    }
    let steps = try WindowSteps(
      source, window: Array(reference.shape[2...]), image: Array(image[2...]))
    return .operation(
      Conv(
        x, weight: weight, bias: bias, steps: steps,
        groups: try source.int("groups", default: 1)))
  }
}
