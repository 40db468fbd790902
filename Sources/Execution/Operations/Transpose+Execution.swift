import Graph

extension Transpose: ExecutableOperation {
  func execute(
    _ inputs: [Tensor], into output: Tensor, _ context: KernelContext
  ) throws(KernelFault) {
    let strides = StridedCopy.denseStrides(inputs[0].shape)
    StridedCopy(shape: output.shape, strides: permutation.map { strides[$0] }, offset: 0)
      .run(inputs[0], output)
  }
}
