import Graph

extension Reduce: ExecutableOperation {
  func execute(
    _ inputs: [Tensor], into output: Tensor, _ context: KernelContext
  ) throws(KernelFault) {
    let shape = inputs[0].shape
    let inner = shape[(axis + 1)...].reduce(1, *), outer = shape[..<axis].reduce(1, *)
    for index in 0..<outer {
      unsafe reduce(
        inputs[0].floats + index * shape[axis] * inner, length: shape[axis],
        into: output.floats + index * inner, inner: inner)
    }
  }

  // Elements one after the other along the axis, so that the order never changes.
  private func reduce(
    _ x: UnsafePointer<Float>, length: Int, into output: UnsafeMutablePointer<Float>, inner: Int
  ) {
    for i in 0..<inner { unsafe output[i] = kind == .l2Norm ? x[i] * x[i] : x[i] }
    for place in 1..<max(1, length) {
      let row = unsafe x + place * inner
      switch kind {
      case .sum, .mean: for i in 0..<inner { unsafe output[i] += row[i] }
      case .l2Norm: for i in 0..<inner { unsafe output[i] += row[i] * row[i] }
      // NaN on either side stays.
      case .max:
        for i in 0..<inner {
          let value = unsafe row[i]
          if unsafe value > output[i] || value != value { unsafe output[i] = value }
        }
      }
    }
    switch kind {
    case .sum, .max: break
    case .mean: for i in 0..<inner { unsafe output[i] /= Float(length) }
    case .l2Norm: for i in 0..<inner { unsafe output[i] = output[i].squareRoot() }
    }
  }
}
