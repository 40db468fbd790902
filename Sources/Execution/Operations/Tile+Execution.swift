import Graph

extension Tile: ExecutableOperation {
  func execute(
    _ inputs: [Tensor], into output: Tensor, _ context: KernelContext
  ) throws(KernelFault) {
    // Each axis becomes two: the repetitions, with stride 0 in the source, and the elements.
    let shape = inputs[0].shape
    StridedCopy(
      shape: zip(repetitions, shape).flatMap { [$0, $1] },
      strides: StridedCopy.denseStrides(shape).flatMap { [0, $0] }, offset: 0
    ).run(inputs[0], output)
  }
}
