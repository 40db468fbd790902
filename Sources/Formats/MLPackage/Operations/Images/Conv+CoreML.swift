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
    let image = source.type(of: x).shape, window = source.type(of: weight).shape
    guard image.count == 4, window.count == 4 else {
      throw source.fault("convolves \(image) with \(window), only four axes are known")
    }
    let steps = try WindowSteps(source, window: Array(window[2...]), image: Array(image[2...]))
    return .operation(
      Conv(
        x, weight: weight, bias: bias, steps: steps,
        groups: try source.int("groups", default: 1)))
  }
}
