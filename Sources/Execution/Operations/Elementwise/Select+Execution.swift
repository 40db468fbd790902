import Graph

extension Select: ExecutableOperation {
  func execute(
    _ inputs: [Tensor], into output: Tensor, _ context: KernelContext
  ) throws(KernelFault) {
    let walk = Broadcast(output.shape, inputs.map(\.shape))
    guard walk.count > 0 else { return }
    let strides = (0..<3).map(walk.rowStride)
    for row in 0..<walk.rowCount {
      let places = walk.places(of: row * walk.rowWidth)
      let condition = unsafe inputs[0].integers + places[0]
      // Both choices are moved as bits, for any type.
      let a = unsafe inputs[1].integers + places[1], b = unsafe inputs[2].integers + places[2]
      let result = unsafe output.integers + row * walk.rowWidth
      for i in 0..<walk.rowWidth {
        unsafe result[i] = condition[i * strides[0]] != 0 ? a[i * strides[1]] : b[i * strides[2]]
      }
    }
  }
}
