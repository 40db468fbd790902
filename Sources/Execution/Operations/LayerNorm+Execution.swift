import Graph

extension LayerNorm: ExecutableOperation {
  var replaceableInputs: [Int] { [0] }

  func execute(
    _ inputs: [Tensor], into output: Tensor, _ context: KernelContext
  ) throws(KernelFault) {
    guard output.count > 0 else { return }
    unsafe context.loops.norm(
      inputs[0].floats, bias: nil, residual: nil, gamma: inputs[1].floats, beta: inputs[2].floats,
      epsilon: epsilon, into: output.floats, rows: output.type.rowCount,
      width: output.type.rowWidth)
  }
}
