import Graph
import StrictJSON
import WeightCompression

/// What was planned for each weight of a graph.
struct WeightPlan: Sendable {
  /// In the graph's order.
  let tensors: [PlannedTensor]
  private let places: [ExactString: Int]

  init(_ tensors: [PlannedTensor]) {
    self.tensors = tensors
    places = Dictionary(
      tensors.enumerated().map { (ExactString($1.name), $0) }
    ) { first, _ in first }
  }

  subscript(reference: WeightReference) -> PlannedTensor? {
    places[ExactString(reference.name)].map { tensors[$0] }
  }
}
