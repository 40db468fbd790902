import Graph

extension Conv: CoreMLOperation {
  static var milNames: [String] { ["conv"] }

  func parameters(_ shape: [Int?], _ target: DeploymentTarget) -> [OperationParameter] {
    [
      OperationParameter("strides", .ints(strides)),
      OperationParameter("pad_type", .string("valid")),
      OperationParameter("pad", .ints([0, 0, 0, 0])),
      OperationParameter("dilations", .ints([1, 1])), OperationParameter("groups", .int(1)),
    ]
  }

  static func read(_ source: OperationReader) throws -> ReadResult {
    guard !source.has("bias") else { throw source.fault("has a bias, which is not known") }
    let padding = source.has("pad_type") ? try source.string("pad_type") : "valid"
    let isPadded = source.has("pad") ? try source.ints("pad").contains { $0 != 0 } : false
    guard padding == "valid" || padding == "custom" && !isPadded else {
      throw source.fault("pads its input ('\(padding)'), which is not known")
    }
    let dilations = source.has("dilations") ? try source.ints("dilations") : [1, 1]
    guard dilations.allSatisfy({ $0 == 1 }), try source.int("groups", default: 1) == 1 else {
      throw source.fault("has dilations or groups, which are not known")
    }
    return .operation(
      Conv(
        try source.operand("x"),
        weight: try source.operand("weight", role: .matrix(outputAxis: 0)),
        strides: source.has("strides") ? try source.ints("strides") : [1, 1]))
  }
}
