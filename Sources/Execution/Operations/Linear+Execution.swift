import Graph

extension Linear: ExecutableOperation {
  func execute(
    _ inputs: [Tensor], into output: Tensor, _ context: KernelContext
  ) throws(KernelFault) {
    try LinearKernel(isInputMajor: false, hasBias: bias != nil, ending: .function(.identity))
      .execute(inputs, into: output, context)
  }
}
