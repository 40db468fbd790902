import Graph

extension Gather: ExecutableOperation {
  func execute(
    _ inputs: [Tensor], into output: Tensor, _ context: KernelContext
  ) throws(KernelFault) {
    let rows = inputs[0].shape[0], width = inputs[0].shape.dropFirst().reduce(1, *)
    for position in 0..<inputs[1].count {
      let index = unsafe inputs[1].integers[position]
      guard index >= 0, Int(index) < rows else {
        throw .indexOutOfRange(index: index, position: position, rows: rows)
      }
      // Moved as bits, for any type.
      unsafe (output.integers + position * width).update(
        from: inputs[0].integers + Int(index) * width, count: width)
    }
  }
}
