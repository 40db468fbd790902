import Graph

extension Conv: ReversibleOperation {
  // The gradients of all windows of a group: [in / groups · h · w, rows · columns].
  func reverseScratchCount(_ inputs: [ValueType], _ output: ValueType) -> Int {
    inputs[1].shape.dropFirst().reduce(1, *) * output.shape[2] * output.shape[3]
  }

  func reverse(_ step: ReverseStep) throws(KernelFault) {
    try step.requireOnlyFirst(self)
    guard let target = step.gradients[0] else { return }
    let places = step.output.shape[2] * step.output.shape[3]
    let weight = step.inputs[1].shape
    let inner = weight.dropFirst().reduce(1, *), outputs = weight[0] / groups
    for part in 0..<step.output.shape[0] * groups {
      let group = part % groups
      // Wᵀ [inner, outputs] · g [outputs, places]
      try unsafe MatrixProduct.multiply(
        .init(
          step.inputs[1].floats + group * outputs * inner, rowStride: inner, isTransposed: true),
        .init(step.gradient.floats + part * outputs * places, rowStride: places),
        into: step.context.scratch, rows: inner, columns: places, inner: outputs)
      addWindows(step, part, to: target)
    }
  }

  private func addWindows(_ step: ReverseStep, _ part: Int, to target: Tensor) {
    let weight = step.inputs[1].shape, output = step.output.shape
    let height = target.shape[2], width = target.shape[3]
    for channel in 0..<weight[1] {
      let plane = unsafe target.floats + (part * weight[1] + channel) * height * width
      for i in 0..<weight[2] {
        for j in 0..<weight[3] {
          let window = (channel * weight[2] + i) * weight[3] + j
          let from = unsafe step.context.scratch + window * output[2] * output[3]
          for row in 0..<output[2] {
            let y = row * steps.strides[0] - steps.padding[0] + i * steps.dilations[0]
            guard y >= 0, y < height else { continue }
            for column in 0..<output[3] {
              let x = column * steps.strides[1] - steps.padding[2] + j * steps.dilations[1]
              guard x >= 0, x < width else { continue }
              unsafe plane[y * width + x] += from[row * output[3] + column]
            }
          }
        }
      }
    }
  }
}

extension Pool: ReversibleOperation {
  func reverse(_ step: ReverseStep) {
    guard let target = step.gradients[0] else { return }
    let image = Array(target.shape[2...]), places = Array(step.output.shape[2...])
    for plane in 0..<target.shape[0] * target.shape[1] {
      for row in 0..<places[0] {
        for column in 0..<places[1] {
          let index = (plane * places[0] + row) * places[1] + column
          add(
            step, index, plane * image[0] * image[1], range(row, axis: 0, image),
            range(column, axis: 1, image), width: image[1], to: target)
        }
      }
    }
  }

  // A maximum gives all to the first that equals it, an average the same to each.
  private func add(
    _ step: ReverseStep, _ index: Int, _ plane: Int, _ rows: Range<Int>, _ columns: Range<Int>,
    width: Int, to target: Tensor
  ) {
    let g = unsafe step.gradient.floats[index]
    let share = kind == .average ? g / Float(rows.count * columns.count) : g
    for row in rows {
      for column in columns {
        let place = plane + row * width + column
        if kind == .max {
          guard unsafe step.inputs[0].floats[place] == step.output.floats[index] else { continue }
          unsafe target.floats[place] += share
          return
        }
        unsafe target.floats[place] += share
      }
    }
  }
}
