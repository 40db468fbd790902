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
    guard let reader = draft.onlyReader(of: index),
      let function = ElementMap.function(of: draft.steps[reader].kernel)
    else { return false }
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

/// `linear` fused with the steps after it, which run while its output is still in the cache.
///
/// Reads x, weight, the bias if any, and for `norm` then residual, gamma, beta.
struct LinearKernel: Kernel {
  enum Ending: Sendable {
    /// y = function(x · weight + bias)
    case function(ElementFunction)
    /// y = layer_norm(x · weight + bias + residual)
    case norm(epsilon: Float)
  }

  /// Whether the weight is laid out [in, out] rather than [out, in].
  let isInputMajor: Bool
  let hasBias: Bool
  let ending: Ending

  /// Elements of output that are made before the ending is applied: half of a 1 MB second-level
  /// cache.
  private static let blockCount = 128 * 1024
  /// Fewest rows the matrix product runs well with.
  private static let blockRows = 64

  func execute(
    _ inputs: [Tensor], into output: Tensor, _ context: KernelContext
  ) throws(KernelFault) {
    let rows = output.type.rowCount, width = output.type.rowWidth, inner = inputs[0].type.rowWidth
    guard output.count > 0 else { return }
    let block =
      context.threads > 1
      ? rows : max(LinearKernel.blockRows, LinearKernel.blockCount / width)
    let weight = unsafe MatrixProduct.Factor(
      inputs[1].floats, rowStride: isInputMajor ? MatrixProduct.rowStride(columns: width) : inner,
      isTransposed: !isInputMajor)
    for first in stride(from: 0, to: rows, by: block) {
      let count = min(block, rows - first)
      try unsafe context.multiply(
        MatrixProduct.Factor(inputs[0].floats + first * inner, rowStride: inner), weight,
        into: output.floats + first * width, rows: count, columns: width, inner: inner)
      end(inputs, output, context, first: first, count: count)
    }
  }

  private func end(
    _ inputs: [Tensor], _ output: Tensor, _ context: KernelContext, first: Int, count: Int
  ) {
    let width = output.type.rowWidth
    let y = unsafe output.floats + first * width
    let bias = unsafe hasBias ? UnsafePointer(inputs[2].floats) : nil
    switch ending {
    case .function(let function):
      unsafe context.loops.map(function, y, addingBias: bias, rows: count, width: width)
    case .norm(let epsilon):
      let next = hasBias ? 3 : 2
      unsafe context.loops.norm(
        y, bias: bias, residual: inputs[next].floats + first * width,
        gamma: inputs[next + 1].floats, beta: inputs[next + 2].floats, epsilon: epsilon, into: y,
        rows: count, width: width)
    }
  }
}
