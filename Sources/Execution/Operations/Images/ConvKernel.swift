import Graph

/// `conv` fused with the steps after it, which run while its output is still in the cache:
/// function(gain · norm(conv(x) + bias)) + residual.
///
/// Reads x, weight, and what there is of bias; mean, variance, gamma, beta of a norm; gain; residual.
struct ConvKernel: Kernel {
  let conv: Conv
  /// ε of a `batch_norm`; nil without one.
  var epsilon: Float?
  var function = ElementFunction.identity
  /// Whether each channel is multiplied by a number of its own.
  var hasGain = false
  /// Whether an image of the output's size is added.
  var addsResidual = false

  init(_ conv: Conv, function: ElementFunction = .identity) {
    self.conv = conv
    self.function = function
  }

  // Scale and shift of each channel, then what the product needs.
  func scratchCount(_ inputs: [ValueType], _ output: ValueType) -> Int {
    let shape = ConvShape(conv, x: inputs[0].shape, weight: inputs[1].shape, output: output.shape)
    return 2 * shape.channels + (shape.isDepthwise ? depthwiseScratch(shape) : shape.patchCount)
  }

  func execute(
    _ inputs: [Tensor], into output: Tensor, _ context: KernelContext
  ) throws(KernelFault) {
    guard output.count > 0 else { return }
    let shape = ConvShape(
      conv, x: inputs[0].shape, weight: inputs[1].shape, output: output.shape)
    affine(inputs, channels: shape.channels, context)
    for image in 0..<shape.images {
      if shape.isDepthwise {
        depthwise(shape, image, inputs, output, context)
      } else {
        try product(shape, image, inputs, output, context)
      }
    }
  }

  // Bias, norm and gain as one scale and one shift of each channel, at the start of the scratch memory.
  private func affine(_ inputs: [Tensor], channels: Int, _ context: KernelContext) {
    let scale = unsafe context.scratch, shift = unsafe context.scratch + channels
    var rest = inputs[2...]
    let bias = conv.bias == nil ? nil : rest.popFirst()
    let norm = rest.prefix(epsilon == nil ? 0 : 4)
    let gain = hasGain ? rest.dropFirst(norm.count).first : nil
    for channel in 0..<channels {
      var factor: Float = 1
      var start = unsafe bias?.floats[channel] ?? 0
      if let epsilon {
        let parts = norm.map { unsafe $0.floats[channel] }
        factor = parts[2] / (parts[1] + epsilon).squareRoot()
        start = (start - parts[0]) * factor + parts[3]
      }
      if let gain {
        unsafe (factor, start) = (factor * gain.floats[channel], start * gain.floats[channel])
      }
      unsafe (scale[channel], shift[channel]) = (factor, start)
    }
  }

  /// Whether scale, shift and function change anything.
  var hasEnding: Bool {
    conv.bias != nil || epsilon != nil || hasGain || function != .identity
  }

  /// Adds the residual, if any, to some numbers of every channel of the output.
  ///
  /// - Parameters:
  ///   - place: of the first number in the output.
  ///   - stride: from one channel to the next.
  func addResidual(
    _ inputs: [Tensor], to output: Tensor, at place: Int, channels: Int, count: Int, stride: Int
  ) {
    guard addsResidual, let residual = inputs.last else { return }
    for channel in 0..<channels {
      let source = unsafe UnsafePointer(residual.floats) + (place + channel * stride)
      let target = unsafe output.floats + (place + channel * stride)
      for i in 0..<count { unsafe target[i] += source[i] }
    }
  }
}

/// The sizes of a convolution.
struct ConvShape {
  let images: Int
  /// Channels of the output.
  let channels: Int
  /// [in, height, width] of the image, [in / groups, h, w] of the window, rows and columns of places.
  let image: [Int]
  let window: [Int]
  let rows: Int
  let columns: Int
  let groups: Int
  /// Whether the image is its own matrix of patches, as a matrix product reads it well.
  let isPatches: Bool

  init(_ conv: Conv, x: [Int], weight: [Int], output: [Int]) {
    images = x[0]
    channels = weight[0]
    image = Array(x[1...])
    window = Array(weight[1...])
    (rows, columns) = (output[2], output[3])
    groups = conv.groups
    isPatches =
      window[1...] == [1, 1] && conv.steps.strides == [1, 1] && conv.steps.isUnpadded
      && !(rows * columns).isMultiple(of: 512)
  }

  /// Places of the window.
  var places: Int { rows * columns }
  /// Numbers under the window.
  var inner: Int { window.reduce(1, *) }
  /// Whether each channel of the image is convolved on its own.
  var isDepthwise: Bool {
    groups > 1 && window[0] == 1 && window[2] <= VectorLoops.depthwiseColumns
  }

  /// Most floats of patches at once: half of a second-level cache of 1 MB.
  private static let patchLimit = 1 << 17

  /// Rows of places whose patches are made at once.
  var blockRows: Int {
    max(1, min(rows, Self.patchLimit / max(1, inner * columns)))
  }
  /// Floats of patches at once.
  var patchCount: Int {
    isPatches ? 0 : inner * MatrixProduct.rowStride(columns: blockRows * columns)
  }
}
