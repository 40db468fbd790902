import StrictJSON

/// Makes steps of the operators of a graph, and runs each on a row of zeros as it comes, so that shapes and
/// types are known to agree.
struct ONNXGraphReader {
  /// Most columns of an input.
  static let widthLimit = 1 << 20

  let path: String
  let library: String
  /// Of the operators, by domain.
  let versions: [String: Int]
  /// The slot of each value, by its name.
  private var slots: [String: Int] = [:]
  /// What each slot holds on a row of zeros.
  private var values: [TabularColumn] = []
  /// Names of classes that the columns of a slot are known to have.
  private var labels: [Int: TreeLabels] = [:]
  private var constants: [Int: TabularColumn] = [:]
  private var inputs: [TabularInput] = []
  private var steps: [GraphStep] = []
  private var budget = TabularGraph.workLimit

  init(path: String, library: String, versions: [String: Int]) {
    self.path = path
    self.library = library
    self.versions = versions
  }

  mutating func read(_ graph: ONNXGraphProto) throws(TreeError) -> TabularGraph {
    guard graph.sparseInitializer.isEmpty else {
      throw fault("has sparse tensors, which are not supported")
    }
    for tensor in graph.initializer { try add(tensor) }
    for input in graph.input where constants[slots[input.name] ?? -1] == nil { try add(input) }
    guard !inputs.isEmpty else { throw fault("asks for no input") }
    for (number, node) in graph.node.enumerated() { try add(node, number) }
    let outputs = try outputs(graph)
    return TabularGraph(
      path: path, library: library, inputs: inputs, constants: constants, steps: steps,
      outputs: outputs, slotCount: values.count)
  }

  private func fault(_ text: String) -> TreeError { TreeError(path: path, fault: text) }

  /// Takes a name for a value.
  private mutating func name(
    _ name: String, _ value: TabularColumn, _ place: String
  ) throws(TreeError) -> Int {
    guard slots.updateValue(values.count, forKey: name) == nil else {
      throw fault("\(place) writes '\(name.prefix(60))', which is there already")
    }
    values.append(value)
    return values.count - 1
  }

  private mutating func add(_ tensor: ONNXTensorProto) throws(TreeError) {
    let place = "the tensor '\(tensor.name.prefix(60))'"
    let column = try ONNXTensor.column(tensor, path: path, place: place)
    constants[try name(tensor.name, column, place)] = column
  }

  private mutating func add(_ input: ONNXValueInfoProto) throws(TreeError) {
    let place = "the input '\(input.name.prefix(60))'"
    guard case .tensorType(let type)? = input.type.value else {
      throw fault("\(place) is not a tensor")
    }
    guard let kind = TabularType(onnx: Int(type.elemType)) else {
      throw fault("\(place) is of the type \(type.elemType), which is not supported")
    }
    let lengths = try type.shape.dim.enumerated().map { axis, length throws(TreeError) in
      guard case .dimValue(let value)? = length.value else {
        if axis == 0 { return 1 }
        throw fault(
          "\(place) does not say how many columns it has; convert the model with a number")
      }
      guard value == 1 || axis > 0 else {
        throw fault("\(place) takes \(value) rows at once, expected one or any number")
      }
      guard value > 0, value <= ONNXGraphReader.widthLimit else {
        throw fault("\(place) has \(value) columns, expected 1 to \(ONNXGraphReader.widthLimit)")
      }
      return Int(value)
    }
    guard lengths.count == 1 || lengths.count == 2 else {
      throw fault("\(place) has \(lengths.count) axes, expected rows and columns")
    }
    let slot = try name(
      input.name, TabularColumn(kind.zeros(lengths.reduce(1, *)), lengths), place)
    inputs.append(TabularInput(name: input.name, type: kind, shape: lengths, slot: slot))
  }

  private mutating func add(_ proto: ONNXNodeProto, _ number: Int) throws(TreeError) {
    let domain = proto.domain == "ai.onnx" ? "" : proto.domain
    let node = try ONNXNode(
      proto, number: number, version: versions[domain] ?? 0, path: path)
    guard let kind = ONNXOperator.all[node.domain]?[node.kind], proto.overload.isEmpty else {
      let domain = domain.isEmpty ? "" : " of '\(domain.prefix(60))'"
      throw node.fault(
        "the operator '\(node.kind.prefix(60))'\(domain) is not supported; leave it out of the pipeline before it is "
          + "converted, or save the estimator alone")
    }
    guard kind.versions.contains(node.version) else {
      throw node.fault("has version \(node.version) of its domain, supported are \(kind.versions)")
    }
    let inputs = try readSlots(proto, node)
    let given = inputs.map { $0.map { values[$0] } }
    guard kind.inputs.contains(given.count), given.first.map({ $0 != nil }) ?? true else {
      throw node.fault("has \(Figures.count(given.count, "input")), expected \(kind.inputs)")
    }
    if node.kind == "Constant" {
      let column = try ONNXOperator.constant(node)
      let slot = try name(proto.output.first ?? "", column, node.place)
      constants[slot] = column
      return
    }
    try node.knows(kind.attributes)
    let operation = try kind.make(node, given)
    let step = GraphStep(place: node.place, operation: operation, inputs: inputs, outputs: [])
    try run(step, given, proto.output)
  }

