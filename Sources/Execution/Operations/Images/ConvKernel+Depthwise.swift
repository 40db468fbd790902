import CKernels
import Graph

// Convolution whose groups are single channels of the image.
extension ConvKernel {
  /// One image, all channels.
  func depthwise(
    _ shape: ConvShape, _ image: Int, _ inputs: [Tensor], _ output: Tensor,
    _ context: KernelContext
  ) {
    let planes = shape.image[1] * shape.image[2]
    unsafe context.loops.depthwise(
      self.planes(
        shape, x: inputs[0].floats + image * shape.image[0] * planes, weight: inputs[1].floats,
        y: output.floats + image * shape.channels * shape.places, scratch: context.scratch))
    addResidual(
      inputs, to: output, at: image * shape.channels * shape.places, channels: shape.channels,
      count: shape.places, stride: shape.places)
  }

  /// Floats of scratch memory for the padded plane.
  func depthwiseScratch(_ shape: ConvShape) -> Int {
    var nothing: Float = 0
    return unsafe withUnsafeMutablePointer(to: &nothing) {
      unsafe VectorLoops.depthwiseScratch(
        planes(shape, x: $0, weight: $0, y: $0, scratch: $0))
    }
  }

  private func planes(
    _ shape: ConvShape, x: UnsafePointer<Float>, weight: UnsafePointer<Float>,
    y: UnsafeMutablePointer<Float>, scratch: UnsafeMutablePointer<Float>
  ) -> ingot_depthwise {
    let steps = conv.steps
    return unsafe ingot_depthwise(
      x: x, weight: weight, scale: scratch, shift: scratch + shape.channels, y: y,
      scratch: scratch + 2 * shape.channels, channels: shape.channels,
      multiplier: shape.channels / shape.groups, height: shape.image[1], width: shape.image[2],
      window_height: shape.window[1], window_width: shape.window[2], out_height: shape.rows,
      out_width: shape.columns, top: steps.padding[0], left: steps.padding[2],
      down: steps.strides[0], across: steps.strides[1], dilation_down: steps.dilations[0],
      dilation_across: steps.dilations[1], function: function.code)
  }
}
