/// The rule of a matrix product.
struct TokenProduct {
  let transposesX: Bool
  let transposesY: Bool

  /// - Parameters:
  ///   - x: operand 0
  ///   - y: operand 1
  func follow(
    _ x: TokenValue, _ y: TokenValue, _ type: ValueType, _ walk: inout TokenWalk
  ) throws -> TokenValue? {
    let rank = type.shape.count
    let left = x.type.shape.count, right = y.type.shape.count
    let row = transposesX ? left - 1 : left - 2, innerX = transposesX ? left - 2 : left - 1
    let column = transposesY ? right - 2 : right - 1, innerY = transposesY ? right - 1 : right - 2
    guard x.tokens.isSubset(of: [row, innerX]), y.tokens.isSubset(of: [column, innerY]) else {
      return nil
    }
    var limitsX = try walk.magnitudes(x), limitsY = try walk.magnitudes(y)
    let sumsTokens = x.tokens.contains(innerX) || y.tokens.contains(innerY)
    if sumsTokens {
      guard limitsX != nil, limitsY != nil, x.type.shape[innerX] == walk.length,
        x.zeros.contains(innerX) || y.zeros.contains(innerY)
      else { return nil }
      // Shares may be divided by their sum at the end: until then numbers are as many times larger.
      guard limitsY?.map({ $0 * Double(walk.length) }) != nil else { return nil }
      if !x.tokens.contains(innerX) {
        walk.cuts[0, default: []].insert(innerX)
        limitsX = limitsX?.reduced(innerX, max)
      }
      if !y.tokens.contains(innerY) {
        walk.cuts[1, default: []].insert(innerY)
        limitsY = limitsY?.reduced(innerY, max)
      }
    }
    var value = TokenValue(type)
    if x.tokens.contains(row) { value.tokens.insert(rank - 2) }
    if y.tokens.contains(column) { value.tokens.insert(rank - 1) }
    guard let limitsX, let limitsY else { return sumsTokens ? nil : value }
    if x.zeros.contains(row) { value.zeros.insert(rank - 2) }
    if y.zeros.contains(column) { value.zeros.insert(rank - 1) }
    // Shares have the sum 1, however many there are.
    let terms = sumsTokens && x.sharesAxis != innerX ? Double(walk.length) : 1
    let first = transposesX ? limitsX.transposed(TokenProduct.swapped(left)) : limitsX
    let second = transposesY ? limitsY.transposed(TokenProduct.swapped(right)) : limitsY
    value.magnitudes = second.flatMap { first?.product($0, terms: terms) }
    // One order of a sum may end in infinity where another does not.
    if sumsTokens, value.magnitudes == nil { return nil }
    if !sumsTokens, value.tokens == [rank - 2, rank - 1] {
      value.magnitudes = try value.magnitudes.flatMap { try narrowed($0, x, y, walk) }
    }
    return value
  }

  private static func swapped(_ rank: Int) -> [Int] {
    Array(0..<rank - 2) + [rank - 1, rank - 2]
  }

  // A product of two vectors is at most the product of their lengths, which one linear layer for all
  // numbers bounds better than limits for each of them.
  private func narrowed(
    _ limits: Magnitudes, _ x: TokenValue, _ y: TokenValue, _ walk: TokenWalk
  ) throws -> Magnitudes? {
    let blocks = limits.limits.count
    let width = x.type.shape[x.type.shape.count - (transposesX ? 2 : 1)]
    guard let left = try walk.lengths(x, blocks: blocks, width: width),
      let right = try walk.lengths(y, blocks: blocks, width: width)
    else { return limits }
    let narrowed = limits.limits.indices.map {
      min(limits.limits[$0], left[$0] * right[$0] * Magnitudes.rounding)
    }
    return Magnitudes(narrowed, shape: limits.shape)
  }
}
