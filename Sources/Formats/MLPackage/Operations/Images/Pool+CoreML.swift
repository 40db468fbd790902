import Graph

extension Pool: CoreMLOperation {
  static var milNames: [String] { Kind.allCases.map(\.rawValue) }

  func parameters(_ shape: [Int?], _ target: DeploymentTarget) -> [OperationParameter] {
    [OperationParameter("kernel_sizes", .ints(window))] + steps.parameters
      + [OperationParameter("ceil_mode", .bool(false))]
      + (kind == .average
        ? [OperationParameter("exclude_padding_from_average", .bool(true))] : [])
  }

  static func read(_ source: OperationReader) throws -> ReadResult {
    guard let kind = Kind(rawValue: source.type) else { throw source.fault("is not known") }
    let x = try source.operand("x")
    let image = source.type(of: x).shape
    let window = try source.ints("kernel_sizes")
    guard image.count == 4, window.count == 2 else {
      throw source.fault("pools \(window) of \(image), only two of four axes are known")
    }
    guard try !source.bool("ceil_mode", default: false) else {
      throw source.fault("rounds the number of places up, which is not known")
    }
    let steps = try WindowSteps(source, window: window, image: Array(image[2...]))
    guard
      try kind == .max || steps.isUnpadded
        || source.bool("exclude_padding_from_average", default: false)
    else { throw source.fault("counts its padding in averages, which is not known") }
    return .operation(Pool(kind, x, window: window, steps: steps))
  }
}
