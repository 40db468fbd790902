import Weights

/// What the rules of operations share while a graph is walked: its full length, its weights, and
/// what one operation asks for.
struct TokenWalk {
  /// Numbers of tokens that the graph takes.
  let length: Int
  private let weights: any WeightSource
  /// The operation's operands that are cut to the first tokens, by number, and along which axes.
  var cuts: [Int: Set<Int>] = [:]
  /// The fewest tokens for which the operation finds the places it reads.
  var shortest = 1

  init(length: Int, weights: any WeightSource) {
    self.length = length
    self.weights = weights
  }

  /// The limits of a value; those of a weight are read.
  func magnitudes(_ value: TokenValue) throws -> Magnitudes? {
    guard case .weight? = value.constant, let values = try floats(value) else {
      return value.magnitudes
    }
    return Magnitudes(values.map { Double($0.magnitude) }, shape: value.type.shape)
  }

  /// The numbers of a weight or literal; nil for anything else.
  func floats(_ value: TokenValue) throws -> [Float]? {
    switch value.constant {
    case .weight(let reference)?:
      let values = try weights.floats(of: reference.name)
      return values.count == reference.elementCount ? values : nil
    case .literal(.floats(let values, _))?: return values
    case .literal(.integers(let values, _))?: return values.map { Float($0) }
    case .value?, nil: return nil
    }
  }

  /// Of each place in a row of a table, the largest magnitude of all rows.
  func largestOfRows(_ table: WeightReference) throws -> [Double] {
    let width = table.shape.dropFirst().reduce(1, *)
    var largest = [Double](repeating: 0, count: width)
    var place = 0
    try weights.forEachPiece(of: table.name) { piece in
      for index in piece.indices {
        let magnitude = Double(piece[index].magnitude)
        // A NaN is kept as infinity, which is no limit.
        if !(magnitude <= largest[place]) {
          largest[place] = magnitude.isNaN ? .infinity : magnitude
        }
        place = place + 1 == width ? 0 : place + 1
      }
      return true
    }
    return largest
  }

  /// Whole numbers around all numbers of a table; nil if one is NaN or too large.
  func range(_ table: WeightReference) throws -> WholeRange? {
    var lowest = Float.infinity, highest = -Float.infinity, areNumbers = true
    try weights.forEachPiece(of: table.name) { piece in
      for index in piece.indices {
        let number = piece[index]
        areNumbers = areNumbers && number.magnitude < 0x1p31
        (lowest, highest) = (min(lowest, number), max(highest, number))
      }
      return areNumbers
    }
    guard areNumbers, lowest <= highest else { return nil }
    return WholeRange(Int(lowest.rounded(.down)), Int(highest.rounded(.up)))
  }

  /// Bounds of the Euclidean lengths of each token's blocks of numbers; nil if the numbers are no
  /// affine map.
  func lengths(_ value: TokenValue, blocks: Int, width: Int) throws -> [Double]? {
    guard let form = value.affine, form.offsets.count == blocks * width else { return nil }
    let matrix = try form.matrix.map { try weights.floats(of: $0.name) }
    return (0..<blocks).map { form.length($0 * width..<($0 + 1) * width, matrix) }
  }

  /// Operands as they meet each other when they are broadcast to one shape.
  struct Aligned {
    /// All of one rank, with the token axes of all.
    let values: [TokenValue]
    /// Token axes of the result.
    let tokens: Set<Int>
  }

  /// Broadcasts operands; one that has a place for each token where another has the tokens themselves
  /// is cut to the first tokens when the graph is shortened.
  ///
  /// - Parameters:
  ///   - rank: of the result.
  ///   - first: the number of the first operand.
  /// - Returns: nil if they do not fit.
  mutating func align(_ values: [TokenValue], rank: Int, first: Int = 0) throws -> Aligned? {
    var tokens: Set<Int> = []
    for value in values {
      for axis in value.tokens { tokens.insert(axis + rank - value.type.shape.count) }
    }
    var aligned: [TokenValue] = []
    for (number, value) in values.enumerated() {
      let cut = try follow(value, tokens, rank: rank, number: first + number)
      guard let cut else { return nil }
      aligned.append(cut)
    }
    return Aligned(values: aligned, tokens: tokens)
  }

  // One operand with all axes, those that meet tokens cut.
  private mutating func follow(
    _ value: TokenValue, _ tokens: Set<Int>, rank: Int, number: Int
  ) throws -> TokenValue? {
    let missing = rank - value.type.shape.count
    let shape = Array(repeating: 1, count: missing) + value.type.shape
    var limits = try magnitudes(value)?.padded(rank)
    var cut = value.moved(ValueType(value.type.scalar, shape), nil) { $0 + missing }
    for axis in tokens where !cut.tokens.contains(axis) && shape[axis] != 1 {
      guard shape[axis] == length else { return nil }
      cuts[number, default: []].insert(axis - missing)
      limits = limits?.reduced(axis, max)
      cut.tokens.insert(axis)
    }
    cut.magnitudes = limits
    cut.affine = value.affine
    if case .weight(let reference)? = value.constant, reference.elementCount == 1,
      let number = try floats(value)?.first, number.isFinite
    {
      cut.choice = MaskChoice(present: number, absent: number)
      cut.isNonNegative = number >= 0
    }
    return cut
  }
}
