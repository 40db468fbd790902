import Graph

extension ScaledDotProductAttention: ReversibleOperation {
  // Shares of the values, and their gradients: [queries, keys] each.
  func reverseScratchCount(_ inputs: [ValueType], _ output: ValueType) -> Int {
    2 * output.shape[2] * inputs[1].shape[2]
  }

  func reverse(_ step: ReverseStep) throws(KernelFault) {
    let shape = step.output.shape
    guard step.output.count > 0, step.inputs[1].count > 0 else { return }
    for head in 0..<shape[0] * shape[1] { try Head(step, head).reverse() }
  }
}

/// One head of attention on its way back.
@safe private struct Head {
  private let step: ReverseStep
  private let queries: Int
  private let keys: Int
  private let width: Int
  /// First element of the head's queries, of its keys and values, and of its mask.
  private let queryPlace: Int
  private let keyPlace: Int
  private let maskPlace: Int
  private let maskStrides: [Int]
  private let shares: UnsafeMutablePointer<Float>
  private let slopes: UnsafeMutablePointer<Float>

  init(_ step: ReverseStep, _ head: Int) {
    self.step = step
    let shape = step.output.shape
    (queries, keys, width) = (shape[2], step.inputs[1].shape[2], shape[3])
    (queryPlace, keyPlace) = (head * queries * width, head * keys * width)
    maskStrides =
      step.inputs.count == 4
      ? Broadcast.strides(of: step.inputs[3].shape, rank: 4) : [0, 0, 0, 0]
    maskPlace = head / shape[1] * maskStrides[0] + head % shape[1] * maskStrides[1]
    unsafe shares = step.context.scratch
    unsafe slopes = step.context.scratch + queries * keys
  }

  private var scale: Float { 1 / Float(width).squareRoot() }

  private func query(isTransposed: Bool = false) -> MatrixProduct.Factor {
    unsafe .init(
      step.inputs[0].floats + queryPlace, rowStride: width, isTransposed: isTransposed)
  }

  private func key(isTransposed: Bool = false) -> MatrixProduct.Factor {
    unsafe .init(step.inputs[1].floats + keyPlace, rowStride: width, isTransposed: isTransposed)
  }

  private func value(isTransposed: Bool = false) -> MatrixProduct.Factor {
    unsafe .init(step.inputs[2].floats + keyPlace, rowStride: width, isTransposed: isTransposed)
  }

  private var gradient: MatrixProduct.Factor {
    unsafe .init(step.gradient.floats + queryPlace, rowStride: width)
  }

  // With scores s, shares p = softmax(s) and r = g vᵀ: dv = pᵀ g, ds = p · (r − Σ p · r),
  // dq = ds k / √width, dk = dsᵀ q / √width.
  func reverse() throws(KernelFault) {
    try computeShares()
    if let target = step.gradients[2] {
      try unsafe MatrixProduct.multiply(
        .init(shares, rowStride: keys, isTransposed: true), gradient,
        into: target.floats + keyPlace, rows: keys, columns: width, inner: queries, isAdded: true)
    }
    try computeSlopes()
    if step.gradients.count == 4, let target = step.gradients[3] { addMask(target) }
    for i in 0..<queries * keys { unsafe slopes[i] *= scale }
    if let target = step.gradients[0] {
      try unsafe MatrixProduct.multiply(
        .init(slopes, rowStride: keys), key(), into: target.floats + queryPlace, rows: queries,
        columns: width, inner: keys, isAdded: true)
    }
    if let target = step.gradients[1] {
      try unsafe MatrixProduct.multiply(
        .init(slopes, rowStride: keys, isTransposed: true), query(),
        into: target.floats + keyPlace, rows: keys, columns: width, inner: queries, isAdded: true)
    }
  }

  private func computeShares() throws(KernelFault) {
    try unsafe MatrixProduct.multiply(
      query(), key(isTransposed: true), into: shares, rows: queries, columns: keys, inner: width)
    for row in 0..<queries {
      for column in 0..<keys {
        let place = row * keys + column
        unsafe shares[place] *= scale
        if step.inputs.count == 4 {
          unsafe shares[place] += step.inputs[3].floats[mask(row, column)]
        }
      }
    }
    unsafe step.context.loops.softmax(shares, into: shares, rows: queries, width: keys)
  }

  private func computeSlopes() throws(KernelFault) {
    try unsafe MatrixProduct.multiply(
      gradient, value(isTransposed: true), into: slopes, rows: queries, columns: keys,
      inner: width)
    for row in 0..<queries {
      let first = row * keys
      var sum: Float = 0
      for i in first..<first + keys { unsafe sum += shares[i] * slopes[i] }
      for i in first..<first + keys { unsafe slopes[i] = shares[i] * (slopes[i] - sum) }
    }
  }

  private func mask(_ row: Int, _ column: Int) -> Int {
    maskPlace + row * maskStrides[2] + column * maskStrides[3]
  }

  private func addMask(_ target: Tensor) {
    for row in 0..<queries {
      for column in 0..<keys {
        unsafe target.floats[mask(row, column)] += slopes[row * keys + column]
      }
    }
  }
}
