import StrictJSON
package import Weights

/// Why a search cannot begin or end.
package enum SearchError: Error, Equatable, CustomStringConvertible {
  /// No weight can be stored in several ways.
  case nothingToChoose(origin: String)
  /// A weight as trained has values that are not finite: nothing can be judged against it. `first` is
  /// the place of the first in the order of the file, from 0.
  case notFinite(origin: String, weight: TensorName, count: Int, first: Int)
  /// The smallest model that there is, is larger.
  case budgetTooSmall(origin: String, budget: Int, smallest: Int)

  package var description: String {
    switch self {
    case .nothingToChoose(let origin):
      "\(origin): none of its weights can be stored in several ways"
    case .notFinite(let origin, let weight, let count, let first):
      "\(origin): the weight '\(weight)' has \(Figures.count(count, "value")) that "
        + "\(count == 1 ? "is" : "are") not finite, the first at flat index \(first): nothing can be "
        + "judged against such a model; train or export it again"
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
