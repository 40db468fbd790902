import Weights

/// The activation between two convolutions.
enum ConvActivation: Sendable {
  case relu, relu6, silu, hardSwish, gelu
}

// Parts that the graphs of several convolutional networks share; images are [B, C, height, width].
extension GraphBuilder {
  /// A convolution with the weights `source.weight` and, if it has one, `source.bias`.
  ///
  /// - Parameter shape: of the weight, [out, in / groups, h, w].
  mutating func conv(
    _ x: Operand, _ source: String, _ name: String, shape: [Int], steps: WindowSteps,
    groups: Int = 1, hasBias: Bool = false
  ) throws(GraphError) -> Operand {
    let weight = WeightReference("\(source).weight", shape, role: .matrix(outputAxis: 0))
    let bias = WeightReference("\(source).bias", [shape[0]], role: .bias)
    return try append(
      name,
      Conv(
        x, weight: .weight(weight), bias: hasBias ? .weight(bias) : nil, steps: steps,
        groups: groups))
  }

  /// A normalisation of each channel by the statistics of training, under the names of torch.
  mutating func batchNorm(
    _ x: Operand, _ source: String, _ name: String, channels: Int, epsilon: Float
  ) throws(GraphError) -> Operand {
    func part(_ part: String, _ role: WeightRole) -> Operand {
      .weight(WeightReference("\(source).\(part)", [channels], role: role))
    }
    return try append(
      name,
      BatchNorm(
        x, mean: part("running_mean", .statistic), variance: part("running_var", .statistic),
        gamma: part("weight", .norm), beta: part("bias", .norm), epsilon: epsilon))
  }

  /// Appends an activation.
  mutating func apply(
    _ activation: ConvActivation, to x: Operand, _ name: String
  ) throws(GraphError) -> Operand {
    switch activation {
    case .relu: return try append(name, ElementwiseUnary(.relu, x))
    case .relu6: return try append(name, Clip(x, lowest: 0, highest: 6))
    case .silu: return try silu(x, name)
    case .gelu: return try append(name, Gelu(x, mode: .exact))
    case .hardSwish:
      let gate = try append("\(name)_gate", SigmoidHard(x))
      return try append(name, ElementwiseBinary(.mul, x, gate))
    }
  }

  /// The mean of each plane: [B, C, height, width] → [B, C, 1, 1].
  ///
  /// A pool and not a mean: a pool stays in float16 on a device, and beside the convolutions.
  mutating func planeMeans(_ x: Operand, _ name: String) throws(GraphError) -> Operand {
    let window = Array(type(of: x)?.shape.suffix(2) ?? [])
    return try append(
      name, Pool(.average, x, window: window, steps: WindowSteps(strides: [1, 1])))
  }
}

extension WindowSteps {
  /// As many zeros on each side as keep the image's size for stride 1, for windows of odd sides.
  static func centred(_ window: [Int], stride: Int) -> WindowSteps {
    let (rows, columns) = ((stride - 1 + window[0] - 1) / 2, (stride - 1 + window[1] - 1) / 2)
    return WindowSteps(
      strides: [stride, stride], padding: [rows, rows, columns, columns])
  }

  /// TensorFlow's `SAME`: one place for every stride of the image; an odd zero comes last.
  static func same(_ window: [Int], stride: Int, image: [Int]) -> WindowSteps {
    let all = (0..<2).map { axis in
      let places = (image[axis] + stride - 1) / stride
      return max(0, (places - 1) * stride + window[axis] - image[axis])
    }
    return WindowSteps(
      strides: [stride, stride], padding: all.flatMap { [$0 / 2, $0 - $0 / 2] })
  }
}
