import Graph

extension Reduce: ExecutableOperation {
  func execute(
    _ inputs: [Tensor], into output: Tensor, _ context: KernelContext
  ) throws(KernelFault) {
    let shape = inputs[0].shape
    let inner = shape[(axis + 1)...].reduce(1, *), outer = shape[..<axis].reduce(1, *)
    let isRow = inner == 1 && kind != .max
    for index in 0..<outer {
      if isRow {
        unsafe output.floats[index] = unsafe row(
          inputs[0].floats + index * shape[axis], length: shape[axis])
        continue
      }
      unsafe reduce(
        inputs[0].floats + index * shape[axis] * inner, length: shape[axis],
        into: output.floats + index * inner, inner: inner)
    }
  }

  // Eight sums side by side, added pairwise at the end: an order that no processor changes.
  private func row(_ x: UnsafePointer<Float>, length: Int) -> Float {
    let isSquared = kind == .l2Norm
    var sums = SIMD8<Float>()
    var place = 0
    while place + 8 <= length {
      let part = unsafe UnsafeRawPointer(x + place).loadUnaligned(as: SIMD8<Float>.self)
      sums += isSquared ? part * part : part
      place += 8
    }
    let halves = sums.lowHalf + sums.highHalf
    let quarters = halves.lowHalf + halves.highHalf
    var total = quarters[0] + quarters[1]
    while place < length {
      total += unsafe isSquared ? x[place] * x[place] : x[place]
      place += 1
    }
    return switch kind {
    case .sum, .max: total
    case .mean: total / Float(length)
    case .l2Norm: total.squareRoot()
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
