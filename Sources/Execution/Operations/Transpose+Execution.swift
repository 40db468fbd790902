import Graph

extension Transpose: ExecutableOperation {
  func execute(
    _ inputs: [Tensor], into output: Tensor, _ context: KernelContext
  ) throws(KernelFault) {
    copy(of: inputs[0].shape, to: output.shape).run(inputs[0], output)
  }

  /// Where each element of the output comes from.
  func copy(of shape: [Int], to output: [Int]) -> StridedCopy {
    let strides = StridedCopy.denseStrides(shape)
    return StridedCopy(shape: output, strides: permutation.map { strides[$0] }, offset: 0)
  }
}
