import Graph

extension Reduce: CoreMLOperation {
  static var milNames: [String] { Kind.allCases.map(\.rawValue) }

  /// Sums and means of many terms, and sums of squares, lose digits or overflow in float16.
  var precision: PrecisionRule { kind == .max ? .inherited : .full }

  func parameters(_ shape: [Int?], _ target: DeploymentTarget) -> [OperationParameter] {
    [OperationParameter("axes", .ints([axis])), OperationParameter("keep_dims", .bool(keepsAxis))]
  }

  static func read(_ source: OperationReader) throws -> ReadResult {
    guard let kind = Kind(rawValue: source.type) else { throw source.fault("is not known") }
    let x = try source.operand("x")
    let shape = source.type(of: x).shape
    let axes = try source.axes(try source.ints("axes"), rank: shape.count)
    guard axes.count == 1 else {
      throw source.fault("reduces the axes \(axes) of \(shape), only one at a time is known")
    }
    return .operation(
      Reduce(kind, x, axis: axes[0], keepsAxis: try source.bool("keep_dims", default: false)))
  }
}
