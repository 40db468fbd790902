import StrictJSON

/// Why a search cannot begin or end.
package enum SearchError: Error, Equatable, CustomStringConvertible {
  /// No weight can be stored in several ways.
  case nothingToChoose(origin: String)
  /// The smallest model that there is, is larger.
  case budgetTooSmall(origin: String, budget: Int, smallest: Int)

  package var description: String {
    switch self {
    case .nothingToChoose(let origin):
      "\(origin): none of its weights can be stored in several ways"
    case .budgetTooSmall(let origin, let budget, let smallest):
      "\(origin): the smallest model has \(Figures.bytes(smallest)), the budget is "
        + Figures.bytes(budget)
    }
  }
}
