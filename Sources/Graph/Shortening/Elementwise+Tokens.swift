// Operations on numbers one by one. A token's numbers are made of its own.

extension ElementwiseBinary: TokenFollowing {
  func follow(
    _ inputs: [TokenValue], _ type: ValueType, _ walk: inout TokenWalk
  ) throws -> TokenValue? {
    guard let aligned = try walk.align(inputs, rank: type.shape.count) else { return nil }
    let x = aligned.values[0], y = aligned.values[1]
    var value = TokenValue(type, tokens: aligned.tokens)
    if let choice = choice(x.choice, y.choice, type.scalar), aligned.tokens.count <= 1 {
      value.setChoice(choice)
      return value
    }
    value.magnitudes = magnitudes(x, y)
    // 0 · ∞ would be no zero.
    if x.magnitudes != nil, y.magnitudes != nil { value.zeros = zeros(x, y) }
    value.gaps = gaps(x, y)
    value.isNonNegative = isNonNegative(x, y)
    if type.scalar == .int32, let left = x.range, let right = y.range {
      value.range = left.combined(with: right, kind)
    }
    if let (factor, other) = factor(x, y), let form = other.affine,
      form.offsets.count == value.reducedShape.reduce(1, *)
    {
      value.affine = form.scaled(by: factor)
    }
    return value
  }

  private func choice(
    _ x: MaskChoice?, _ y: MaskChoice?, _ scalar: ScalarType
  ) -> MaskChoice? {
    guard let x, let y, scalar == .float32 || kind != .realDivision else { return nil }
    let choice = MaskChoice(
      present: compute(x.present, y.present), absent: compute(x.absent, y.absent))
    // float32 holds all integers below this.
    let end = scalar == .int32 ? 0x1p24 : Float.infinity
    return choice.present.magnitude < end && choice.absent.magnitude < end ? choice : nil
  }

  private func compute(_ x: Float, _ y: Float) -> Float {
    switch kind {
    case .add: x + y
    case .sub: x - y
    case .mul: x * y
    case .realDivision: x / y
    case .maximum: max(x, y)
    }
  }

  private func magnitudes(_ x: TokenValue, _ y: TokenValue) -> Magnitudes? {
    guard let left = x.magnitudes, let right = y.magnitudes else { return nil }
    switch kind {
    case .add, .sub: return left.combined(with: right, +)
    case .mul: return left.combined(with: right, *)
    case .maximum: return left.combined(with: right, max)
    case .realDivision:
      guard let divisor = y.constantNumber, divisor != 0 else { return nil }
      return left.combined(with: right) { limit, _ in limit / divisor.magnitude }
    }
  }

  private func zeros(_ x: TokenValue, _ y: TokenValue) -> Set<Int> {
    switch kind {
    case .mul: x.zeros.union(y.zeros)
    case .add, .sub, .maximum: x.zeros.intersection(y.zeros)
    case .realDivision: factor(x, y) == nil ? [] : x.zeros
    }
  }

  // The constant that one of the two is multiplied by, and that one.
  private func factor(_ x: TokenValue, _ y: TokenValue) -> (Double, of: TokenValue)? {
    switch kind {
    case .mul:
      if let factor = y.constantNumber { return (factor, x) }
      return x.constantNumber.map { ($0, y) }
    case .realDivision:
      guard let divisor = y.constantNumber, divisor != 0 else { return nil }
      return (1 / divisor, x)
    case .add, .sub, .maximum: return nil
    }
  }

  // What is added reduces a gap by as much as it can differ along the axis.
  private func gaps(_ x: TokenValue, _ y: TokenValue) -> [Int: Double] {
    var gaps: [Int: Double] = [:]
    if let (factor, other) = factor(x, y), factor > 0, x.type.scalar == .float32 {
      // What is too small for a float becomes 0 on both sides.
      return other.gaps.mapValues { $0 * factor - Magnitudes.smallest }
    }
    guard kind == .add || kind == .sub else { return [:] }
    for axis in x.tokens.union(y.tokens) {
      let left = x.gaps[axis], right = kind == .add ? y.gaps[axis] : nil
      guard left != nil || right != nil, let first = left ?? ElementwiseBinary.spread(x, axis),
        let second = right ?? ElementwiseBinary.spread(y, axis)
      else { continue }
      gaps[axis] = first + second
    }
    return gaps
  }

