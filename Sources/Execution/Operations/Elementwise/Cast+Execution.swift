import Graph

extension Cast: ExecutableOperation {
  func viewOffset(_ inputs: [ValueType], _ output: ValueType) -> Int? {
    // A bool is stored as the integer 0 or 1.
    inputs[0].scalar == scalar || (inputs[0].scalar == .bool && scalar == .int32) ? 0 : nil
  }

  func execute(
    _ inputs: [Tensor], into output: Tensor, _ context: KernelContext
  ) throws(KernelFault) {
    let x = inputs[0]
    for i in 0..<output.count {
      switch (x.type.scalar, scalar) {
      case (.float32, .int32): unsafe output.integers[i] = Cast.truncated(x.floats[i])
      case (.float32, .bool): unsafe output.integers[i] = x.floats[i] != 0 ? 1 : 0
      case (.int32, .bool): unsafe output.integers[i] = x.integers[i] != 0 ? 1 : 0
      case (_, .float32): unsafe output.floats[i] = Float(x.integers[i])
      default: unsafe output.integers[i] = x.integers[i]
      }
    }
  }

  // Towards zero; values outside Int32, NaN included, give the least one, as the processor does.
  private static func truncated(_ value: Float) -> Int32 {
    value > -2_147_483_904 && value < 2_147_483_648 ? Int32(value) : .min
  }
}
