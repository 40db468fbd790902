// Products. A sum over tokens leaves out padding where one factor is exactly zero there and the other
// is finite.

extension Linear: TokenFollowing {
  func follow(
    _ inputs: [TokenValue], _ type: ValueType, _ walk: inout TokenWalk
  ) throws -> TokenValue? {
    let x = inputs[0], last = type.shape.count - 1
    guard !x.tokens.contains(last), inputs[1].tokens.isEmpty,
      inputs.dropFirst(2).allSatisfy(\.tokens.isEmpty)
    else { return nil }
    var value = TokenValue(type, tokens: x.tokens)
    guard let weights = try walk.floats(inputs[1]),
      let bias = try inputs.count == 3
        ? walk.floats(inputs[2]) : [Float](repeating: 0, count: type.shape[last])
    else { return value }
    // A form says nothing of numbers that are infinite before the layer.
    let limits = try walk.magnitudes(x)
    if limits != nil, let form = x.affine, form.matrix == nil,
      case .weight(let reference)? = inputs[1].constant,
      value.reducedShape.reduce(1, *) == bias.count
    {
      value.affine = form.mapped(by: reference, weights, bias)
    }
    if let form = value.affine {
      value.magnitudes = Magnitudes(form.limits(weights), shape: value.reducedShape)
    } else if let limits {
      value.magnitudes = Linear.limits(limits, weights, bias, value.reducedShape)
    }
    if value.magnitudes != nil, bias.allSatisfy({ $0 == 0 }) { value.zeros = x.zeros }
    return value
  }

  private static func limits(
    _ x: Magnitudes, _ weights: [Float], _ bias: [Float], _ shape: [Int]
  ) -> Magnitudes? {
    let width = weights.count / max(1, bias.count)
    var limits: [Double] = []
    limits.reserveCapacity(shape.reduce(1, *))
    for first in stride(from: 0, to: x.limits.count, by: max(1, width)) {
      for output in bias.indices {
        var sum = Double(bias[output].magnitude)
        for input in 0..<width {
          sum += Double(weights[output * width + input].magnitude) * x.limits[first + input]
        }
        limits.append(Magnitudes.held(sum))
      }
    }
    return Magnitudes(limits, shape: shape)
  }
}

extension Matmul: TokenFollowing {
  func follow(
    _ inputs: [TokenValue], _ type: ValueType, _ walk: inout TokenWalk
  ) throws -> TokenValue? {
    let product = TokenProduct(transposesX: transposeX, transposesY: transposeY)
    return try product.follow(inputs[0], inputs[1], type, &walk)
  }

  func shortened(_ operands: [Operand], shape: [Int]) -> (any Operation)? {
    Matmul(operands[0], operands[1], transposeX: transposeX, transposeY: transposeY)
  }
}

extension ScaledDotProductAttention: TokenFollowing {
  func follow(
    _ inputs: [TokenValue], _ type: ValueType, _ walk: inout TokenWalk
  ) throws -> TokenValue? {
    let query = inputs[0], key = inputs[1], value = inputs[2], width = query.type.shape[3]
    guard inputs.count == 4, query.tokens.isSubset(of: [2]), key.tokens == [2], value.tokens == [2]
    else { return nil }
    let shape = Array(query.type.shape.dropLast()) + [key.type.shape[2]]
    let scoresType = ValueType(.float32, shape)
    let product = TokenProduct(transposesX: false, transposesY: true)
    guard var scores = try product.follow(query, key, scoresType, &walk) else { return nil }
    scores.magnitudes = scores.magnitudes?.map { $0 / Double(width).squareRoot() }
    guard let aligned = try walk.align([scores, inputs[3]], rank: 4, first: 2),
      walk.cuts.keys.allSatisfy({ $0 == 3 }),
      let masked = try ElementwiseBinary(.add, self.query, self.query).follow(
        aligned.values, scoresType, &walk),
      let shares = try Softmax(self.query).follow([masked], scoresType, &walk)
    else { return nil }
    return try TokenProduct(transposesX: false, transposesY: false).follow(
      shares, value, type, &walk)
  }

  func shortened(_ operands: [Operand], shape: [Int]) -> (any Operation)? {
    ScaledDotProductAttention(
      query: operands[0], key: operands[1], value: operands[2],
      mask: operands.count == 4 ? operands[3] : nil)
  }
}
