import Graph

/// Weights of the squared errors of a tensor's elements: those of their places along the input axis.
///
/// Weights are relative: a common factor changes nothing, and if all are zero, the result is the same
/// as without weights.
package struct Importance: Hashable, Sendable {
  /// One for each place along the input axis, such as the mean square of the input it multiplies.
  package let inputs: [Float]

  /// - Precondition: no weight is negative, infinite or NaN.
  package init(inputs: [Float]) {
    precondition(inputs.allSatisfy { $0 >= 0 && $0.isFinite }, "weights are not negative")
    self.inputs = inputs
  }
}

/// The importance of the elements of one tensor.
struct ElementWeights: Sendable {
  private let inputs: [Float]
  private let stride: Int

  /// Nil if every element counts the same.
  ///
  /// - Precondition: there are as many weights as the tensor's input axis is long.
  init?(_ importance: Importance?, of reference: WeightReference) {
    guard let importance, let count = reference.inputs else { return nil }
    precondition(importance.inputs.count == count, "a weight for each input")
    inputs = importance.inputs
    stride = max(1, reference.shape.dropFirst(reference.role.inputAxis + 1).reduce(1, *))
  }

  /// Appends the weights of a flat range.
  func append(_ range: Range<Int>, to weights: inout [Float]) {
    for i in range { weights.append(inputs[i / stride % inputs.count]) }
  }

  /// The weights of one group, in flat order; nil if all are zero.
  func weights(of group: Int, _ layout: RunLayout) -> [Float]? {
    var weights: [Float] = []
    weights.reserveCapacity(layout.groupCount)
    layout.forEachRun(of: group) { append($0, to: &weights) }
    return weights.contains { $0 > 0 } ? weights : nil
  }
}
