import Graph

extension Tile: ExecutableOperation {
  func execute(
    _ inputs: [Tensor], into output: Tensor, _ context: KernelContext
  ) throws(KernelFault) {
    copy(of: inputs[0].shape).run(inputs[0], output)
  }

  /// Where each element of the output comes from: each axis becomes two, the repetitions, with
  /// stride 0 in the source, and the elements.
  func copy(of shape: [Int]) -> StridedCopy {
    StridedCopy(
      shape: zip(repetitions, shape).flatMap { [$0, $1] },
      strides: StridedCopy.denseStrides(shape).flatMap { [0, $0] }, offset: 0)
  }
}
