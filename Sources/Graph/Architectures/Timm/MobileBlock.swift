import Weights

/// A convolution, its norm and its activation.
struct ConvLayer: Sendable {
  /// Names without `.weight` and the like; no norm is nil.
  let source: String
  var norm: String?
  /// [out, in / groups, h, w]
  let shape: [Int]
  var stride = 1
  /// Parts of the channels that are convolved separately.
  var groups = 1
  var hasBias = false
  /// Nil if nothing follows.
  var activation: ConvActivation?
}

/// Squeeze and excitation: each plane times a gate that is made of the means of all planes.
struct Excitation: Sendable {
  let reduce: ConvLayer
  let expand: ConvLayer
  let isHard: Bool
}

/// A block of a mobile network.
struct MobileBlock: Sendable {
  enum Step: Sendable {
    case conv(ConvLayer)
    case excitation(Excitation)
  }

  /// Its name in the graph.
  let name: String
  let steps: [Step]
  /// Whether its input is added to its output.
  let hasSkip: Bool
}

/// The last layers of a mobile network.
struct MobileHead: Sendable {
  let conv: ConvLayer
  /// Whether planes are pooled before the convolution.
  let isPooledFirst: Bool

  /// Numbers of the features.
  var width: Int { conv.shape[0] }
}
