import Graph

extension Reshape: CoreMLOperation {
  static var milNames: [String] { ["reshape"] }

  var precision: PrecisionRule { .inherited }

  /// The one length that the caller chooses is left to be worked out: −1.
  func parameters(_ shape: [Int?], _ target: DeploymentTarget) -> [OperationParameter] {
    [OperationParameter("shape", .ints(shape.map { $0 ?? -1 }))]
  }

  static func read(_ source: OperationReader) throws -> ReadResult {
    let x = try source.operand("x")
    let old = source.type(of: x)
    let wanted = try source.ints("shape")
    guard wanted.allSatisfy({ $0 >= -1 }), wanted.count(where: { $0 == -1 }) <= 1 else {
      throw source.fault("has the shape \(wanted)")
    }
    // 0 means the length the axis has, −1 the rest.
    var shape = wanted
    for axis in shape.indices where shape[axis] == 0 {
      guard axis < old.shape.count else { throw source.fault("has the shape \(wanted)") }
      shape[axis] = old.shape[axis]
    }
    if let rest = shape.firstIndex(of: -1) {
      var others = 1
      for length in shape where length >= 0 {
        let (product, overflow) = others.multipliedReportingOverflow(by: length)
        guard !overflow else { throw source.fault("has the shape \(wanted)") }
        others = product
      }
      guard others > 0, old.elementCount % others == 0 else {
        throw source.fault("gives \(old.shape) the shape \(wanted)")
      }
      shape[rest] = old.elementCount / others
    }
    return .operation(Reshape(x, shape: shape))
  }
}
