/// What a model takes of a text's tokens.
package struct TokenLimits: Hashable, Sendable {
  /// Tokens that a text is cut to.
  package let most: Int
  /// The fewest tokens from which an output can be made.
  package let least: Int
  /// Rows of the model's table of tokens.
  package let rows: Int
  /// The token that every text must end with, if any.
  package let end: Int32?

  package init(most: Int, least: Int, rows: Int, end: Int32?) {
    (self.most, self.least, self.rows, self.end) = (most, least, rows, end)
  }

  /// Refuses ids that the model does not take.
  package func check(_ ids: [Int32]) throws(TokenFault) {
    let fewest = min(1, least)
    guard ids.count >= fewest, ids.count <= most else {
      throw .count(found: ids.count, least: fewest, most: most)
    }
    guard ids.count >= least else { throw .promptAlone(found: ids.count, least: least) }
    if let bad = ids.first(where: { $0 < 0 || $0 >= rows }) {
      throw .outside(id: bad, rows: rows)
    }
    if let end, let last = ids.last, last != end { throw .otherEnd(found: last, needed: end) }
  }
}

/// Why a model does not take a text's tokens; the words go behind the text.
package enum TokenFault: Error, Equatable, CustomStringConvertible {
  case count(found: Int, least: Int, most: Int)
  /// The tokens are those of the prompt, which the pooling skips.
  case promptAlone(found: Int, least: Int)
  case outside(id: Int32, rows: Int)
  case otherEnd(found: Int32, needed: Int32)

  package var description: String {
    switch self {
    case .count(let found, let least, let most):
      "gives \(found) tokens, the model takes \(least) to \(most)"
    case .promptAlone(let found, let least):
      "gives \(found) tokens, and the prompt's place takes all of them; it needs \(least)"
    case .outside(let id, let rows):
      "gives token id \(id), the token table has \(rows) rows"
    case .otherEnd(let found, let needed):
      "gives ids that end with \(found), the model looks for \(needed) there"
    }
  }
}
