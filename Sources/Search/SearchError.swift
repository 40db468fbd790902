import StrictJSON

/// Why a search cannot begin or end.
package enum SearchError: Error, Equatable, CustomStringConvertible {
  /// No weight can be stored in several ways.
  case nothingToChoose(origin: String)
  /// Nothing can be judged against the model as trained, for what its weights are; a sentence each.
  case unfitWeights(origin: String, [String])
  /// The smallest model that there is, is larger.
  case budgetTooSmall(origin: String, budget: Int, smallest: Int)

  package var description: String {
    switch self {
    case .nothingToChoose(let origin):
      "\(origin): none of its weights can be stored in several ways: a search chooses for matrices "
        + "of \(WeightChoices.fewestNumbers) numbers or more; choose a scheme yourself and compress "
        + "with that"
    case .unfitWeights(let origin, let faults):
      "\(origin): \(faults.joined(separator: "; ")); nothing can be judged against such a model: train "
        + "or export it again"
    case .budgetTooSmall(let origin, let budget, let smallest):
      "\(origin): the smallest model has \(SearchError.words(smallest, beside: budget)), the budget "
        + "is \(SearchError.words(budget, beside: smallest))"
    }
  }

  /// A size as it is usually written, or exactly where another would be written alike.
  private static func words(_ bytes: Int, beside other: Int) -> String {
    Figures.bytes(bytes) == Figures.bytes(other)
      ? Figures.count(bytes, "byte") : Figures.bytes(bytes)
  }
}
