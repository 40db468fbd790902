import Graph

/// A value times a sigmoid of itself, x · sigmoid(x) and x · sigmoid_hard(x): one step.
enum ActivationFusion {
  static func apply(to draft: inout Draft) {
    for index in draft.steps.indices {
      let step = draft.steps[index]
      guard let product = step.kernel as? ElementwiseBinary, product.kind == .mul,
        let (source, function) = gate(of: index, draft)
      else { continue }
      draft.replace(
        index,
        with: Draft.Step(
          place: step.place, kernel: ElementMap(function: function), inputs: [source],
          type: step.type))
    }
    draft.removeUnused()
  }

  // The value, and the function that the product with its sigmoid is.
  private static func gate(
    of product: Int, _ draft: Draft
  ) -> (Draft.Source, ElementFunction)? {
    let inputs = draft.steps[product].inputs
    for (value, gate) in [(inputs[0], inputs[1]), (inputs[1], inputs[0])] {
      guard let sigmoid = draft.producer(of: gate), draft.onlyReader(of: sigmoid) == product,
        draft.steps[sigmoid].inputs == [value]
      else { continue }
      switch ElementMap.function(of: draft.steps[sigmoid].kernel) {
      case .sigmoid: return (value, .silu)
      case .hardSigmoid: return (value, .hardSwish)
      default: continue
      }
    }
    return nil
  }
}

/// A function of every element.
struct ElementMap: Kernel {
  let function: ElementFunction

  var replaceableInputs: [Int] { [0] }

  func execute(
    _ inputs: [Tensor], into output: Tensor, _ context: KernelContext
  ) throws(KernelFault) {
    unsafe context.loops.map(function, inputs[0].floats, output.floats, count: output.count)
  }

  /// The function that a kernel applies to every element of its only input; nil for other kernels.
  static func function(of kernel: any Kernel) -> ElementFunction? {
    switch kernel {
    case let map as ElementMap: map.function
    case let gelu as Gelu: gelu.function
    case let unary as ElementwiseUnary: unary.function
    case let clip as Clip where clip.lowest == 0 && clip.highest == 6: .relu6
    case let sigmoid as SigmoidHard where sigmoid.alpha == 1.0 / 6 && sigmoid.beta == 0.5:
      .hardSigmoid
    default: nil
    }
  }
}
