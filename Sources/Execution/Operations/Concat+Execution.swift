import Graph

extension Concat: ExecutableOperation {
  func execute(
    _ inputs: [Tensor], into output: Tensor, _ context: KernelContext
  ) throws(KernelFault) {
    let outer = output.shape.prefix(axis).reduce(1, *)
    let whole = output.shape.dropFirst(axis).reduce(1, *)
    var offset = 0
    for input in inputs {
      let part = input.shape.dropFirst(axis).reduce(1, *)
      for row in 0..<outer {
        // Moved as bits, for any type.
        unsafe (output.integers + row * whole + offset).update(
          from: input.integers + row * part, count: part)
      }
      offset += part
    }
  }
}
