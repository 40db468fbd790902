import Graph

extension ElementwiseUnary: ReversibleOperation {
  func reverse(_ step: ReverseStep) {
    guard let target = step.gradients[0] else { return }
    for i in 0..<target.count {
      let y = unsafe step.output.floats[i]
      let slope: Float =
        switch kind {
        case .relu: unsafe step.inputs[0].floats[i] > 0 ? 1 : 0
        case .sigmoid: y * (1 - y)
        case .tanh: 1 - y * y
        case .sqrt: 0.5 / y
        }
      unsafe target.floats[i] += step.gradient.floats[i] * slope
    }
  }
}

extension Clip: ReversibleOperation {
  func reverse(_ step: ReverseStep) {
    step.addEach { $0 > lowest && $0 < highest ? 1 : 0 }
  }
}

extension SigmoidHard: ReversibleOperation {
  func reverse(_ step: ReverseStep) {
    step.addEach { x in
      let line = alpha * x + beta
      return line > 0 && line < 1 ? alpha : 0
    }
  }
}

extension Gelu: ReversibleOperation {
  // The inner function of each number, and what it needs besides.
  func reverseScratchCount(_ inputs: [ValueType], _ output: ValueType) -> Int {
    2 * output.elementCount
  }

  func reverse(_ step: ReverseStep) {
    guard let target = step.gradients[0] else { return }
    let count = target.count
    let x = unsafe step.inputs[0].floats, g = unsafe step.gradient.floats
    let inner = unsafe step.context.scratch, other = unsafe step.context.scratch + count
    switch mode {
    case .exact:
      // Φ(x) + x φ(x)
      for i in 0..<count { unsafe inner[i] = x[i] * Float(0.5).squareRoot() }
      unsafe step.context.loops.map(.erf, inner, inner, count: count)
      for i in 0..<count { unsafe other[i] = -0.5 * x[i] * x[i] }
      unsafe step.context.loops.map(.exp, other, other, count: count)
      let height = 1 / (2 * Float.pi).squareRoot()
      for i in 0..<count {
        unsafe target.floats[i] += g[i] * (0.5 * (1 + inner[i]) + x[i] * height * other[i])
      }
    case .tanhApproximation:
      let scale = (2 / Float.pi).squareRoot()
      for i in 0..<count { unsafe inner[i] = scale * (x[i] + 0.044715 * x[i] * x[i] * x[i]) }
      unsafe step.context.loops.map(.tanh, inner, inner, count: count)
      for i in 0..<count {
        let slope = unsafe scale * (1 + 3 * 0.044715 * x[i] * x[i])
        unsafe target.floats[i] +=
          g[i] * 0.5 * (1 + inner[i] + x[i] * (1 - inner[i] * inner[i]) * slope)
      }
    case .sigmoidApproximation:
      for i in 0..<count { unsafe inner[i] = 1.702 * x[i] }
      unsafe step.context.loops.map(.sigmoid, inner, inner, count: count)
      for i in 0..<count {
        unsafe target.floats[i] += g[i] * inner[i] * (1 + 1.702 * x[i] * (1 - inner[i]))
      }
    }
  }
}
