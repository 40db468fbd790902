import Graph

/// Which rows of a text encoder's tables the references reach.
struct ReachedRows: Sendable {
  /// Whether a row of the table of tokens is reached, one for each.
  let tokens: [Bool]
  /// Tokens of the longest text; the positions before it are reached.
  let longest: Int
  /// The positions that a text can have.
  let positions: Int
  /// Tokens of all texts together.
  let total: Int

  /// - Parameters:
  ///   - texts: the tokens of each, all with a row of the table.
  ///   - rows: of the table of tokens.
  init(texts: [[Int32]], rows: Int, positions: Int) {
    var tokens = [Bool](repeating: false, count: rows)
    for id in texts.joined() where tokens.indices.contains(Int(id)) { tokens[Int(id)] = true }
    self.tokens = tokens
    self.positions = positions
    longest = texts.map(\.count).max() ?? 0
    total = texts.reduce(0) { $0 + $1.count }
  }

  /// The ids without a text that holds them, ascending.
  var untouched: [Int32] { tokens.indices.filter { !tokens[$0] }.map { Int32($0) } }

  /// Whether the references reach each row of a weight; nil if every input reaches all.
  func rows(of reference: WeightReference) -> [Bool]? {
    switch reference.role {
    case .tokenTable where reference.shape.first == tokens.count: tokens
    case .positionTable: reference.shape.first.map { count in (0..<count).map { $0 < longest } }
    default: nil
    }
  }
}
