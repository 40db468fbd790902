import Graph

extension ElementwiseUnary: ExecutableOperation {
  var replaceableInputs: [Int] { [0] }

  func execute(
    _ inputs: [Tensor], into output: Tensor, _ context: KernelContext
  ) throws(KernelFault) {
    unsafe context.loops.map(function, inputs[0].floats, output.floats, count: output.count)
  }

  var function: ElementFunction {
    switch kind {
    case .relu: .relu
    case .sigmoid: .sigmoid
    case .tanh: .tanh
    case .sqrt: .sqrt
    }
  }
}
