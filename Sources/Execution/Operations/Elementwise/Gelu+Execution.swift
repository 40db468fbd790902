import Graph

extension Gelu: ExecutableOperation {
  var replaceableInputs: [Int] { [0] }

  func execute(
    _ inputs: [Tensor], into output: Tensor, _ context: KernelContext
  ) throws(KernelFault) {
    unsafe context.loops.map(function, inputs[0].floats, output.floats, count: output.count)
  }

  var function: ElementFunction {
    switch mode {
    case .exact: .geluExact
    case .tanhApproximation: .geluTanh
    case .sigmoidApproximation: .geluSigmoid
    }
  }
}
