import Graph

extension SigmoidHard: ExecutableOperation {
  var replaceableInputs: [Int] { [0] }

  func execute(
    _ inputs: [Tensor], into output: Tensor, _ context: KernelContext
  ) throws(KernelFault) {
    for i in 0..<output.count {
      // NaN is neither below nor above and stays.
      let value = unsafe alpha * inputs[0].floats[i] + beta
      unsafe output.floats[i] = value < 0 ? 0 : value > 1 ? 1 : value
    }
  }
}
