import Graph

/// linear, alone or followed by an activation, or by an addition and layer_norm: one step, its
/// weight laid out [in, out], which the matrix product reads faster.
enum LinearFusion {
  static func apply(to draft: inout Draft) {
    for index in draft.steps.indices {
      guard let linear = draft.steps[index].kernel as? Linear else { continue }
      let step = draft.steps[index]
      var inputs = step.inputs
      var isInputMajor = false
      if case .weights(let references, .asStored) = inputs[1] {
        inputs[1] = .weights(references, .inputMajor)
        isInputMajor = true
      }
      let base = (inputs: inputs, isInputMajor: isInputMajor, hasBias: linear.bias != nil)
      if fuseFunction(base, index, &draft) || fuseNorm(base, index, &draft) { continue }
      draft.replace(index, with: made(base, inputs, .function(.identity), at: step))
    }
    draft.removeUnused()
  }

  private typealias Base = (inputs: [Draft.Source], isInputMajor: Bool, hasBias: Bool)

  private static func made(
    _ base: Base, _ inputs: [Draft.Source], _ ending: LinearKernel.Ending, at step: Draft.Step
  ) -> Draft.Step {
    let kernel = LinearKernel(
      isInputMajor: base.isInputMajor, hasBias: base.hasBias, ending: ending)
    return Draft.Step(place: step.place, kernel: kernel, inputs: inputs, type: step.type)
  }

  private static func fuseFunction(_ base: Base, _ index: Int, _ draft: inout Draft) -> Bool {
    guard let reader = draft.onlyReader(of: index) else { return false }
    let function: ElementFunction
    switch draft.steps[reader].kernel {
    case let gelu as Gelu: function = gelu.function
    case let unary as ElementwiseUnary: function = unary.function
    default: return false
    }
    draft.replace(
      reader, with: made(base, base.inputs, .function(function), at: draft.steps[reader]))
    return true
  }

  private static func fuseNorm(_ base: Base, _ index: Int, _ draft: inout Draft) -> Bool {
    guard let sum = draft.onlyReader(of: index), let norm = draft.onlyReader(of: sum),
      let layerNorm = draft.steps[norm].kernel as? LayerNorm,
      let residual = AddNormFusion.otherTerm(of: sum, than: index, draft),
      draft.steps[norm].inputs[0] == .value(draft.steps[sum].place.value)
    else { return false }
    let inputs = base.inputs + [residual] + draft.steps[norm].inputs[1...]
    draft.replace(
      norm, with: made(base, inputs, .norm(epsilon: layerNorm.epsilon), at: draft.steps[norm]))
    return true
  }
}
