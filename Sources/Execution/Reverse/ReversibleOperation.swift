import Graph

/// An operation whose gradients are known.
///
/// A new operation is one file in `Reverse/Operations/` with this conformance.
protocol ReversibleOperation: ExecutableOperation {
  /// Adds to the gradient of each input what comes back through the output.
  func reverse(_ step: ReverseStep) throws(KernelFault)

  /// Floats of scratch memory that `reverse` needs.
  func reverseScratchCount(_ inputs: [ValueType], _ output: ValueType) -> Int
}

extension ReversibleOperation {
  func reverseScratchCount(_ inputs: [ValueType], _ output: ValueType) -> Int { 0 }
}

/// One operation on the way back.
struct ReverseStep {
  let inputs: [Tensor]
  let output: Tensor
  /// The derivative by each number of the output.
  let gradient: Tensor
  /// The derivatives by the numbers of each input, to be added to; nil where no one asks: of weights,
  /// literals, and what is no float.
  let gradients: [Tensor?]
  let context: KernelContext

  /// Refuses gradients of all inputs but the first, which are constants in every graph.
  func requireOnlyFirst(_ operation: any Operation) throws(KernelFault) {
    guard let other = gradients.indices.dropFirst().first(where: { gradients[$0] != nil }) else {
      return
    }
    throw .irreversible(parameter: operation.operands[other].parameter)
  }

  /// Adds to the gradient of an input that has as many numbers as the output.
  ///
  /// - Parameter slope: the derivative of an output number by its input number, from the latter.
  func addEach(_ input: Int = 0, _ slope: (Float) -> Float = { _ in 1 }) {
    guard let target = gradients[input] else { return }
    let x = inputs[input]
    for i in 0..<target.count {
      unsafe target.floats[i] += gradient.floats[i] * slope(x.floats[i])
    }
  }
}
