import Graph

extension ExpandDims: CoreMLOperation {
  static var milNames: [String] { ["expand_dims", "squeeze"] }

  var precision: PrecisionRule { .inherited }

  func parameters(_ shape: [Int?], _ target: DeploymentTarget) -> [OperationParameter] {
    [OperationParameter("axes", .ints(axes))]
  }

  /// `squeeze`, its inverse, is a reshape.
  static func read(_ source: OperationReader) throws -> ReadResult {
    let x = try source.operand("x")
    let shape = source.type(of: x).shape
    guard source.type == "squeeze" else {
      let axes = try source.ints("axes")
      let rank = shape.count + axes.count
      return .operation(ExpandDims(x, axes: try source.axes(axes, rank: rank).sorted()))
    }
    let axes =
      source.has("axes")
      ? try source.axes(try source.ints("axes"), rank: shape.count)
      : shape.indices.filter { shape[$0] == 1 }
    guard axes.allSatisfy({ shape[$0] == 1 }) else {
      throw source.fault("drops the axes \(axes) of \(shape), not all of length 1")
    }
    let kept = shape.indices.filter { !axes.contains($0) }.map { shape[$0] }
    return .operation(Reshape(x, shape: kept))
  }
}
