import Graph
import Trees

extension TreeSum: ExecutableOperation {
  var executedOperands: [Operand] { [x] }

  func prepared(_ weights: WeightStore, for place: ExecutionError.Place) throws -> any Kernel {
    TreeKernel(trees: try weights.trees(self, for: place))
  }

  // `prepared` gives the kernel that runs; without that only gradients are computed.
  func execute(
    _ inputs: [Tensor], into output: Tensor, _ context: KernelContext
  ) throws(KernelFault) {
    throw .noGradient
  }
}

/// Trees that are ready to run.
private struct TreeKernel: Kernel {
  let trees: PackedTrees

  func execute(
    _ inputs: [Tensor], into output: Tensor, _ context: KernelContext
  ) throws(KernelFault) {
    trees.run(inputs[0], into: output)
  }
}
