import StrictJSON

/// Why a search cannot begin or end.
package enum SearchError: Error, Equatable, CustomStringConvertible {
  /// No weight can be stored in several ways.
  case nothingToChoose(origin: String)
  /// The smallest model that there is, is larger.
  case budgetTooSmall(origin: String, budget: Int, smallest: Int)
  /// A share of the references holds fewer lines that differ than a proof needs.
  case fewLines(references: String, share: String, lines: Int, needed: Int)

  package var description: String {
    switch self {
    case .nothingToChoose(let origin):
      "\(origin): none of its weights can be stored in several ways"
    case .budgetTooSmall(let origin, let budget, let smallest):
      "\(origin): the smallest model has \(Figures.bytes(smallest)), the budget is "
        + Figures.bytes(budget)
    case .fewLines(let references, let share, let lines, let needed):
      "\(references): the share for the \(share) has \(Figures.count(lines, "line")) of "
        + "\(needed) that are needed"
    }
  }
}
