import Graph

extension Reshape: ExecutableOperation {
  func viewOffset(_ inputs: [ValueType], _ output: ValueType) -> Int? { 0 }

  func execute(
    _ inputs: [Tensor], into output: Tensor, _ context: KernelContext
  ) throws(KernelFault) {
    output.copy(from: inputs[0])
  }
}

extension ExpandDims: ExecutableOperation {
  func viewOffset(_ inputs: [ValueType], _ output: ValueType) -> Int? { 0 }

  func execute(
    _ inputs: [Tensor], into output: Tensor, _ context: KernelContext
  ) throws(KernelFault) {
    output.copy(from: inputs[0])
  }
}
