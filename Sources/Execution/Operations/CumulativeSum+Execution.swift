import Graph

extension CumulativeSum: ExecutableOperation {
  func execute(
    _ inputs: [Tensor], into output: Tensor, _ context: KernelContext
  ) throws(KernelFault) {
    let shape = output.shape
    let inner = shape[(axis + 1)...].reduce(1, *), span = shape[axis] * inner
    for element in 0..<output.count {
      let isFirst = element % span < inner
      switch output.type.scalar {
      case .float32:
        let before = unsafe isFirst ? 0 : output.floats[element - inner]
        unsafe output.floats[element] = before + inputs[0].floats[element]
      case .float64:
        let before = unsafe isFirst ? 0 : output.doubles[element - inner]
        unsafe output.doubles[element] = before + inputs[0].doubles[element]
      case .int32, .bool:
        let before = unsafe isFirst ? 0 : output.integers[element - inner]
        unsafe output.integers[element] = before &+ inputs[0].integers[element]
      }
    }
  }
}
