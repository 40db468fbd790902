import Graph

extension Reduce: ReversibleOperation {
  func reverse(_ step: ReverseStep) {
    guard let target = step.gradients[0] else { return }
    let shape = target.shape
    let inner = shape[(axis + 1)...].reduce(1, *), length = shape[axis]
    for line in 0..<step.output.count {
      let first = line / inner * length * inner + line % inner
      let g = unsafe step.gradient.floats[line]
      let places = (0..<length).map { first + $0 * inner }
      switch kind {
      case .sum: for place in places { unsafe target.floats[place] += g }
      case .mean: for place in places { unsafe target.floats[place] += g / Float(length) }
      case .max:
        let x = unsafe step.inputs[0].floats
        if let place = places.first(where: { unsafe x[$0] == step.output.floats[line] }) {
          unsafe target.floats[place] += g
        }
      case .l2Norm:
        // The norm of zeros has no slope.
        let norm = unsafe step.output.floats[line]
        guard norm > 0 else { continue }
        for place in places {
          unsafe target.floats[place] += g * step.inputs[0].floats[place] / norm
        }
      }
    }
  }
}

extension CumulativeSum: ReversibleOperation {
  func reverse(_ step: ReverseStep) {
    guard let target = step.gradients[0] else { return }
    let shape = target.shape
    let inner = shape[(axis + 1)...].reduce(1, *), length = shape[axis]
    guard length > 0 else { return }
    for line in 0..<target.count / length {
      let first = line / inner * length * inner + line % inner
      var sum: Float = 0
      for i in (0..<length).reversed() {
        unsafe sum += step.gradient.floats[first + i * inner]
        unsafe target.floats[first + i * inner] += sum
      }
    }
  }
}
