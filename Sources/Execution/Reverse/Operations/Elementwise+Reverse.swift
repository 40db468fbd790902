import Graph

extension ElementwiseBinary: ReversibleOperation {
  func reverse(_ step: ReverseStep) {
    guard step.output.type.scalar == .float32 else { return }
    if let target = step.gradients[0] { add(to: target, of: 0, step) }
    if let target = step.gradients[1] { add(to: target, of: 1, step) }
  }

  private func add(to target: Tensor, of own: Int, _ step: ReverseStep) {
    let walk = Broadcast(step.output.shape, step.inputs.map(\.shape))
    guard walk.count > 0 else { return }
    let strides = [walk.rowStride(0), walk.rowStride(1)]
    for row in 0..<walk.rowCount {
      let places = walk.places(of: row * walk.rowWidth)
      let x = unsafe step.inputs[0].floats + places[0], y = unsafe step.inputs[1].floats + places[1]
      let g = unsafe step.gradient.floats + row * walk.rowWidth
      let result = unsafe target.floats + places[own]
      for i in 0..<walk.rowWidth {
        let slope = unsafe self.slope(own, x[i * strides[0]], y[i * strides[1]])
        unsafe result[i * strides[own]] += g[i] * slope
      }
    }
  }

  /// The derivative by x (0) or y (1).
  @inline(__always)
  private func slope(_ own: Int, _ x: Float, _ y: Float) -> Float {
    switch (kind, own) {
    case (.add, _), (.sub, 0): 1
    case (.sub, _): -1
    case (.mul, 0): y
    case (.mul, _): x
    case (.realDivision, 0): 1 / y
    case (.realDivision, _): -x / (y * y)
    case (.maximum, 0): x > y || x != x ? 1 : 0
    case (.maximum, _): x > y || x != x ? 0 : 1
    }
  }
}

extension Select: ReversibleOperation {
  func reverse(_ step: ReverseStep) {
    let walk = Broadcast(step.output.shape, step.inputs.map(\.shape))
    for element in 0..<walk.count {
      let places = walk.places(of: element)
      let chosen = unsafe step.inputs[0].integers[places[0]] != 0 ? 1 : 2
      guard let target = step.gradients[chosen] else { continue }
      unsafe target.floats[places[chosen]] += step.gradient.floats[element]
    }
  }
}

/// Steps, without a slope.
extension Comparison: ReversibleOperation {
  func reverse(_ step: ReverseStep) {}
}

extension Cast: ReversibleOperation {
  func reverse(_ step: ReverseStep) {
    if scalar == .float32, step.inputs[0].type.scalar == .float32 { step.addEach() }
  }
}
