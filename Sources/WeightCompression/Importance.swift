import Graph

/// Weights of the squared errors of a tensor's elements.
///
/// An element's weight is that of its place along the input axis times that of its channel; either
/// defaults to 1. Weights are relative: a common factor changes nothing, and if all are zero, the
/// result is the same as without weights.
package struct Importance: Hashable, Sendable {
  /// One for each place along the input axis, such as the mean square of the input it multiplies.
  package let inputs: [Float]?
  /// One for each channel, such as how often a token occurs.
  package let channels: [Float]?

  /// - Precondition: no weight is negative, infinite or NaN.
  package init(inputs: [Float]? = nil, channels: [Float]? = nil) {
    for weights in [inputs, channels] {
      precondition(
        weights?.allSatisfy { $0 >= 0 && $0.isFinite } ?? true, "weights are not negative")
    }
    self.inputs = inputs
    self.channels = channels
  }
}

/// The importance of the elements of one tensor.
struct ElementWeights: Sendable {
  private let inputs: [Float]?
  private let inputStride: Int
  private let channels: [Float]?
  private let channelStride: Int

  /// Nil if every element counts the same.
  ///
  /// - Precondition: there are as many weights as the tensor's axes are long.
  init?(_ importance: Importance?, of reference: WeightReference) {
    guard let importance else { return nil }
    inputs = reference.inputs == nil ? nil : importance.inputs
    channels = reference.hasChannels ? importance.channels : nil
    if inputs == nil, channels == nil { return nil }
    precondition(inputs.map { $0.count == reference.inputs } ?? true, "a weight for each input")
    precondition(
      channels.map { $0.count == reference.channels } ?? true, "a weight for each channel")
    func stride(_ axis: Int) -> Int { reference.shape.dropFirst(axis + 1).reduce(1, *) }
    inputStride = max(1, stride(reference.role.inputAxis))
    channelStride = max(1, stride(reference.role.channelAxis))
  }

  /// Appends the weights of a flat range.
  func append(_ range: Range<Int>, to weights: inout [Float]) {
    for i in range {
      var weight: Float = 1
      if let inputs { weight = inputs[i / inputStride % inputs.count] }
      if let channels { weight *= channels[i / channelStride % channels.count] }
      weights.append(weight)
    }
  }

  /// The weights of one group, in flat order; nil if all are zero.
  func weights(of group: Int, _ layout: RunLayout) -> [Float]? {
    var weights: [Float] = []
    weights.reserveCapacity(layout.groupCount)
    layout.forEachRun(of: group) { append($0, to: &weights) }
    return weights.contains { $0 > 0 } ? weights : nil
  }
}
