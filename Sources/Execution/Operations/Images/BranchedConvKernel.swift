import Graph

/// What a branch makes of the image; numbers are places among a kernel's inputs, of which the first is
/// the image.
indirect enum ChannelBranch: Sendable {
  case image
  /// The bias follows the weight.
  case conv(Conv, weight: Int)
  /// Variance, gamma and beta follow the mean.
  case norm(ChannelBranch, epsilon: Float, mean: Int)
  /// Each channel times its gain.
  case scaled(ChannelBranch, gain: Int)
  case sum(ChannelBranch, ChannelBranch, sign: Float)

  /// The convolutions, with the places of their weights, and the number of times the image itself
  /// is added.
  var parts: (convolutions: [(conv: Conv, weight: Int)], images: Int) {
    switch self {
    case .image: ([], 1)
    case .conv(let conv, let weight): ([(conv, weight)], 0)
    case .norm(let inner, _, _), .scaled(let inner, _): inner.parts
    case .sum(let first, let second, _):
      (
        first.parts.convolutions + second.parts.convolutions,
        first.parts.images + second.parts.images
      )
    }
  }
}

/// The window of one convolution that does what several branches do.
struct BranchWindow: Sendable {
  /// Without weights of its own: steps, groups, and a bias.
  let conv: Conv
  /// [out, in / groups, h, w]
  let shape: [Int]

  /// - Parameter inputs: types of the image and of the branches' weights.
  /// - Returns: nil for branches that no window joins: of different steps, not around their middle, a
  ///   lone one, or the image itself beside another number of channels.
  init?(_ sum: ChannelBranch, inputs: [ValueType]) {
    let (convolutions, images) = sum.parts
    guard let (first, _) = convolutions.first, convolutions.count + images > 1 else { return nil }
    let shapes = convolutions.map { inputs[$0.weight].shape }
    let window = [2, 3].map { axis in shapes.map { $0[axis] }.max() ?? 1 }
    for ((conv, _), shape) in zip(convolutions, shapes) {
      guard conv.groups == first.groups, shape[2] % 2 + shape[3] % 2 == 2,
        conv.steps == BranchWindow.steps(Array(shape[2...]), first.steps.strides)
      else { return nil }
    }
    let channels = shapes[0][0]
    if images > 0 {
      guard first.steps.strides == [1, 1], inputs[0].shape[1] == channels else { return nil }
    }
    shape = [channels, shapes[0][1]] + window
    conv = Conv(
      first.x, weight: first.weight, bias: first.weight,
      steps: BranchWindow.steps(window, first.steps.strides), groups: first.groups)
  }

  // Steps around the middle of a window of odd sides.
  private static func steps(_ window: [Int], _ strides: [Int]) -> WindowSteps {
    WindowSteps(strides: strides, padding: window.flatMap { [$0 / 2, $0 / 2] })
  }
}

/// Branches put together to one convolution, and the activation behind: function(Σ branch(x)).
struct BranchedConvKernel: Kernel {
  let sum: ChannelBranch
  let window: BranchWindow
  let function: ElementFunction

  private var kernel: ConvKernel { ConvKernel(window.conv, function: function) }
  private var weightType: ValueType { ValueType(.float32, window.shape) }
  private var biasType: ValueType { ValueType(.float32, [window.shape[0]]) }

  // Weight and bias, then what the convolution needs.
  func scratchCount(_ inputs: [ValueType], _ output: ValueType) -> Int {
    weightType.elementCount + biasType.elementCount
      + kernel.scratchCount([inputs[0], weightType, biasType], output)
  }

  func execute(
    _ inputs: [Tensor], into output: Tensor, _ context: KernelContext
  ) throws(KernelFault) {
    let weight = unsafe Tensor(weightType, at: context.scratch)
    let bias = unsafe Tensor(biasType, at: context.scratch + weight.count)
    unsafe weight.floats.update(repeating: 0, count: weight.count + bias.count)
    add(sum, times: Array(repeating: 1, count: bias.count), inputs, to: weight, bias)
    let context = context.moved(by: weight.count + bias.count)
    try kernel.execute([inputs[0], weight, bias], into: output, context)
  }

  /// Adds a branch whose channels are multiplied by factors to the weight and the bias of all.
  private func add(
    _ branch: ChannelBranch, times factors: [Float], _ inputs: [Tensor], to weight: Tensor,
    _ bias: Tensor
  ) {
    switch branch {
    case .image: addImage(times: factors, to: weight)
    case .conv(let conv, let place):
      addWindow(inputs[place], times: factors, to: weight)
      guard conv.bias != nil else { return }
      for (channel, factor) in factors.enumerated() {
        unsafe bias.floats[channel] += factor * inputs[place + 1].floats[channel]
      }
    case .norm(let inner, let epsilon, let place):
      var inside = factors
      for (channel, factor) in factors.enumerated() {
        let (mean, variance, gamma, beta) = unsafe (
          inputs[place].floats[channel], inputs[place + 1].floats[channel],
          inputs[place + 2].floats[channel], inputs[place + 3].floats[channel]
        )
        let scale = gamma / (variance + epsilon).squareRoot()
        inside[channel] = factor * scale
        unsafe bias.floats[channel] += factor * (beta - mean * scale)
      }
      add(inner, times: inside, inputs, to: weight, bias)
    case .scaled(let inner, let place):
      let inside = factors.enumerated().map { unsafe $1 * inputs[place].floats[$0] }
      add(inner, times: inside, inputs, to: weight, bias)
    case .sum(let first, let second, let sign):
      add(first, times: factors, inputs, to: weight, bias)
      add(second, times: factors.map { $0 * sign }, inputs, to: weight, bias)
    }
  }

  // The image is what a single 1 in the middle of its own channel's window gives.
  private func addImage(times factors: [Float], to weight: Tensor) {
    let size = window.shape[2] * window.shape[3], inner = window.shape[1] * size
    for (channel, factor) in factors.enumerated() {
      let place = channel * inner + channel % window.shape[1] * size + size / 2
      unsafe weight.floats[place] += factor
    }
  }

  // A smaller window lies in the middle of the whole one.
  private func addWindow(_ part: Tensor, times factors: [Float], to weight: Tensor) {
    let (rows, columns) = (part.shape[2], part.shape[3])
    let top = (window.shape[2] - rows) / 2, left = (window.shape[3] - columns) / 2
    var source = unsafe UnsafePointer(part.floats)
    for plane in 0..<window.shape[0] * window.shape[1] {
      let factor = factors[plane / window.shape[1]]
      for row in 0..<rows {
        let target =
          unsafe weight.floats
          + ((plane * window.shape[2] + top + row) * window.shape[3] + left)
        for column in 0..<columns { unsafe target[column] += factor * source[column] }
        unsafe source += columns
      }
    }
  }
}
