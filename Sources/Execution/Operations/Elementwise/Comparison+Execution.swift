import Graph

extension Comparison: ExecutableOperation {
  func execute(
    _ inputs: [Tensor], into output: Tensor, _ context: KernelContext
  ) throws(KernelFault) {
    let walk = Broadcast(output.shape, inputs.map(\.shape))
    let isFloat = inputs[0].type.scalar == .float32
    for element in 0..<walk.count {
      let places = walk.places(of: element)
      let holds =
        isFloat
        ? unsafe holds(inputs[0].floats[places[0]], inputs[1].floats[places[1]])
        : unsafe holds(inputs[0].integers[places[0]], inputs[1].integers[places[1]])
      unsafe output.integers[element] = holds ? 1 : 0
    }
  }

  private func holds<Value: Comparable>(_ x: Value, _ y: Value) -> Bool {
    switch kind {
    case .equal: x == y
    case .less: x < y
    case .greaterOrEqual: x >= y
    }
  }
}
