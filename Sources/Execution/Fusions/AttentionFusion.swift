import Graph

/// The attention block: reads and writes heads in place in [batch, length, heads · width], without
/// the transposes, and computes query, key and value in one product.
enum AttentionFusion {
  static func apply(to draft: inout Draft) {
    for index in draft.steps.indices where draft.steps[index].kernel is ScaledDotProductAttention {
      fuseTransposes(index, &draft)
    }
    draft.removeUnused()
    for index in draft.steps.indices where draft.steps[index].kernel is StridedAttention {
      joinProjections(index, &draft)
    }
    draft.removeUnused()
  }

  private static let headsFirst = [0, 2, 1, 3]

  private static func fuseTransposes(_ index: Int, _ draft: inout Draft) {
    let step = draft.steps[index]
    let sources = step.inputs[..<3].compactMap { source -> Draft.Source? in
      guard let producer = draft.producer(of: source),
        let transpose = draft.steps[producer].kernel as? Transpose,
        transpose.permutation == headsFirst
      else { return nil }
      return draft.steps[producer].inputs[0]
    }
    guard sources.count == 3, let reader = draft.onlyReader(of: index),
      let transpose = draft.steps[reader].kernel as? Transpose, transpose.permutation == headsFirst
    else { return }
    let place = draft.steps[reader].place, type = draft.steps[reader].type
    let keys = draft.type(of: sources[1]).shape[1]
    let kernel = StridedAttention(
      batch: type.shape[0], queries: type.shape[1], keys: keys, heads: type.shape[2],
      width: type.shape[3], isJoined: false)
    draft.replace(
      reader,
      with: Draft.Step(
        place: place, kernel: kernel, inputs: sources + step.inputs.dropFirst(3), type: type))
  }

  // Linear steps of one input become one step with their weights side by side.
  private static func joinProjections(_ index: Int, _ draft: inout Draft) {
    let step = draft.steps[index]
    guard let attention = step.kernel as? StridedAttention else { return }
    let steps = step.inputs[..<3].compactMap { projection($0, readBy: index, draft) }
    guard steps.count == 3, Set(steps).count == 3, let first = steps.min() else { return }
    let linears = steps.map { draft.steps[$0] }
    let width = attention.heads * attention.width
    let x = linears[0].inputs[0], linearType = linears[0].type
    guard linears.allSatisfy({ $0.inputs[0] == x && $0.type == linearType }),
      linearType.rowWidth == width, attention.queries == attention.keys,
      let weights = joined(linears.map { $0.inputs[1] })
    else { return }
    var inputs = [x, weights]
    let biases = linears.compactMap { $0.inputs.count == 3 ? $0.inputs[2] : nil }
    if !biases.isEmpty {
      guard biases.count == 3, let bias = joined(biases) else { return }
      inputs.append(bias)
    }
    let type = ValueType(.float32, linearType.shape.dropLast() + [3 * width])
    let place = linears[0].place
    draft.replace(
      first,
      with: Draft.Step(
        place: place,
        kernel: LinearKernel(
          isInputMajor: true, hasBias: !biases.isEmpty, ending: .function(.identity)),
        inputs: inputs, type: type))
    let source = Draft.Source.value(place.value)
    draft.replace(
      index,
      with: Draft.Step(
        place: step.place, kernel: attention.joined,
        inputs: [source, source, source] + step.inputs.dropFirst(3), type: step.type))
  }

  // The linear step behind a source, through reshapes, if it has no other reader.
  private static func projection(
    _ source: Draft.Source, readBy reader: Int, _ draft: Draft
  ) -> Int? {
    guard let index = draft.producer(of: source), draft.onlyReader(of: index) == reader else {
      return nil
    }
    if draft.steps[index].kernel is Linear { return index }
    guard draft.steps[index].kernel is Reshape else { return nil }
    return projection(draft.steps[index].inputs[0], readBy: index, draft)
  }

  private static func joined(_ sources: [Draft.Source]) -> Draft.Source? {
    var references: [WeightReference] = []
    for source in sources {
      guard case .weights(let one, .asStored) = source else { return nil }
      references += one
    }
    return .weights(references, .inputMajor)
  }
}

/// Attention over [batch, length, heads, width]: reads query, key, value, and a mask if there is one.
struct StridedAttention: Kernel {
  let batch: Int
  let queries: Int
  let keys: Int
  let heads: Int
  let width: Int
  /// Whether query, key and value are the three parts of the rows of one tensor.
  let isJoined: Bool

  /// The same, reading the three from one tensor.
  var joined: StridedAttention {
    StridedAttention(
      batch: batch, queries: queries, keys: keys, heads: heads, width: width, isJoined: true)
  }

  func scratchCount(_ inputs: [ValueType], _ output: ValueType) -> Int {
    VectorLoops.attentionScratch(keys: keys, width: width)
  }

  func execute(
    _ inputs: [Tensor], into output: Tensor, _ context: KernelContext
  ) throws(KernelFault) {
    let hidden = heads * width
    AttentionHeads(
      batch: batch, heads: heads, queries: queries, keys: keys, width: width,
      query: matrix(0, queries), key: matrix(1, keys), value: matrix(2, keys),
      output: AttentionHeads.Matrix(
        offset: 0, batchStride: queries * hidden, headStride: width, rowStride: hidden)
    ).run(inputs, output, context)
  }

  private func matrix(_ part: Int, _ length: Int) -> AttentionHeads.Matrix {
    let hidden = heads * width
    let row = isJoined ? 3 * hidden : hidden
    return AttentionHeads.Matrix(
      offset: isJoined ? part * hidden : 0, batchStride: length * row, headStride: width,
      rowStride: row)
  }
}
