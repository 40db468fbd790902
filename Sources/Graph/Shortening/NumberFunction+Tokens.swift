/// An operation on each number of one operand.
private protocol NumberFunction: TokenFollowing {
  /// The limit that follows from a limit of the operand; nil for no finite one.
  func limit(_ limit: Double) -> Double?
  /// What it makes of a number, if it is one of those a mask goes through.
  func value(_ x: Float) -> Float?
  /// The range that follows from one of the operand's numbers.
  func range(_ range: WholeRange) -> WholeRange?
  /// Whether zero stays zero.
  var keepsZero: Bool { get }
  var isNeverNegative: Bool { get }
}

extension NumberFunction {
  func value(_ x: Float) -> Float? { nil }
  func range(_ range: WholeRange) -> WholeRange? { nil }
  var isNeverNegative: Bool { false }

  func follow(
    _ inputs: [TokenValue], _ type: ValueType, _ walk: inout TokenWalk
  ) throws -> TokenValue? {
    let x = inputs[0]
    var value = TokenValue(type, tokens: x.tokens)
    if let choice = x.choice, let present = self.value(choice.present),
      let absent = self.value(choice.absent), x.tokens.count <= 1
    {
      value.setChoice(MaskChoice(present: present, absent: absent))
      return value
    }
    if let limits = try walk.magnitudes(x) {
      let changed = limits.limits.compactMap(limit)
      if changed.count == limits.limits.count {
        value.magnitudes = Magnitudes(changed, shape: limits.shape)
      }
      if keepsZero { value.zeros = x.zeros }
    }
    value.isNonNegative = isNeverNegative
    value.range = x.range.flatMap(range)
    return value
  }
}

extension ElementwiseUnary: NumberFunction {
  func limit(_ limit: Double) -> Double? {
    switch kind {
    case .relu: limit
    case .sigmoid, .tanh: 1
    // Of what may be negative nothing is known.
    case .sqrt: nil
    }
  }

  func value(_ x: Float) -> Float? { kind == .relu ? max(x, 0) : nil }
  var keepsZero: Bool { kind != .sigmoid }
  var isNeverNegative: Bool { kind != .tanh }
}

extension Gelu: NumberFunction {
  // An approximation takes the third power.
  func limit(_ limit: Double) -> Double? { limit < 1e12 ? limit : nil }
  var keepsZero: Bool { true }
}

extension SigmoidHard: NumberFunction {
  func limit(_ limit: Double) -> Double? { alpha.isFinite && beta.isFinite ? 1 : nil }
  var keepsZero: Bool { false }
  var isNeverNegative: Bool { true }
}

extension Clip: NumberFunction {
  // Of limits that cross, or are no numbers, nothing is claimed.
  private var isRange: Bool { lowest <= highest }

  func limit(_ limit: Double) -> Double? {
    isRange ? max(Double(lowest.magnitude), Double(highest.magnitude)) : nil
  }

  func value(_ x: Float) -> Float? { isRange ? min(max(x, lowest), highest) : nil }
  var keepsZero: Bool { lowest <= 0 && highest >= 0 }
  var isNeverNegative: Bool { isRange && lowest >= 0 }
}

extension Cast: NumberFunction {
  func limit(_ limit: Double) -> Double? { scalar == .bool ? 1 : limit }

  func value(_ x: Float) -> Float? {
    switch scalar {
    case .bool: x == 0 ? 0 : 1
    case .int32: x.magnitude < 0x1p24 ? x.rounded(.towardZero) : nil
    case .float32, .float64: x
    }
  }

  func range(_ range: WholeRange) -> WholeRange? {
    switch scalar {
    case .bool: WholeRange(0, 1)
    case .int32: range
    case .float32, .float64: nil
    }
  }

  var keepsZero: Bool { true }
  var isNeverNegative: Bool { scalar == .bool }
}
