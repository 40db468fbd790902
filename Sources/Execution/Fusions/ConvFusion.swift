import Graph

/// conv followed by batch_norm, by an activation, or by both: one step.
///
/// The norm scales what the convolution gives, channel by channel; so the weights stay those of the
/// file, and a convolution with a norm behind it costs no more than one without.
enum ConvFusion {
  static func apply(to draft: inout Draft) {
    for index in draft.steps.indices {
      guard let conv = draft.steps[index].kernel as? Conv else { continue }
      var last = index
      var inputs = draft.steps[index].inputs
      var epsilon: Float?
      if let reader = draft.onlyReader(of: last),
        let norm = draft.steps[reader].kernel as? BatchNorm,
        draft.steps[reader].inputs[0] == .value(draft.steps[last].place.value)
      {
        inputs += draft.steps[reader].inputs[1...]
        (epsilon, last) = (norm.epsilon, reader)
      }
      var function = ElementFunction.identity
      if let reader = draft.onlyReader(of: last),
        let next = ElementMap.function(of: draft.steps[reader].kernel)
      {
        (function, last) = (next, reader)
      }
      let step = draft.steps[last]
      draft.replace(
        last,
        with: Draft.Step(
          place: step.place, kernel: ConvKernel(conv, epsilon: epsilon, function: function),
          inputs: inputs, type: step.type))
    }
    draft.removeUnused()
  }
}
