import Graph
import Trees

/// A linear model of Core ML's as one row of weights for each sum.
struct LinearSums {
  /// [sums, numbers of the vector]
  let rows: [[Double]]
  /// Of each sum.
  let offsets: [Double]
  let activation: Dense.Activation
  /// Nil of a regressor.
  let labels: TreeLabels?

  /// - Parameters:
  ///   - step: a linear model.
  ///   - width: numbers of its vector.
  init(_ step: TabularStep, width: Int, at place: TabularPlace) throws(TabularError) {
    switch step {
    case .linearRegressor(let linear):
      guard linear.link != .probit else { throw Self.probit(place) }
      (rows, offsets, labels) = ([linear.weights], [linear.offset], nil)
      activation = linear.link == .logit ? .sigmoid : .identity
    case .linearClassifier(let linear):
      guard linear.link != .probit else { throw Self.probit(place) }
      labels = linear.labels
      if linear.labels.count == 2 {
        (rows, offsets, activation) = (linear.weights, linear.offsets, .sigmoid)
      } else if linear.encoding == .oneVersusRest {
        (rows, offsets, activation) = (linear.weights, linear.offsets, .oneVersusRest)
      } else {
        // The first class has the sum 0.
        rows = [[Double](repeating: 0, count: width)] + linear.weights
        offsets = [0] + linear.offsets
        activation = .softmax
      }
    default: throw place.fault("ends in no linear model")
    }
  }

  private static func probit(_ place: TabularPlace) -> TabularError {
    place.fault("has the link probit, which Ingot does not run; train it with logit")
  }
}
