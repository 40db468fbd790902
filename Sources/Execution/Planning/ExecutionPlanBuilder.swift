import Graph

/// Makes plans: fuses operations, places every value in memory, and fetches the weights.
struct ExecutionPlanBuilder {
  let weights: WeightStore
  /// Whether operations are fused; if not, each one runs separately.
  let fuses: Bool

  /// - Throws: `ExecutionError`, or errors of the weight source.
  func plan(_ graph: ModelGraph) throws -> ExecutionPlan {
    var draft = try Draft(graph)
    if fuses {
      AttentionFusion.apply(to: &draft)
      ActivationFusion.apply(to: &draft)
      BranchFusion.apply(to: &draft)
      ConvFusion.apply(to: &draft)
      LinearFusion.apply(to: &draft)
      AddNormFusion.apply(to: &draft)
      RMSNormFusion.apply(to: &draft)
    }
    var placing = Placing(weights: weights, draft: draft)
    return try placing.plan(graph)
  }
}

/// The placement of a draft's values.
private struct Placing {
  /// A stretch of memory that one step writes and others, through views, read.
  private struct Root {
    let count: Int
    var lastReader: Int
    var offset = 0
  }

  private enum Storage {
    case root(Int, offset: Int)
    case constant(Constant, offset: Int)
  }

  private struct Value {
    let type: ValueType
    let storage: Storage
  }

  private struct Executed {
    let step: Draft.Step
    let inputs: [Value]
    let root: Int
  }

  private let weights: WeightStore
  private let draft: Draft
  private var roots: [Root] = []
  private var values: [String: Value] = [:]
  private var executed: [Executed] = []
  private var layout = WorkspaceLayout()

  init(weights: WeightStore, draft: Draft) {
    self.weights = weights
    self.draft = draft
  }

  mutating func plan(_ graph: ModelGraph) throws -> ExecutionPlan {
    for input in graph.inputs {
      values[input.name] = Value(type: input.type, storage: newRoot(input.type, at: -1))
    }
    for step in draft.steps { try resolve(step.prepared(weights)) }
    guard let output = values[graph.output] else {
      throw ExecutionError.missingInput(graph.output, graph.outputType)
    }
    if case .root(let root, _) = output.storage { roots[root].lastReader = executed.count }
    let inputs = graph.inputs.compactMap { input in values[input.name].map { (input.name, $0) } }
    for (_, value) in inputs { take(value) }
    let steps = executed.indices.map { place($0) }
    return ExecutionPlan(
      inputs: inputs.map { ($0.0, located($0.1)) }, steps: steps, output: located(output),
      workspaceCount: layout.count)
  }

  private mutating func newRoot(_ type: ValueType, at step: Int) -> Storage {
    roots.append(Root(count: type.wordCount, lastReader: step))
    return .root(roots.count - 1, offset: 0)
  }

  // Resolves a step's inputs; a step that only views its input differently is not executed.
  private mutating func resolve(_ step: Draft.Step) throws {
    let inputs = try step.inputs.map { try value(of: $0, step.place) }
    let types = inputs.map(\.type)
    if let shift = step.kernel.viewOffset(types, step.type) {
      let storage: Storage =
        switch inputs[0].storage {
        case .root(let root, let offset): .root(root, offset: offset + shift)
        case .constant(let constant, let offset): .constant(constant, offset: offset + shift)
        }
      values[step.place.value] = Value(type: step.type, storage: storage)
      return
    }
    let index = executed.count
    for input in inputs {
      if case .root(let root, _) = input.storage { roots[root].lastReader = index }
    }
    values[step.place.value] = Value(type: step.type, storage: newRoot(step.type, at: index))
    executed.append(Executed(step: step, inputs: inputs, root: roots.count - 1))
  }

