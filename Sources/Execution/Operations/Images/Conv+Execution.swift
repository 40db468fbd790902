import Graph

extension Conv: ExecutableOperation {
  func scratchCount(_ inputs: [ValueType], _ output: ValueType) -> Int {
    ConvKernel(self).scratchCount(inputs, output)
  }

  func execute(
    _ inputs: [Tensor], into output: Tensor, _ context: KernelContext
  ) throws(KernelFault) {
    try ConvKernel(self).execute(inputs, into: output, context)
  }
}