  private func readSlots(
    _ proto: ONNXNodeProto, _ node: ONNXNode
  ) throws(TreeError) -> [Int?] {
    try proto.input.map { name throws(TreeError) in
      if name.isEmpty { return nil }
      guard let slot = slots[name] else {
        throw node.fault(
          "reads '\(name.prefix(60))', which nothing before it writes: operators form a cycle, "
            + "or not in order")
      }
      return slot
    }
  }

  /// Runs a step on what a row of zeros gave so far, and keeps it.
  private mutating func run(
    _ step: GraphStep, _ given: [TabularColumn?], _ names: [String]
  ) throws(TreeError) {
    let runner = StepRunner(path: path, place: step.place, isTrial: true)
    budget -= cost(of: step.operation, given)
    guard budget >= 0 else {
      throw runner.fault("the graph computes more than \(TabularGraph.workLimit) numbers for a row")
    }
    let results = try runner.run(step.operation, given)
    budget -= results.reduce(0) { $0 + $1.count }
    guard !names.isEmpty, names.count <= results.count else {
      throw runner.fault(
        "has \(Figures.count(names.count, "output")), expected 1 to \(results.count)")
    }
    var outputs: [Int?] = []
    for (name, result) in zip(names, results) {
      outputs.append(name.isEmpty ? nil : try self.name(name, result, step.place))
    }
    noteLabels(step, outputs)
    steps.append(
      GraphStep(
        place: step.place, operation: step.operation, inputs: step.inputs, outputs: outputs))
  }

  /// Numbers that a step reads or multiplies.
  private func cost(of operation: TabularOperation, _ given: [TabularColumn?]) -> Int {
    let read = given.reduce(1) { $0 + ($1?.count ?? 0) }
    switch operation {
    case .matrixProduct, .affine:
      guard given.count > 1, let x = given[0], let y = given[1] else { return read }
      return read + x.count / max(1, x.width) * y.count
    default: return read
    }
  }

  /// Notes which columns are numbers of classes.
  private mutating func noteLabels(_ step: GraphStep, _ outputs: [Int?]) {
    switch step.operation {
    case .nameClasses(let names): if let slot = outputs[0] { labels[slot] = names }
    case .trees(let trees):
      if let classes = trees.classes, outputs.count == 2, let slot = outputs[1] {
        labels[slot] = classes.labels
      }
    case .linear(let linear):
      if let names = linear.labels, outputs.count == 2, let slot = outputs[1],
        values[slot].width == names.count
      {
        labels[slot] = names
      }
    case .normalizer, .unary(.same), .binary, .cast:
      if let input = step.inputs[0], let slot = outputs[0],
        values[slot].shape == values[input].shape
      {
        labels[slot] = labels[input]
      }
    default: break
    }
  }

  private func outputs(_ graph: ONNXGraphProto) throws(TreeError) -> [TabularOutput] {
    guard !graph.output.isEmpty else { throw fault("has no outputs") }
    let slots = try graph.output.map { output throws(TreeError) in
      guard let slot = self.slots[output.name] else {
        throw fault("the output '\(output.name.prefix(60))' is written by nothing")
      }
      if case .tensorType(let type)? = output.type.value,
        let kind = TabularType(onnx: Int(type.elemType)),
        kind != values[slot].type
      {
        throw fault(
          "the output '\(output.name.prefix(60))' is said to be \(kind), but is \(values[slot].type)"
        )
      }
      return slot
    }
    let isLabel = slots.map { [.string, .int64, .int32].contains(values[$0].type) }
    let isLabelled = isLabel.count { $0 } == 1 && slots.count == 2
    return slots.indices.map { place in
      let kind: TabularOutput.Kind =
        if isLabel[place] {
          .label
        } else if isLabelled || labels[slots[place]] != nil {
          .probabilities(labels[slots[place]])
        } else {
          .numbers
        }
      return TabularOutput(name: graph.output[place].name, slot: slots[place], kind: kind)
    }
  }
}

extension TabularType {
  /// - Parameter number: that of TensorProto.DataType.
  init?(onnx number: Int) {
    switch ONNXTensorProto.DataType(rawValue: number) {
    case .float: self = .float
    case .double: self = .double
    case .int32: self = .int32
    case .int64: self = .int64
    case .bool: self = .bool
    case .string: self = .string
    default: return nil
    }
  }

  func zeros(_ count: Int) -> TabularColumn.Elements {
    switch self {
    case .float: .floats([Float](repeating: 0, count: count))
    case .double: .doubles([Double](repeating: 0, count: count))
    case .int32: .shorts([Int32](repeating: 0, count: count))
    case .int64: .integers([Int64](repeating: 0, count: count))
    case .bool: .booleans([Bool](repeating: false, count: count))
    case .string: .texts([String](repeating: "", count: count))
    }
  }
}
