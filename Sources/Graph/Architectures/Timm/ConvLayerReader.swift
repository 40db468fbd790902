import Weights

/// Reads convolutions off the names and shapes of their weights.
struct ConvLayerReader {
  let weights: any WeightSource
  /// The model, for messages.
  let origin: String

  /// Whether there is a layer of this name.
  func has(_ source: String) -> Bool {
    weights.shape(of: TensorName("\(source).weight")) != nil
  }

  /// The layer with the weights `source.weight` and, if it is there, `source.bias`.
  ///
  /// - Parameters:
  ///   - norm: its norm, without `.weight`.
  ///   - inputs: channels of the image; nil where the weight says them.
  ///   - isDepthwise: whether each channel is convolved on its own.
  /// - Throws: `ModelError` if the weight is missing, or has not the shape of such a convolution.
  func layer(
    _ source: String, norm: String? = nil, _ activation: ConvActivation? = nil,
    inputs: Int? = nil, isDepthwise: Bool = false
  ) throws -> ConvLayer {
    let name = TensorName("\(source).weight")
    guard let shape = weights.shape(of: name) else {
      throw ModelError.missingWeight(origin: origin, name: name)
    }
    let depth = isDepthwise ? 1 : inputs ?? (shape.count > 1 ? shape[1] : 1)
    guard shape.count == 4, !shape.contains(0), shape[1] == depth else {
      let window = shape.count == 4 ? Array(shape[2...]) : [1, 1]
      throw ModelError.wrongShape(
        origin: origin, name: name, found: shape, expected: [shape.first ?? 1, depth] + window)
    }
    return ConvLayer(
      source: source, norm: norm, shape: shape, groups: isDepthwise ? inputs ?? shape[0] : 1,
      hasBias: weights.shape(of: TensorName("\(source).bias")) != nil, activation: activation)
  }
}
