import Graph

extension LayerNorm: ReversibleOperation {
  // The input at variance 1.
  func reverseScratchCount(_ inputs: [ValueType], _ output: ValueType) -> Int { output.rowWidth }

  func reverse(_ step: ReverseStep) {
    let width = step.output.type.rowWidth
    for row in 0..<step.output.type.rowCount { reverse(row, width, step) }
  }

  // With u = (x − mean) / √(variance + ε) and h = g · gamma: (h − mean(h) − u · mean(h · u)) / √…
  private func reverse(_ row: Int, _ width: Int, _ step: ReverseStep) {
    let x = unsafe step.inputs[0].floats + row * width
    let g = unsafe step.gradient.floats + row * width
    let gamma = unsafe step.inputs[1].floats, unit = unsafe step.context.scratch
    var mean = 0.0, variance = 0.0
    for i in 0..<width { unsafe mean += Double(x[i]) }
    mean /= Double(width)
    for i in 0..<width {
      let distance = unsafe Double(x[i]) - mean
      variance += distance * distance
    }
    let factor = Float(1 / (variance / Double(width) + Double(epsilon)).squareRoot())
    var sum = 0.0, product = 0.0
    for i in 0..<width {
      unsafe unit[i] = (x[i] - Float(mean)) * factor
      let scaled = unsafe g[i] * gamma[i]
      sum += Double(scaled)
      product += unsafe Double(scaled * unit[i])
    }
    let (level, slope) = (Float(sum / Double(width)), Float(product / Double(width)))
    for i in 0..<width {
      unsafe step.gradients[0]?.floats[row * width + i] +=
        factor * (g[i] * gamma[i] - level - unit[i] * slope)
      unsafe step.gradients[1]?.floats[i] += g[i] * unit[i]
      unsafe step.gradients[2]?.floats[i] += g[i]
    }
  }
}

extension BatchNorm: ReversibleOperation {
  func reverse(_ step: ReverseStep) throws(KernelFault) {
    try step.requireOnlyFirst(self)
    guard let target = step.gradients[0] else { return }
    let channels = target.shape[1], width = target.shape[2...].reduce(1, *)
    for plane in 0..<target.shape[0] * channels {
      let channel = plane % channels
      let factor =
        unsafe step.inputs[3].floats[channel]
        / (step.inputs[2].floats[channel] + epsilon).squareRoot()
      for i in plane * width..<(plane + 1) * width {
        unsafe target.floats[i] += step.gradient.floats[i] * factor
      }
    }
  }
}

extension Softmax: ReversibleOperation {
  // y · (g − Σ g · y)
  func reverse(_ step: ReverseStep) {
    guard let target = step.gradients[0], target.count > 0 else { return }
    let place = target.shape.count + axis
    let length = target.shape[place], inner = target.shape[(place + 1)...].reduce(1, *)
    let y = unsafe step.output.floats, g = unsafe step.gradient.floats
    for line in 0..<target.count / length {
      let first = line / inner * length * inner + line % inner
      var sum: Float = 0
      for i in stride(from: first, to: first + length * inner, by: inner) {
        unsafe sum += g[i] * y[i]
      }
      for i in stride(from: first, to: first + length * inner, by: inner) {
        unsafe target.floats[i] += y[i] * (g[i] - sum)
      }
    }
  }
}
