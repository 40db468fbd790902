import Graph

extension ElementwiseBinary: ExecutableOperation {
  var replaceableInputs: [Int] { [0, 1] }

  func execute(
    _ inputs: [Tensor], into output: Tensor, _ context: KernelContext
  ) throws(KernelFault) {
    let walk = Broadcast(output.shape, inputs.map(\.shape))
    guard walk.count > 0 else { return }
    if output.type.scalar == .float32 {
      executeFloats(walk, inputs, output)
    } else {
      try executeIntegers(walk, inputs, output)
    }
  }

  private func executeFloats(_ walk: Broadcast, _ inputs: [Tensor], _ output: Tensor) {
    for row in 0..<walk.rowCount {
      let places = walk.places(of: row * walk.rowWidth)
      let rows = unsafe FloatRows(
        x: inputs[0].floats + places[0], xStride: walk.rowStride(0),
        y: inputs[1].floats + places[1], yStride: walk.rowStride(1),
        output: output.floats + row * walk.rowWidth, count: walk.rowWidth)
      switch kind {
      case .add: rows.combine { $0 + $1 }
      case .sub: rows.combine { $0 - $1 }
      case .mul: rows.combine { $0 * $1 }
      case .realDivision: rows.combine { $0 / $1 }
      // NaN on either side stays: neither comparison lets it pass for a number.
      case .maximum: rows.combine { $0 > $1 || $0 != $0 ? $0 : $1 }
      }
    }
  }

  private func executeIntegers(
    _ walk: Broadcast, _ inputs: [Tensor], _ output: Tensor
  ) throws(KernelFault) {
    for element in 0..<walk.count {
      let places = walk.places(of: element)
      let x = unsafe inputs[0].integers[places[0]], y = unsafe inputs[1].integers[places[1]]
      let result: Int32
      switch kind {
      case .add: result = x &+ y
      case .sub: result = x &- y
      case .mul: result = x &* y
      case .maximum: result = max(x, y)
      case .realDivision:
        guard y != 0 else { throw .divisionByZero(position: element) }
        result = x.dividedReportingOverflow(by: y).partialValue
      }
      unsafe output.integers[element] = result
    }
  }
}

/// One row of two operands; a stride is 1, or 0 if one element serves the whole row.
@safe private struct FloatRows {
  let x: UnsafePointer<Float>
  let xStride: Int
  let y: UnsafePointer<Float>
  let yStride: Int
  let output: UnsafeMutablePointer<Float>
  let count: Int

  @inline(__always)
  func combine(_ function: (Float, Float) -> Float) {
    switch (xStride, yStride) {
    case (1, 1): for i in 0..<count { unsafe output[i] = function(x[i], y[i]) }
    case (1, 0):
      let y = unsafe self.y[0]
      for i in 0..<count { unsafe output[i] = function(x[i], y) }
    case (0, 1):
      let x = unsafe self.x[0]
      for i in 0..<count { unsafe output[i] = function(x, y[i]) }
    default:
      let value = unsafe function(x[0], y[0])
      for i in 0..<count { unsafe output[i] = value }
    }
  }
}
