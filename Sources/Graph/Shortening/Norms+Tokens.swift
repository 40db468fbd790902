// Operations along one axis: they see all tokens, or the numbers of one.

extension LayerNorm: TokenFollowing {
  func follow(
    _ inputs: [TokenValue], _ type: ValueType, _ walk: inout TokenWalk
  ) throws -> TokenValue? {
    let x = inputs[0], width = type.shape.last ?? 0
    guard !x.tokens.contains(type.shape.count - 1), inputs[1].tokens.isEmpty,
      inputs[2].tokens.isEmpty
    else { return nil }
    var value = TokenValue(type, tokens: x.tokens)
    guard let limits = try walk.magnitudes(x), isFinite(limits.largest, width: width),
      let gains = try walk.floats(inputs[1]), let shifts = try walk.floats(inputs[2])
    else { return value }
    // A row of variance 1 at most has at most the root of its width for its length.
    let radius = Double(width).squareRoot()
    let rows = zip(gains, shifts).map {
      Magnitudes.held(Double($0.magnitude) * radius + Double($1.magnitude))
    }
    let shape = value.reducedShape
    value.magnitudes = Magnitudes(rows, shape: [width]).flatMap {
      Magnitudes(1, shape: shape)?.combined(with: $0, *)
    }
    if shape.reduce(1, *) == width {
      value.affine = AffineForm(
        radius: radius, gains: gains.map { Double($0) }, offsets: shifts.map { Double($0) })
    }
    return value
  }

  // The squares of a row's distances from its mean are added up, and an equal row is divided by the
  // root of epsilon.
  private func isFinite(_ limit: Double, width: Int) -> Bool {
    4 * limit * limit * Double(width) < Double(Float.greatestFiniteMagnitude) && epsilon >= 1e-30
  }
}

extension Softmax: TokenFollowing {
  /// Below it e^x is zero in float32; its logarithm is −103.98.
  private static let vanishing = 110.0

  func follow(
    _ inputs: [TokenValue], _ type: ValueType, _ walk: inout TokenWalk
  ) throws -> TokenValue? {
    let x = inputs[0], place = type.shape.count + axis
    guard let limits = try walk.magnitudes(x) else { return nil }
    var value = TokenValue(type, tokens: x.tokens)
    value.magnitudes = Magnitudes(1, shape: value.reducedShape)
    value.isNonNegative = true
    guard x.tokens.contains(place) else { return value }
    // What the scores' own rounding may take from the gap.
    let slack = limits.largest * 1e-6
    guard let gap = x.gap(place), gap > Softmax.vanishing + slack else { return nil }
    value.zeros = [place]
    value.sharesAxis = place
    return value
  }
}

extension Reduce: TokenFollowing {
  func follow(
    _ inputs: [TokenValue], _ type: ValueType, _ walk: inout TokenWalk
  ) throws -> TokenValue? {
    let x = inputs[0], limits = try walk.magnitudes(x)
    let isTokens = x.tokens.contains(axis)
    if isTokens {
      switch kind {
      case .sum, .l2Norm: guard x.zeros.contains(axis) else { return nil }
      case .max: guard let gap = x.gap(axis), gap >= 0, limits != nil else { return nil }
      // It divides by the number of places.
      case .mean: return nil
      }
    }
    var rest = x
    rest.tokens.remove(axis)
    rest.zeros.remove(axis)
    rest.gaps = [:]
    rest.choice = nil
    let reduced = reduced(limits, terms: isTokens ? Double(walk.length) : 1)
    // Sums may be made in another order, and one order may end in infinity where another does not.
    guard !isTokens || reduced != nil else { return nil }
    var value = rest.moved(
      type, reduced.flatMap { keepsAxis ? $0 : $0.reshaped(dropping($0.shape)) }
    ) { keepsAxis || $0 < axis ? $0 : $0 - 1 }
    value.sharesAxis = nil
    value.range = nil
    value.isNonNegative = x.isNonNegative || kind == .l2Norm
    if limits == nil { value.zeros = [] }
    return value
  }

  private func dropping(_ shape: [Int]) -> [Int] {
    var shape = shape
    shape.remove(at: axis)
    return shape
  }

  private func reduced(_ limits: Magnitudes?, terms: Double) -> Magnitudes? {
    switch kind {
    case .max, .mean: limits?.reduced(axis, max)
    case .sum: limits?.reduced(axis, +)?.map { $0 * terms }
    case .l2Norm:
      limits?.map { $0 * $0 }?.reduced(axis, +)?.map { ($0 * terms).squareRoot() }
    }
  }
}

extension CumulativeSum: TokenFollowing {
  /// A place sees those before it only, and they stay.
  func follow(
    _ inputs: [TokenValue], _ type: ValueType, _ walk: inout TokenWalk
  ) throws -> TokenValue? {
    let x = inputs[0]
    var value = TokenValue(type, tokens: x.tokens)
    // Along another axis the limits of the places before are not those of a place.
    if x.tokens.contains(axis) {
      value.magnitudes = try walk.magnitudes(x)?.map {
        Magnitudes.held($0 * Double(type.shape[axis]))
      }
    }
    value.isNonNegative = x.isNonNegative
    if type.scalar == .int32 { value.range = x.range?.summed(type.shape[axis]) }
    return value
  }
}
