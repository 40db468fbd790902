import Graph

extension Clip: ExecutableOperation {
  var replaceableInputs: [Int] { [0] }

  func execute(
    _ inputs: [Tensor], into output: Tensor, _ context: KernelContext
  ) throws(KernelFault) {
    for i in 0..<output.count {
      // NaN is neither below nor above and stays.
      let value = unsafe inputs[0].floats[i]
      unsafe output.floats[i] = value < lowest ? lowest : value > highest ? highest : value
    }
  }
}
