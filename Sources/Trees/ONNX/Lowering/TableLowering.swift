/// Makes steps of a graph: what shapes, places and names of classes say is worked out here, and only what is
/// computed of a row becomes a step.
struct TableLowering {
  let graph: TabularGraph
  /// By the number of a source; the first are the features.
  var sources: [(name: String, width: Int)] = []
  var steps: [TableStep] = []
  var arrays: [Table.Numbers] = []
  var trees: [(step: String, ensemble: TreeEnsemble)] = []
  /// What each slot holds, as far as it is needed.
  var values: [Int: GraphValue] = [:]
  var inputs: [TreeFeature] = []
  /// Of each feature of texts its categories so far.
  var categories: [Int: [String]] = [:]
  /// Of a source the elements that have the order of its columns in every row.
  var sameOrder: [Int: [LoweredElement]] = [:]
  /// Of a source of one sum the numbers that it adds up, none of them negative.
  var sums: [Int: [LoweredElement]] = [:]
  /// Sources of two columns, one the other below zero.
  var opposites: Set<Int> = []
  /// Sources whose numbers lie between 0 and 1.
  var shares: Set<Int> = []
  var rules: [Int: LabelRule] = [:]
  /// Steps that were made of the same elements before.
  var made: [[LoweredElement]: TableStep.Operand] = [:]
  /// Elements of values that may still be made.
  private var budget: Int
  /// The step of the graph that is being lowered.
  var place = ""

  /// - Throws: `TreeError` with the operator that no step computes.
  static func table(of graph: TabularGraph) throws(TreeError) -> Table {
    var lowering = TableLowering(graph: graph)
    return try lowering.table()
  }

  private init(graph: TabularGraph) {
    self.graph = graph
    budget = graph.numberLimit
  }

  private mutating func table() throws(TreeError) -> Table {
    nameInputs()
    for (slot, constant) in graph.constants { values[slot] = .constant(constant) }
    let numbers = graph.outputs.filter { $0.kind != .label }
    let needed = try needed(for: numbers)
    for (step, isNeeded) in zip(graph.steps, needed) {
      place = step.place
      if isNeeded {
        try lower(step)
        try charge(step)
      }
      try noteRules(step)
    }
    place = "the output"
    return try finish(numbers)
  }

  private mutating func charge(_ step: GraphStep) throws(TreeError) {
    for slot in step.outputs {
      guard let slot, case .lowered(let value)? = values[slot] else { continue }
      try require(value.elements.count)
      budget -= value.elements.count
    }
  }

  /// Refuses numbers of a step that are too many, before they are made.
  func require(_ count: Int) throws(TreeError) {
    guard count <= budget else {
      let limit = graph.numberLimit
      throw fault(
        "makes \(count) numbers for a row, and the steps before it \(limit - budget); a file of this size may make "
          + "\(limit): leave out columns or categories that the model does not use")
    }
  }

  /// Features, one for each number of a row, with the source 0.
  private mutating func nameInputs() {
    var taken: Set<String> = []
    for input in graph.inputs {
      let first = inputs.count
      for place in 0..<input.count {
        var name =
          graph.inputs.count == 1
          ? "f\(place)" : input.count == 1 ? input.name : "\(input.name)_\(place)"
        while !taken.insert(name).inserted { name += "_" }
        let kind: TreeFeature.Kind =
          switch input.type {
          case .string: .category(names: [])
          case .bool: .boolean
          default: .number
          }
        if input.type == .string { categories[inputs.count] = [] }
        inputs.append(TreeFeature(name, kind))
      }
      values[input.slot] = .lowered(
        LoweredValue(
          elements: (first..<inputs.count).map { .column(source: 0, place: $0) },
          shape: input.shape, type: input.type))
    }
    sources = [(TableProgram.features, inputs.count)]
  }

  /// Of each step of the graph whether an output needs it.
  private func needed(for outputs: [TabularOutput]) throws(TreeError) -> [Bool] {
    guard !outputs.isEmpty else {
      throw TreeError(
        path: graph.path,
        fault: "gives labels without numbers; convert the model so that it gives scores, too")
    }
    var slots = Set(outputs.map(\.slot))
    var needed = [Bool](repeating: false, count: graph.steps.count)
    for (number, step) in graph.steps.enumerated().reversed()
    where step.outputs.contains(where: { $0.map(slots.contains) ?? false }) {
      needed[number] = true
      slots.formUnion(step.inputs.compactMap { $0 })
    }
    return needed
  }

  func fault(_ text: String) -> TreeError {
    TreeError(path: graph.path, fault: "\(place): \(text)")
  }

  /// What no step computes.
  func unknown(_ words: String) -> TreeError {
    fault(
      "no step of a model of tables computes \(words); leave it out of the pipeline before it is converted, or "
        + "save the estimator alone")
  }

  var runner: StepRunner { StepRunner(path: graph.path, place: place) }
}