  // By how much numbers where the mask is 1 are above the rest of their line, at least.
  private static func spread(_ value: TokenValue, _ axis: Int) -> Double? {
    guard value.tokens.contains(axis) else { return 0 }
    return value.magnitudes.map { -2 * $0.largest }
  }

  private func isNonNegative(_ x: TokenValue, _ y: TokenValue) -> Bool {
    switch kind {
    case .add, .mul, .realDivision: x.isNonNegative && y.isNonNegative
    case .maximum: x.isNonNegative || y.isNonNegative
    case .sub: false
    }
  }

  func shortened(_ operands: [Operand], shape: [Int]) -> (any Operation)? {
    ElementwiseBinary(kind, operands[0], operands[1])
  }
}

extension Comparison: TokenFollowing {
  func follow(
    _ inputs: [TokenValue], _ type: ValueType, _ walk: inout TokenWalk
  ) throws -> TokenValue? {
    guard let aligned = try walk.align(inputs, rank: type.shape.count) else { return nil }
    let x = aligned.values[0], y = aligned.values[1]
    var value = TokenValue(type, tokens: aligned.tokens)
    value.magnitudes = Magnitudes(1, shape: value.reducedShape)
    value.isNonNegative = true
    value.range = WholeRange(0, 1)
    guard aligned.tokens.count <= 1 else { return value }
    if let x = x.choice, let y = y.choice {
      value.setChoice(
        MaskChoice(
          present: holds(x.present, y.present) ? 1 : 0, absent: holds(x.absent, y.absent) ? 1 : 0))
    } else if let left = x.range, let right = y.range, let holds = left.holds(kind, right) {
      value.setChoice(MaskChoice(present: holds ? 1 : 0, absent: holds ? 1 : 0))
    }
    return value
  }

  private func holds(_ x: Float, _ y: Float) -> Bool {
    switch kind {
    case .equal: x == y
    case .less: x < y
    case .greaterOrEqual: x >= y
    }
  }

  func shortened(_ operands: [Operand], shape: [Int]) -> (any Operation)? {
    Comparison(kind, operands[0], operands[1])
  }
}

extension Select: TokenFollowing {
  func follow(
    _ inputs: [TokenValue], _ type: ValueType, _ walk: inout TokenWalk
  ) throws -> TokenValue? {
    guard let aligned = try walk.align(inputs, rank: type.shape.count) else { return nil }
    let condition = aligned.values[0], a = aligned.values[1], b = aligned.values[2]
    var value = TokenValue(type, tokens: aligned.tokens)
    if let limits = a.magnitudes, let others = b.magnitudes {
      value.magnitudes = limits.combined(with: others, max).flatMap {
        // Of a condition that is the same for both, each place keeps both limits.
        Magnitudes(1, shape: condition.reducedShape)?.combined(with: $0, *)
      }
    }
    value.isNonNegative = a.isNonNegative && b.isNonNegative
    value.range = range(condition, a, b)
    guard let choice = condition.choice, condition.tokens.count == 1,
      let axis = condition.tokens.first, choice.present != choice.absent
    else { return value }
    let present = choice.present == 1 ? a : b, absent = choice.present == 1 ? b : a
    if aligned.tokens.count == 1, let first = present.choice, let second = absent.choice {
      value.setChoice(MaskChoice(present: first.present, absent: second.absent))
      return value
    }
    guard let filling = absent.constantNumber else { return value }
    if filling == 0 { value.zeros = [axis] }
    if let limits = present.magnitudes { value.gaps[axis] = -limits.largest - filling }
    return value
  }

  private func range(_ condition: TokenValue, _ a: TokenValue, _ b: TokenValue) -> WholeRange? {
    switch condition.constantNumber {
    case 0?: b.range
    case 1?: a.range
    default: a.range.flatMap { first in b.range.flatMap(first.union) }
    }
  }

  func shortened(_ operands: [Operand], shape: [Int]) -> (any Operation)? {
    Select(operands[0], operands[1], else: operands[2])
  }
}
