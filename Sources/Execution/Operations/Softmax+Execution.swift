import Graph

extension Softmax: ExecutableOperation {
  func scratchCount(_ inputs: [ValueType], _ output: ValueType) -> Int {
    output.shape[output.shape.count + axis]
  }

  func execute(
    _ inputs: [Tensor], into output: Tensor, _ context: KernelContext
  ) throws(KernelFault) {
    guard output.count > 0 else { return }
    if axis == -1 {
      unsafe context.loops.softmax(
        inputs[0].floats, into: output.floats, rows: output.type.rowCount,
        width: output.type.rowWidth)
    } else {
      executeStrided(inputs[0], output, context)
    }
  }

  // Any other axis: each line is copied out, done, and copied back.
  private func executeStrided(_ x: Tensor, _ output: Tensor, _ context: KernelContext) {
    let place = output.shape.count + axis
    let length = output.shape[place]
    let inner = output.shape[(place + 1)...].reduce(1, *)
    for line in 0..<output.count / length {
      let first = line / inner * length * inner + line % inner
      for i in 0..<length { unsafe context.scratch[i] = x.floats[first + i * inner] }
      unsafe context.loops.softmax(context.scratch, into: context.scratch, rows: 1, width: length)
      for i in 0..<length { unsafe output.floats[first + i * inner] = context.scratch[i] }
    }
  }
}
