import Graph

/// A graph that ran once with every value kept, so that gradients can be taken back through it, any
/// number of times.
///
/// Runs on one thread, operation by operation, and takes as much memory as all values together. Each
/// thread needs a tape of its own.
///
/// Source: reverse accumulation (Linnainmaa 1970), as any library for training has it.
package struct Tape {
  fileprivate struct Step {
    let place: ExecutionError.Place
    let operation: any ReversibleOperation
    let inputs: [Source]
    let output: String
  }

  fileprivate enum Source {
    case value(String)
    case constant(Constant, ValueType)
  }

  private let steps: [Step]
  private let values: [String: Numbers]
  private let output: String

  /// Runs a graph.
  ///
  /// - Parameter inputs: a value for every input of the graph, by name, of the types it has.
  /// - Throws: `ExecutionError`, or errors of the weight source.
  init(_ graph: ModelGraph, inputs: [String: InputValues], weights: WeightStore) throws {
    var values: [String: Numbers] = [:]
    for input in graph.inputs {
      guard let given = inputs[input.name] else {
        throw ExecutionError.missingInput(input.name, input.type)
      }
      try given.check(input.name, input.type)
      values[input.name] = Numbers(input.type, given)
    }
    var steps: [Step] = []
    for node in graph.nodes {
      let place = ExecutionError.Place(operation: node.operation.milName, value: node.name)
      guard let operation = node.operation as? any ReversibleOperation else {
        throw ExecutionError.noGradient(place)
      }
      let sources = try node.operation.operands.map { operand in
        try Source(operand.operand, weights, place)
      }
      let step = Step(place: place, operation: operation, inputs: sources, output: node.name)
      values[node.name] = try step.run(values, node.type)
      steps.append(step)
    }
    (self.steps, self.values, output) = (steps, values, graph.output)
  }

  /// The numbers of an input or value, row-major, whole numbers as floats; none for a name that the
  /// graph has not.
  package subscript(name: String) -> [Float] { values[name]?.floats ?? [] }

  /// The numbers of the graph's output.
  package var result: [Float] { self[output] }

  /// The gradients of a weighted sum of the output's numbers.
  ///
  /// - Parameters:
  ///   - wanted: values, by name.
  ///   - seed: the weight of each number of the output, row-major.
  /// - Returns: for each value the derivative by each of its numbers, zeros where the output does not
  ///   depend on it.
  /// - Throws: `ExecutionError`.
  package func gradients(
    of wanted: Set<String>, seed: [Float]
  ) throws(ExecutionError) -> [String: [Float]] {
    let needed = dependents(of: wanted)
    var gradients: [String: Numbers] = [:]
    for name in needed {
      guard let type = values[name]?.type, type.scalar == .float32 else { continue }
      gradients[name] = Numbers(type)
    }
    gradients[output]?.add(seed)
    for step in steps.reversed() {
      guard let gradient = gradients[step.output] else { continue }
      try step.reverse(values, gradient, gradients)
      if !wanted.contains(step.output) { gradients[step.output] = nil }
    }
    return gradients.filter { wanted.contains($0.key) }.mapValues(\.floats)
  }

  /// The values that others are made from, and these.
  private func dependents(of wanted: Set<String>) -> Set<String> {
    var needed = wanted
    for step in steps where step.inputs.contains(where: { $0.isValue(among: needed) }) {
      needed.insert(step.output)
    }
    return needed
  }
}

extension Tape.Source {
  fileprivate init(
    _ operand: Operand, _ weights: WeightStore, _ place: ExecutionError.Place
  ) throws {
    self =
      switch operand {
      case .value(let name): .value(name)
      case .weight(let reference):
        .constant(
          try weights.constant([reference], .asStored, for: place),
          ValueType(.float32, reference.shape))
      case .literal(let literal): .constant(Constant(literal), literal.type)
      }
  }

  fileprivate func isValue(among names: Set<String>) -> Bool {
    if case .value(let name) = self { names.contains(name) } else { false }
  }

  /// Nil for a value that does not exist; a graph has none.
  fileprivate func tensor(_ values: [String: Numbers]) -> Tensor? {
    switch self {
    case .value(let name): values[name]?.tensor
    case .constant(let constant, let type): constant.tensor(type, offset: 0)
    }
  }
}

extension Tape.Step {
  /// What the operation makes.
  fileprivate func run(
    _ values: [String: Numbers], _ type: ValueType
  ) throws(ExecutionError) -> Numbers {
    let inputs = inputs.compactMap { $0.tensor(values) }
    let result = Numbers(type)
    try withScratch(operation.scratchCount(inputs.map(\.type), type)) {
      context throws(KernelFault) in
      try operation.execute(inputs, into: result.tensor, context)
    }
    return result
  }

  /// Adds to the gradients of the inputs what comes back through the output.
  fileprivate func reverse(
    _ values: [String: Numbers], _ gradient: Numbers, _ gradients: [String: Numbers]
  ) throws(ExecutionError) {
    guard let output = values[self.output]?.tensor else { return }
    let tensors = inputs.compactMap { $0.tensor(values) }
    let wanted = inputs.map { source in
      if case .value(let name) = source { gradients[name]?.tensor } else { nil as Tensor? }
    }
    guard wanted.contains(where: { $0 != nil }) else { return }
    try withScratch(operation.reverseScratchCount(tensors.map(\.type), output.type)) {
      context throws(KernelFault) in
      try operation.reverse(
        ReverseStep(
          inputs: tensors, output: output, gradient: gradient.tensor, gradients: wanted,
          context: context))
    }
  }

  private func withScratch(
    _ count: Int, _ work: (KernelContext) throws(KernelFault) -> Void
  ) throws(ExecutionError) {
    let scratch = Numbers(ValueType(.float32, [max(1, count)]))
    do throws(KernelFault) {
      try unsafe work(
        KernelContext(threads: 1, scratch: scratch.tensor.floats))
    } catch {
      throw error.error(at: place)
    }
  }
}
