import Graph

extension Conv: ExecutableOperation {
  // The patches of one image: [in · h · w, rows · columns].
  func scratchCount(_ inputs: [ValueType], _ output: ValueType) -> Int {
    inputs[1].shape.dropFirst().reduce(1, *) * output.shape[2] * output.shape[3]
  }

  func execute(
    _ inputs: [Tensor], into output: Tensor, _ context: KernelContext
  ) throws(KernelFault) {
    let channels = output.shape[1], places = output.shape[2] * output.shape[3]
    let inner = inputs[1].shape.dropFirst().reduce(1, *)
    for image in 0..<output.shape[0] {
      unsafe unfold(inputs[0], image, inputs[1].shape, output.shape, into: context.scratch)
      unsafe try MatrixProduct.multiply(
        MatrixProduct.Factor(inputs[1].floats, rowStride: inner),
        MatrixProduct.Factor(context.scratch, rowStride: places),
        into: output.floats + image * channels * places, rows: channels, columns: places,
        inner: inner)
    }
  }

  // Row (channel, i, j) of the patches holds the pixel (i, j) of every patch in turn.
  private func unfold(
    _ x: Tensor, _ image: Int, _ weight: [Int], _ output: [Int],
    into patches: UnsafeMutablePointer<Float>
  ) {
    let height = x.shape[2], width = x.shape[3], plane = height * width
    var target = unsafe patches
    for channel in 0..<weight[1] {
      let pixels = unsafe x.floats + (image * weight[1] + channel) * plane
      for i in 0..<weight[2] {
        for j in 0..<weight[3] {
          for row in 0..<output[2] {
            let source = unsafe pixels + (row * strides[0] + i) * width + j
            for column in 0..<output[3] {
              unsafe target[column] = source[column * strides[1]]
            }
            unsafe target += output[3]
          }
        }
      }
    }
  }
}
