import Graph

/// Branches of one image that are added up, each a convolution, a norm, or the image itself, with or
/// without a gain of each channel: one convolution.
///
/// So the branches with which MobileOne and FastViT are trained cost no more than what they are put
/// together to (Vasu et al., "MobileOne", 2023, section 3.2), and the weights stay those of the file.
enum BranchFusion {
  static func apply(to draft: inout Draft) {
    // From the end, so that a whole sum comes before its parts.
    for index in draft.steps.indices.reversed() where draft.steps[index].kernel is ElementwiseBinary
    {
      var found = BranchSearch(draft)
      guard let sum = found.branch(of: index),
        let window = BranchWindow(sum, inputs: found.inputs.map(draft.type(of:)))
      else { continue }
      var last = index
      var function = ElementFunction.identity
      if let reader = draft.onlyReader(of: index),
        let next = ElementMap.function(of: draft.steps[reader].kernel)
      {
        (function, last) = (next, reader)
      }
      let step = draft.steps[last]
      draft.replace(
        last,
        with: Draft.Step(
          place: step.place,
          kernel: BranchedConvKernel(sum: sum, window: window, function: function),
          inputs: found.inputs, type: step.type))
    }
    draft.removeUnused()
  }
}

/// The search for the branches that a step adds up.
private struct BranchSearch {
  private let draft: Draft
  /// The image, once a branch has named it; then the weights of the branches.
  private(set) var inputs: [Draft.Source] = []

  init(_ draft: Draft) { self.draft = draft }

  /// What a step computes from the one image of all branches; nil if it is anything else.
  mutating func branch(of index: Int) -> ChannelBranch? {
    let step = draft.steps[index]
    switch step.kernel {
    case let conv as Conv:
      guard name(step.inputs[0]) else { return nil }
      return .conv(conv, weight: append(step.inputs[1...]))
    case let norm as BatchNorm:
      guard let inner = branch(of: step.inputs[0], readBy: index) else { return nil }
      return .norm(inner, epsilon: norm.epsilon, mean: append(step.inputs[1...]))
    case let binary as ElementwiseBinary: return branch(of: binary.kind, step, index)
    default: return nil
    }
  }

  private mutating func branch(
    of kind: ElementwiseBinary.Kind, _ step: Draft.Step, _ index: Int
  ) -> ChannelBranch? {
    switch kind {
    case .add, .sub:
      guard step.inputs.allSatisfy({ draft.type(of: $0) == step.type }),
        let first = branch(of: step.inputs[0], readBy: index),
        let second = branch(of: step.inputs[1], readBy: index)
      else { return nil }
      return .sum(first, second, sign: kind == .add ? 1 : -1)
    case .mul:
      guard let (value, gain) = draft.gain(step),
        let inner = branch(of: value, readBy: index)
      else { return nil }
      return .scaled(inner, gain: append([gain]))
    default: return nil
    }
  }

  // A value that others read too, or that no branch makes, can only be the image.
  private mutating func branch(of source: Draft.Source, readBy reader: Int) -> ChannelBranch? {
    if let made = draft.producer(of: source), draft.onlyReader(of: made) == reader {
      return branch(of: made)
    }
    return name(source) ? .image : nil
  }

  /// Whether a value is the image, or the first that could be.
  private mutating func name(_ image: Draft.Source) -> Bool {
    if inputs.isEmpty { inputs = [image] }
    return inputs[0] == image
  }

  private mutating func append(_ weights: some Sequence<Draft.Source>) -> Int {
    defer { inputs += weights }
    return inputs.count
  }
}

extension Draft {
  /// The value and the gain of each channel, [C, 1, 1], that a step multiplies; nil for other steps.
  func gain(_ step: Step) -> (value: Source, gain: Source)? {
    guard let binary = step.kernel as? ElementwiseBinary, binary.kind == .mul,
      step.type.shape.count == 4
    else { return nil }
    for (value, gain) in [(0, 1), (1, 0)].map({ (step.inputs[$0.0], step.inputs[$0.1]) }) {
      if case .weights(let references, .asStored) = gain,
        references[0].shape == [step.type.shape[1], 1, 1], type(of: value) == step.type
      {
        return (value, gain)
      }
    }
    return nil
  }
}
