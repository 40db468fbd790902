import Graph

/// A graph on its way to a plan: steps that fusions may rewrite.
struct Draft {
  /// An input of a step.
  enum Source: Hashable {
    case value(String)
    case weights([WeightReference], WeightStore.Layout)
    case literal(Literal)
  }

  struct Step {
    var place: ExecutionError.Place
    var kernel: any Kernel
    var inputs: [Source]
    var type: ValueType

    /// With what its kernel makes of weights itself.
    func prepared(_ weights: WeightStore) throws -> Step {
      var step = self
      step.kernel = try kernel.prepared(weights, for: place)
      return step
    }
  }

  private(set) var steps: [Step]
  let output: String
  private let inputTypes: [String: ValueType]
  // The step that makes a value and the steps that read it, as of the last `removeUnused`.
  private var producers: [String: Int] = [:]
  private var readers: [String: [Int]] = [:]
  // Whether a step is another one than at the last `removeUnused`.
  private var isChanged = true

  /// - Throws: `ExecutionError.unknownOperation` for an operation that cannot be executed.
  init(_ graph: ModelGraph) throws(ExecutionError) {
    var steps: [Step] = []
    for node in graph.nodes {
      let place = ExecutionError.Place(operation: node.operation.milName, value: node.name)
      guard let kernel = node.operation as? any ExecutableOperation else {
        throw .unknownOperation(place)
      }
      let inputs = kernel.executedOperands.map(Source.init)
      steps.append(Step(place: place, kernel: kernel, inputs: inputs, type: node.type))
    }
    self.steps = steps
    output = graph.output
    inputTypes = Dictionary(graph.inputs.map { ($0.name, $0.type) }) { first, _ in first }
    removeUnused()
  }

  /// Index of the step that makes a value, nil for a graph input and for constants.
  func producer(of source: Source) -> Int? {
    guard case .value(let name) = source else { return nil }
    return producers[name]
  }

  /// The only step that reads a step's value, nil if several do or it is the output.
  func onlyReader(of step: Int) -> Int? {
    let name = steps[step].place.value
    guard name != output, let all = readers[name], all.count == 1 else { return nil }
    return all[0]
  }

  /// Type of a step's input.
  func type(of source: Source) -> ValueType {
    switch source {
    case .value(let name):
      producers[name].map { steps[$0].type } ?? inputTypes[name] ?? ValueType(.float32, [])
    case .weights(let references, _): ValueType(.float32, references[0].shape)
    case .literal(let literal): literal.type
    }
  }

  /// Puts another step in a step's place; call `removeUnused` when done.
  mutating func replace(_ index: Int, with step: Step) {
    steps[index] = step
    isChanged = true
  }

  /// Drops steps whose values no one reads.
  mutating func removeUnused() {
    guard isChanged else { return }
    isChanged = false
    var needed: Set<String> = [output]
    var kept: [Step] = []
    for step in steps.reversed() where needed.contains(step.place.value) {
      kept.append(step)
      for case .value(let name) in step.inputs { needed.insert(name) }
    }
    steps = kept.reversed()
    producers = [:]
    readers = [:]
    for (index, step) in steps.enumerated() {
      producers[step.place.value] = index
      for case .value(let name) in step.inputs { readers[name, default: []].append(index) }
    }
  }
}

extension Draft.Source {
  init(_ operand: Operand) {
    self =
      switch operand {
      case .value(let name): .value(name)
      case .weight(let reference): .weights([reference], .asStored)
      case .literal(let literal): .literal(literal)
      }
  }
}
