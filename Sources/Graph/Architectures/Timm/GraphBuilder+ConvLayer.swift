/// What all layers of a convolutional network have in common.
struct ConvRules: Equatable, Sendable {
  /// Zeros around an image.
  enum Padding: Sendable {
    case none
    /// As many on every side as keep its size for stride 1.
    case centred
    /// As TensorFlow pads it.
    case tensorFlow
  }

  /// ε of the norms.
  var epsilon: Float = 1e-5
  var padding = Padding.centred

  /// How a window moves over an image, [height, width].
  func steps(_ window: [Int], stride: Int, image: [Int]) -> WindowSteps {
    switch padding {
    case .none: WindowSteps(strides: [stride, stride])
    case .centred: .centred(window, stride: stride)
    case .tensorFlow: .same(window, stride: stride, image: image)
    }
  }
}

extension GraphBuilder {
  /// A convolution, its norm and its activation: [B, in, height, width] → [B, out, rows, columns].
  ///
  /// - Parameter name: of the result; prefix of the values before it.
  mutating func conv(
    _ layer: ConvLayer, _ x: Operand, _ name: String, _ rules: ConvRules = ConvRules()
  ) throws(GraphError) -> Operand {
    let image = Array(type(of: x)?.shape.suffix(2) ?? [])
    var states = try conv(
      x, layer.source, "\(name)_conv", shape: layer.shape,
      steps: rules.steps(Array(layer.shape[2...]), stride: layer.stride, image: image),
      groups: layer.groups, hasBias: layer.hasBias)
    if let norm = layer.norm {
      states = try batchNorm(
        states, norm, "\(name)_norm", channels: layer.shape[0], epsilon: rules.epsilon)
    }
    guard let activation = layer.activation else { return states }
    return try apply(activation, to: states, "\(name)_active")
  }

  /// Squeeze and excitation: every plane times its gate, [B, C, height, width] → the same shape.
  ///
  /// Source: Hu et al. 2017, arXiv:1709.01507.
  mutating func excite(
    _ excitation: Excitation, _ x: Operand, _ name: String, _ rules: ConvRules = ConvRules()
  ) throws(GraphError) -> Operand {
    let means = try planeMeans(x, "\(name)_means")
    let few = try conv(excitation.reduce, means, "\(name)_few", rules)
    let wide = try conv(excitation.expand, few, "\(name)_wide", rules)
    let gate = try append(
      "\(name)_gate",
      excitation.isHard ? SigmoidHard(wide) : ElementwiseUnary(.sigmoid, wide))
    return try append("\(name)_excited", ElementwiseBinary(.mul, x, gate))
  }
}
