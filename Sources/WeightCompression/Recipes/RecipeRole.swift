package import Graph

/// The role of a weight as rules name it, without the axes that a graph also knows.
package enum RecipeRole: String, CaseIterable, Hashable, Sendable {
  case matrix
  case tokenTable = "token table"
  case positionTable = "position table"
  case bias, norm, statistic, threshold, number

  package init(_ role: WeightRole) {
    self =
      switch role {
      case .matrix: .matrix
      case .tokenTable: .tokenTable
      case .positionTable: .positionTable
      case .bias: .bias
      case .norm: .norm
      case .statistic: .statistic
      case .threshold: .threshold
      case .number: .number
      }
  }

  /// Reads the word of a listing, with a space or a hyphen between its parts.
  package init?(word: String) {
    guard let role = Self.allCases.first(where: { [$0.rawValue, $0.word].contains(word) }) else {
      return nil
    }
    self = role
  }

  /// The word that needs no quotes: `token-table`.
  package var word: String { String(rawValue.map { $0 == " " ? "-" : $0 }) }

  /// Whether weights of this role are ever compressed.
  package var isCompressible: Bool { [.matrix, .tokenTable, .threshold].contains(self) }
}
