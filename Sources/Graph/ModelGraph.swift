import Weights

/// A model for one batch size and length: inputs, operations in order, one output.
package struct ModelGraph: Sendable {
  /// A named input with its type.
  package struct Input: Hashable, Sendable {
    package let name: String
    package let type: ValueType
  }

  /// One operation, the name of the value it makes, and that value's type.
  package struct Node: Sendable {
    package let name: String
    package let operation: any Operation
    package let type: ValueType
  }

  package let inputs: [Input]
  /// Each reads only inputs and values of nodes before it.
  package let nodes: [Node]
  /// Name of the value the model returns.
  package let output: String
  package let outputType: ValueType

  /// Every weight the graph uses, once, in order of first use.
  package var weights: [WeightReference] {
    var seen: Set<TensorName> = []
    return weightUses.filter { seen.insert($0.name).inserted }
  }

  /// Every use of a weight, in order; uses of one weight may expect different shapes.
  package var weightUses: [WeightReference] {
    nodes.flatMap { $0.operation.operands }.compactMap {
      if case .weight(let reference) = $0.operand { reference } else { nil }
    }
  }
}

/// Builds a graph, inferring every type and refusing operands that do not fit.
package struct GraphBuilder {
  private var inputs: [ModelGraph.Input] = []
  private var nodes: [ModelGraph.Node] = []
  private var types: [String: ValueType] = [:]

  package init() {}

  /// Declares an input.
  package mutating func input(_ name: String, _ type: ValueType) -> Operand {
    precondition(types[name] == nil, "a value named \(name) is there already")
    inputs.append(ModelGraph.Input(name: name, type: type))
    types[name] = type
    return .value(name)
  }

  /// Appends an operation whose output gets `name`.
  package mutating func append(
    _ name: String, _ operation: any Operation
  ) throws(GraphError) -> Operand {
    func fault(_ reason: String) -> GraphError {
      GraphError(value: name, operation: operation.milName, reason: reason)
    }
    guard types[name] == nil else { throw fault("a value of this name is there already") }
    var inputTypes: [ValueType] = []
    for (parameter, operand) in operation.operands {
      guard let type = type(of: operand) else { throw fault("'\(parameter)' is not defined yet") }
      inputTypes.append(type)
    }
    do throws(ShapeFault) {
      let type = try operation.inferType(inputTypes)
      types[name] = type
      nodes.append(ModelGraph.Node(name: name, operation: operation, type: type))
    } catch {
      throw fault(error.reason)
    }
    return .value(name)
  }

  /// The type of anything an operation can read.
  package func type(of operand: Operand) -> ValueType? {
    switch operand {
    case .value(let name): types[name]
    case .weight(let reference): ValueType(.float32, reference.shape)
    case .literal(let literal): literal.type
    }
  }

  /// Ends the graph with the value it returns.
  package func finish(output: Operand) throws(GraphError) -> ModelGraph {
    guard case .value(let name) = output, let type = types[name] else {
      throw GraphError(value: "output", operation: "graph", reason: "the output is not a value")
    }
    return ModelGraph(inputs: inputs, nodes: nodes, output: name, outputType: type)
  }
}