  private func value(
    of source: Draft.Source, _ place: ExecutionError.Place
  ) throws -> Value {
    switch source {
    case .value(let name):
      guard let value = values[name] else {
        throw ExecutionError.missingInput(name, ValueType(.float32, []))
      }
      return value
    case .weights(let references, let memoryLayout):
      let constant = try weights.constant(references, memoryLayout, for: place)
      let shape = memoryLayout == .asStored ? references[0].shape : [constant.count]
      return Value(
        type: ValueType(.float32, shape), storage: .constant(constant, offset: 0))
    case .literal(let literal):
      return Value(type: literal.type, storage: .constant(Constant(literal), offset: 0))
    }
  }

  private mutating func take(_ value: Value) {
    if case .root(let root, _) = value.storage {
      roots[root].offset = layout.take(roots[root].count)
    }
  }

  // Places a step's output and scratch memory, then frees the inputs it was the last to read.
  private mutating func place(_ index: Int) -> ExecutionPlan.Step {
    let current = executed[index]
    let replaced = replacedRoot(current, index)
    if let replaced {
      roots[current.root].offset = roots[replaced].offset
    } else {
      roots[current.root].offset = layout.take(roots[current.root].count)
    }
    let scratch = layout.take(
      current.step.kernel.scratchCount(current.inputs.map(\.type), current.step.type))
    layout.give(scratch)
    var freed: Set<Int> = []
    for case .root(let root, _) in current.inputs.map(\.storage)
    where roots[root].lastReader == index && root != replaced && freed.insert(root).inserted {
      layout.give(roots[root].offset)
    }
    let output = Value(type: current.step.type, storage: .root(current.root, offset: 0))
    return ExecutionPlan.Step(
      place: current.step.place, kernel: current.step.kernel,
      inputs: current.inputs.map(located), output: located(output), scratchOffset: scratch)
  }

  // The input whose memory the output can reuse: not read later, of the same size, and not viewed
  // by another input of this step.
  private func replacedRoot(_ current: Executed, _ index: Int) -> Int? {
    for input in current.step.kernel.replaceableInputs where input < current.inputs.count {
      guard case .root(let root, 0) = current.inputs[input].storage,
        roots[root].lastReader == index, roots[root].count == roots[current.root].count,
        current.inputs[input].type.shape == current.step.type.shape
      else { continue }
      let isShared = current.inputs.contains { other in
        if case .root(root, let offset) = other.storage {
          return offset != 0 || other.type.shape != current.step.type.shape
        }
        return false
      }
      if !isShared { return root }
    }
    return nil
  }

  private func located(_ value: Value) -> ExecutionPlan.Value {
    switch value.storage {
    case .root(let root, let offset):
      ExecutionPlan.Value(
        type: value.type, location: .workspace(offset: roots[root].offset + offset))
    case .constant(let constant, let offset):
      ExecutionPlan.Value(type: value.type, location: .constant(constant, offset: offset))
    }
  }
}

/// Allocates places in a workspace, first fit, so that values never alive together share
/// memory.
struct WorkspaceLayout {
  private struct Block {
    let offset: Int
    let count: Int
  }

  // In order of their offsets.
  private var blocks: [Block] = []
  /// Elements the workspace must have.
  private(set) var count = 0

  /// Elements to whose multiples places are rounded: one cache line.
  private static let granule = Workspace.alignment / Tensor.stride

  /// Reserves room for `wanted` elements; returns its offset.
  mutating func take(_ wanted: Int) -> Int {
    let granules = (max(1, wanted) + WorkspaceLayout.granule - 1) / WorkspaceLayout.granule
    let wanted = granules * WorkspaceLayout.granule
    var offset = 0
    var index = 0
    while index < blocks.count, blocks[index].offset - offset < wanted {
      offset = blocks[index].offset + blocks[index].count
      index += 1
    }
    blocks.insert(Block(offset: offset, count: wanted), at: index)
    count = max(count, offset + wanted)
    return offset
  }

  /// Frees the room at an offset.
  mutating func give(_ offset: Int) { blocks.removeAll { $0.offset == offset } }
}
