import Graph

extension Reshape: ReversibleOperation {
  func reverse(_ step: ReverseStep) { step.addEach() }
}

extension ExpandDims: ReversibleOperation {
  func reverse(_ step: ReverseStep) { step.addEach() }
}

extension Transpose: ReversibleOperation {
  func reverse(_ step: ReverseStep) {
    guard let target = step.gradients[0] else { return }
    copy(of: target.shape, to: step.output.shape).addBack(step.gradient, to: target)
  }
}

extension SliceByIndex: ReversibleOperation {
  func reverse(_ step: ReverseStep) {
    guard let target = step.gradients[0] else { return }
    copy(of: target.shape).addBack(step.gradient, to: target)
  }
}

extension Tile: ReversibleOperation {
  func reverse(_ step: ReverseStep) {
    guard let target = step.gradients[0] else { return }
    copy(of: target.shape).addBack(step.gradient, to: target)
  }
}

extension Concat: ReversibleOperation {
  func reverse(_ step: ReverseStep) {
    let outer = step.output.shape.prefix(axis).reduce(1, *)
    let whole = step.output.shape.dropFirst(axis).reduce(1, *)
    var offset = 0
    for (input, target) in zip(step.inputs, step.gradients) {
      let part = input.shape.dropFirst(axis).reduce(1, *)
      defer { offset += part }
      guard let target else { continue }
      for row in 0..<outer {
        for i in 0..<part {
          unsafe target.floats[row * part + i] += step.gradient.floats[row * whole + offset + i]
        }
      }
    }
  }
}

extension Gather: ReversibleOperation {
  func reverse(_ step: ReverseStep) {
    guard let target = step.gradients[0] else { return }
    let width = target.shape.dropFirst().reduce(1, *)
    for position in 0..<step.inputs[1].count {
      let row = unsafe Int(step.inputs[1].integers[position])
      for i in 0..<width {
        unsafe target.floats[row * width + i] += step.gradient.floats[position * width + i]
      }
    }
  }
}
