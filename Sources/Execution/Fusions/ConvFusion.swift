import Graph

/// conv followed by batch_norm, then by an activation, or by a gain of each channel and a residual:
/// one step.
///
/// The norm scales what the convolution gives, channel by channel; so the weights stay those of the
/// file, and a convolution with a norm behind it costs no more than one without.
enum ConvFusion {
  static func apply(to draft: inout Draft) {
    for index in draft.steps.indices {
      guard let conv = draft.steps[index].kernel as? Conv else { continue }
      var chain = Chain(kernel: ConvKernel(conv), inputs: draft.steps[index].inputs, last: index)
      chain.takeNorm(draft)
      chain.takeFunction(draft)
      if chain.kernel.function == .identity {
        chain.takeGain(draft)
        chain.takeResidual(draft)
      }
      let step = draft.steps[chain.last]
      draft.replace(
        chain.last,
        with: Draft.Step(
          place: step.place, kernel: chain.kernel, inputs: chain.inputs, type: step.type))
    }
    draft.removeUnused()
  }

  /// A convolution with the steps that it has taken in.
  private struct Chain {
    var kernel: ConvKernel
    var inputs: [Draft.Source]
    var last: Int

    private func value(_ draft: Draft) -> Draft.Source { .value(draft.steps[last].place.value) }

    mutating func takeNorm(_ draft: Draft) {
      guard let reader = draft.onlyReader(of: last),
        let norm = draft.steps[reader].kernel as? BatchNorm,
        draft.steps[reader].inputs[0] == value(draft)
      else { return }
      inputs += draft.steps[reader].inputs[1...]
      (kernel.epsilon, last) = (norm.epsilon, reader)
    }

    mutating func takeFunction(_ draft: Draft) {
      guard let reader = draft.onlyReader(of: last),
        let function = ElementMap.function(of: draft.steps[reader].kernel)
      else { return }
      (kernel.function, last) = (function, reader)
    }

    mutating func takeGain(_ draft: Draft) {
      guard let reader = draft.onlyReader(of: last),
        let (_, gain) = draft.gain(draft.steps[reader])
      else { return }
      inputs.append(gain)
      (kernel.hasGain, last) = (true, reader)
    }

    mutating func takeResidual(_ draft: Draft) {
      guard let reader = draft.onlyReader(of: last),
        let other = AddNormFusion.otherTerm(of: reader, than: last, draft)
      else { return }
      inputs.append(other)
      (kernel.addsResidual, last) = (true, reader)
    }
  }
}
