import Trees
import Weights

/// Builds the graph of steps.
struct TableGraph {
  var graph = GraphBuilder()
  private var values: [String: Operand] = [:]
  /// What makes a row no number that a norm does not measure.
  private var unmeasured: [Operand] = []
  let batch: Int

  private init(batch: Int) { self.batch = batch }

  static func build(
    _ steps: [PlacedStep], featureCount: Int, returned: String, batch: Int
  ) throws(GraphError) -> ModelGraph {
    var table = TableGraph(batch: batch)
    table.values[TableProgram.features] = table.graph.input(
      TableProgram.features, ValueType(.float32, [batch, featureCount]))
    for step in steps { table.values[step.step.name] = try table.append(step) }
    guard var output = table.values[returned] else {
      throw GraphError(value: returned, operation: "graph", reason: "no step makes it")
    }
    for (place, fault) in table.unmeasured.enumerated() {
      output = try table.graph.append("measured.\(place)", ElementwiseBinary(.add, output, fault))
    }
    return try table.graph.finish(output: output)
  }

  func fault(_ step: TableStep, _ reason: String) -> GraphError {
    GraphError(value: step.name, operation: step.kind.rawValue, reason: reason)
  }

  /// Columns of an operand.
  func width(_ operand: Operand) -> Int { graph.type(of: operand)?.shape.last ?? 1 }

  private mutating func append(_ placed: PlacedStep) throws(GraphError) -> Operand {
    let step = placed.step
    var inputs: [Operand] = []
    for (input, array) in zip(step.inputs, placed.arrays) {
      if let array {
        inputs.append(.weight(array))
      } else if case .value(let name) = input, let value = values[name] {
        inputs.append(value)
      } else {
        throw fault(step, "reads what no earlier step makes")
      }
    }
    return try append(placed, inputs)
  }

  private mutating func append(
    _ placed: PlacedStep, _ inputs: [Operand]
  ) throws(GraphError) -> Operand {
    let (step, name, x) = (placed.step, placed.step.name, inputs[0])
    switch step.kind {
    case .columns: return try columns(step, x)
    case .join: return try join(step, inputs)
    case .numbers:
      let row = try graph.append("\(name).row", Reshape(x, shape: [1, width(x)]))
      return try graph.append(name, Tile(row, repetitions: [batch, 1]))
    case .linear:
      return try graph.append(
        name, Linear(x, weight: inputs[1], bias: inputs.count > 2 ? inputs[2] : nil))
    case .trees: return try trees(placed, x)
    case .add, .subtract, .multiply, .divide, .larger: return try pair(step, inputs)
    case .equal, .less, .atLeast: return try comparison(step, inputs)
    case .choose: return try choose(step, inputs)
    case .matches: return try matches(step, inputs)
    case .relu: return try graph.append(name, ElementwiseUnary(.relu, x))
    case .sigmoid: return try graph.append(name, ElementwiseUnary(.sigmoid, x))
    case .tanh: return try graph.append(name, ElementwiseUnary(.tanh, x))
    case .squareRoot: return try graph.append(name, ElementwiseUnary(.sqrt, x))
    case .exponential: return try exponential(name, x)
    case .truncate:
      let whole = try graph.append("\(name).whole", Cast(x, to: .int32))
      return try graph.append(name, Cast(whole, to: .float32))
    case .l1: return try divided(x, by: .l1, name)
    case .l2: return try divided(x, by: .l2, name)
    case .sum: return try reduce(.sum, step, x)
    case .mean: return try reduce(.mean, step, x)
    case .largest: return try reduce(.max, step, x)
    case .place: return try place(step, x)
    case .softmax:
      let groups = try groups(step, x)
      let shares = try graph.append("\(name).shares", Softmax(groups))
      return try graph.append(name, Reshape(shares, shape: [batch, width(x)]))
    }
  }

  private mutating func divided(
    _ x: Operand, by norm: Dense.Norm, _ name: String
  ) throws(GraphError) -> Operand {
    unmeasured.append(try graph.append(unmeasured: x, by: norm, "\(name).unmeasured"))
    return norm == .l1
      ? try graph.append(.l1, of: x, name, prefix: "\(name).") : try divided(byLength: x, name)
  }

  private mutating func pair(_ step: TableStep, _ inputs: [Operand]) throws(GraphError) -> Operand {
    try requireColumn(step, inputs)
    let kind: ElementwiseBinary.Kind =
      switch step.kind {
      case .add: .add
      case .subtract: .sub
      case .multiply: .mul
      case .divide: .realDivision
      default: .maximum
      }
    return try graph.append(step.name, ElementwiseBinary(kind, inputs[0], inputs[1]))
  }

  private mutating func comparison(
    _ step: TableStep, _ inputs: [Operand]
  ) throws(GraphError) -> Operand {
    try requireColumn(step, inputs)
    let kind: Comparison.Kind =
      switch step.kind {
      case .equal: .equal
      case .less: .less
      default: .greaterOrEqual
      }
    let holds = try graph.append("\(step.name).holds", Comparison(kind, inputs[0], inputs[1]))
    return try graph.append(step.name, Cast(holds, to: .float32))
  }

  /// Arrays alone have no rows.
  func requireColumn(_ step: TableStep, _ inputs: [Operand]) throws(GraphError) {
    for input in inputs { if case .value = input { return } }
    throw fault(step, "reads only arrays, expected a step")
  }

  private mutating func choose(
    _ step: TableStep, _ inputs: [Operand]
  ) throws(GraphError) -> Operand {
    try requireColumn(step, [inputs[0]])
    let holds = try graph.append("\(step.name).holds", Cast(inputs[0], to: .bool))
    return try graph.append(step.name, Select(holds, inputs[1], else: inputs[2]))
  }

  private mutating func matches(
    _ step: TableStep, _ inputs: [Operand]
  ) throws(GraphError) -> Operand {
    try requireColumn(step, [inputs[0]])
    let (name, columns, keys) = (step.name, width(inputs[0]), width(inputs[1]))
    let each = try graph.append(
      "\(name).each", Reshape(inputs[0], shape: [batch, columns, 1]))
    let holds = try graph.append("\(name).holds", Comparison(.equal, each, inputs[1]))
    let numbers = try graph.append("\(name).numbers", Cast(holds, to: .float32))
    return try graph.append(name, Reshape(numbers, shape: [batch, columns * keys]))
  }
}
