import Graph

extension BatchNorm: ExecutableOperation {
  var replaceableInputs: [Int] { [0] }

  // Scale and shift of each channel.
  func scratchCount(_ inputs: [ValueType], _ output: ValueType) -> Int { 2 * output.shape[1] }

  func execute(
    _ inputs: [Tensor], into output: Tensor, _ context: KernelContext
  ) throws(KernelFault) {
    guard output.count > 0 else { return }
    let channels = output.shape[1], width = output.shape[2...].reduce(1, *)
    let scale = unsafe context.scratch, shift = unsafe context.scratch + channels
    for channel in 0..<channels {
      let factor =
        unsafe inputs[3].floats[channel]
        / (inputs[2].floats[channel] + epsilon).squareRoot()
      unsafe scale[channel] = factor
      unsafe shift[channel] = inputs[4].floats[channel] - inputs[1].floats[channel] * factor
    }
    output.copy(from: inputs[0])
    for image in 0..<output.shape[0] {
      unsafe context.loops.map(
        .identity, channels: output.floats + image * channels * width, scale: scale, shift: shift,
        count: channels, width: width, stride: width)
    }
  }
}
