/// What is known of a value of a graph of fixed length at once for every text: where its tokens are,
/// and how it is where padding is.
struct TokenValue: Equatable {
  /// At the full length.
  let type: ValueType
  /// Axes that follow the tokens: place i belongs to token i.
  var tokens: Set<Int> = []
  /// Limits that hold at every place, padding included; nil if the value may be infinite or NaN.
  var magnitudes: Magnitudes?
  /// Set if the value depends on nothing but the mask at its token, or on nothing at all.
  var choice: MaskChoice?
  /// Token axes along which it is exactly zero wherever the mask is 0.
  var zeros: Set<Int> = []
  /// By token axis: every number where the mask is 0 is smaller, by this at least, than every number
  /// of the same line where it is 1.
  var gaps: [Int: Double] = [:]
  /// The axis along which it holds shares: not negative, with the sum 1.
  var sharesAxis: Int?
  var isNonNegative = false
  /// Set for integers that are known to lie in it, and for numbers of a table.
  var range: WholeRange?
  /// Whether it is the same bit for bit at every length; other numbers may be rounded otherwise.
  var isExact = true
  /// Set if every token's numbers, in their order, are an affine map of a point in a ball.
  var affine: AffineForm?
  /// The weight or literal that it is.
  var constant: Operand?

  init(_ type: ValueType, tokens: Set<Int> = []) {
    self.type = type
    self.tokens = tokens
  }

  /// A literal; weights are read when a rule asks for them.
  init(_ literal: Literal) {
    type = literal.type
    constant = .literal(literal)
    let numbers: [Double] =
      switch literal {
      case .floats(let values, _): values.map { Double($0) }
      case .integers(let values, _): values.map { Double($0) }
      }
    magnitudes = Magnitudes(numbers.map(\.magnitude), shape: type.shape)
    if let first = numbers.first, let number = Float(exactly: first),
      numbers.allSatisfy({ $0 == first })
    {
      choice = MaskChoice(present: number, absent: number)
    }
    isNonNegative = numbers.allSatisfy { $0 >= 0 }
    if case .integers(let values, _) = literal {
      range = WholeRange(around: values.map { Int($0) })
    }
  }

  /// The shape with 1 along the token axes.
  var reducedShape: [Int] { shape(withTokens: 1) }

  /// The shape with so many tokens.
  func shape(withTokens count: Int) -> [Int] {
    type.shape.indices.map { tokens.contains($0) ? count : type.shape[$0] }
  }

  /// The one number at every place; nil for any other value.
  var constantNumber: Double? {
    choice.flatMap { $0.present == $0.absent ? Double($0.present) : nil }
  }

  /// How far numbers where the mask is 0 lie below the rest of their line; nil if it need not.
  func gap(_ axis: Int) -> Double? {
    if zeros.contains(axis), isNonNegative { return max(gaps[axis] ?? 0, 0) }
    return gaps[axis]
  }

  /// The same with axes at other places.
  ///
  /// - Parameters:
  ///   - type: of the new value.
  ///   - magnitudes: of the new value.
  ///   - axis: the new place of a token axis.
  func moved(
    _ type: ValueType, _ magnitudes: Magnitudes?, _ axis: (Int) -> Int
  ) -> TokenValue {
    var value = TokenValue(type, tokens: Set(tokens.map(axis)))
    value.magnitudes = magnitudes
    value.choice = choice
    value.zeros = Set(zeros.map(axis))
    for (place, gap) in gaps { value.gaps[axis(place)] = gap }
    value.sharesAxis = sharesAxis.flatMap { tokens.contains($0) ? axis($0) : nil }
    value.isNonNegative = isNonNegative
    value.range = range
    return value
  }

  /// Adds what follows from being a function of the mask alone.
  mutating func setChoice(_ choice: MaskChoice) {
    guard choice.present.isFinite, choice.absent.isFinite else { return }
    self.choice = choice
    isNonNegative = choice.present >= 0 && choice.absent >= 0
    if type.scalar != .float32 {
      range = WholeRange(around: [choice.present, choice.absent].map { Int($0) })
    }
    magnitudes = Magnitudes(
      Double(max(choice.present.magnitude, choice.absent.magnitude)), shape: reducedShape)
    guard tokens.count == 1, let axis = tokens.first else { return }
    if choice.absent == 0 { zeros = [axis] }
    gaps = [axis: Double(choice.present) - Double(choice.absent)]
  }
}

/// A number for each token that the mask alone decides; true is 1.
struct MaskChoice: Equatable {
  /// Where the mask is 1.
  let present: Float
  /// Where the mask is 0.
  let absent: Float
}
