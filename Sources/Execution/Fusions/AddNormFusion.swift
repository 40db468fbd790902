import Graph

/// add followed by layer_norm, both terms of the same shape: one step.
enum AddNormFusion {
  static func apply(to draft: inout Draft) {
    for index in draft.steps.indices {
      let step = draft.steps[index]
      guard let norm = step.kernel as? LayerNorm, let sum = draft.producer(of: step.inputs[0]),
        draft.onlyReader(of: sum) == index, isPlainSum(sum, draft)
      else { continue }
      let inputs = draft.steps[sum].inputs + step.inputs[1...]
      draft.replace(
        index,
        with: Draft.Step(
          place: step.place, kernel: AddNorm(epsilon: norm.epsilon), inputs: inputs,
          type: step.type))
    }
    draft.removeUnused()
  }

  /// The other term of a sum of two tensors of its shape; nil if the step is anything else.
  static func otherTerm(of sum: Int, than term: Int, _ draft: Draft) -> Draft.Source? {
    guard isPlainSum(sum, draft) else { return nil }
    let inputs = draft.steps[sum].inputs
    let name = Draft.Source.value(draft.steps[term].place.value)
    guard inputs[0] != inputs[1] else { return nil }
    return inputs[0] == name ? inputs[1] : inputs[0]
  }

  private static func isPlainSum(_ index: Int, _ draft: Draft) -> Bool {
    let step = draft.steps[index]
    guard let add = step.kernel as? ElementwiseBinary, add.kind == .add else { return false }
    return step.inputs.allSatisfy { draft.type(of: $0) == step.type }
  }
}

/// layer_norm(x + y): reads x, y, gamma, beta.
struct AddNorm: Kernel {
  let epsilon: Float

  var replaceableInputs: [Int] { [0, 1] }

  func execute(
    _ inputs: [Tensor], into output: Tensor, _ context: KernelContext
  ) throws(KernelFault) {
    guard output.count > 0 else { return }
    unsafe context.loops.norm(
      inputs[0].floats, bias: nil, residual: inputs[1].floats, gamma: inputs[2].floats,
      beta: inputs[3].floats, epsilon: epsilon, into: output.floats, rows: output.type.rowCount,
      width: output.type.rowWidth)
  }
}
