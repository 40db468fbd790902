import Graph

/// x / √(mean(x²) + ε) · gain, which graphs write as the square of a Euclidean length, a product, a
/// sum, a root, a division and a product: one step.
enum RMSNormFusion {
  static func apply(to draft: inout Draft) {
    for index in draft.steps.indices {
      let step = draft.steps[index]
      guard let norm = Match(index, draft), draft.type(of: norm.gain).shape == [norm.width] else {
        continue
      }
      draft.replace(
        index,
        with: Draft.Step(
          place: step.place, kernel: RMSNorm(share: norm.share, epsilon: norm.epsilon),
          inputs: [norm.x, norm.gain], type: step.type))
    }
    draft.removeUnused()
  }

  /// A norm that ends with a step; values on the way that others read are still computed.
  private struct Match {
    let x: Draft.Source
    let gain: Draft.Source
    /// By what the sum of squares is multiplied.
    let share: Float
    let epsilon: Float
    let width: Int

    init?(_ index: Int, _ draft: Draft) {
      guard let (even, gain) = Match.binary(.mul, index, draft),
        let division = draft.producer(of: even),
        let (x, root) = Match.binary(.realDivision, division, draft),
        let rooted = draft.producer(of: root),
        (draft.steps[rooted].kernel as? ElementwiseUnary)?.kind == .sqrt,
        let (mean, epsilon) = Match.scaled(.add, draft.steps[rooted].inputs[0], draft),
        let (square, share) = Match.scaled(.mul, mean, draft),
        let squared = draft.producer(of: square),
        let (length, other) = Match.binary(.mul, squared, draft), length == other,
        let measured = draft.producer(of: length), Match.isLength(measured, of: x, draft),
        draft.type(of: x) == draft.steps[index].type, let width = draft.type(of: x).shape.last
      else { return nil }
      self.x = x
      self.gain = gain
      self.share = share
      self.epsilon = epsilon
      self.width = width
    }

    /// The operands of a step of this kind.
    private static func binary(
      _ kind: ElementwiseBinary.Kind, _ index: Int, _ draft: Draft
    ) -> (Draft.Source, Draft.Source)? {
      let step = draft.steps[index]
      guard (step.kernel as? ElementwiseBinary)?.kind == kind else { return nil }
      return (step.inputs[0], step.inputs[1])
    }

    /// A value and the number that is added to it, or that multiplies it.
    private static func scaled(
      _ kind: ElementwiseBinary.Kind, _ source: Draft.Source, _ draft: Draft
    ) -> (Draft.Source, Float)? {
      guard let index = draft.producer(of: source), let (x, y) = binary(kind, index, draft),
        case .literal(.floats(let numbers, let shape)) = y, shape.isEmpty, numbers.count == 1
      else { return nil }
      return (x, numbers[0])
    }

    /// Whether a step measures the rows of a value.
    private static func isLength(_ index: Int, of x: Draft.Source, _ draft: Draft) -> Bool {
      let step = draft.steps[index]
      guard let reduce = step.kernel as? Reduce else { return false }
      return reduce.kind == .l2Norm && reduce.keepsAxis && step.inputs[0] == x
        && reduce.axis == draft.type(of: x).shape.count - 1
    }
  }
}

/// x / √(share · Σx² + ε) · gain, row by row: reads x and gain.
struct RMSNorm: Kernel {
  let share: Float
  let epsilon: Float

  var replaceableInputs: [Int] { [0] }

  func execute(
    _ inputs: [Tensor], into output: Tensor, _ context: KernelContext
  ) throws(KernelFault) {
    guard output.count > 0 else { return }
    unsafe context.loops.rmsNorm(
      inputs[0].floats, gain: inputs[1].floats, share: share, epsilon: epsilon,
      into: output.floats, rows: output.type.rowCount, width: output.type.rowWidth)
  }
}
