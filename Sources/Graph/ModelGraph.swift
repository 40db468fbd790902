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
    /// In which precision a device computes it; nil where the operation and its operands decide.
    package let precision: ValuePrecision?
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

/// How a device computes a value of floats that its operation could compute in two ways.
package enum ValuePrecision: Hashable, Sendable {
  /// In the precision of most of the program, usually float16.
  case half
  /// In float32, because float16 ends at 65504.
  case full
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
  ///
  /// - Parameter precision: in which a device computes it, if that does not follow from operation
  ///   and operands.
  package mutating func append(
    _ name: String, _ operation: any Operation, precision: ValuePrecision? = nil
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
      nodes.append(
        ModelGraph.Node(name: name, operation: operation, type: type, precision: precision))
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

/// One operation of Core ML's MIL, with MIL's name, parameters and semantics.
///
/// An operation is a plain value. A parameter that MIL requires to be constant (axes, flags,
/// shapes) is a Swift property; one that may be computed is an `Operand`. A new operation is one
/// file here and one in each stage that handles it.
package protocol Operation: Equatable, Sendable {
  /// The operation's name in MIL, such as `layer_norm`.
  var milName: String { get }
  /// Its inputs, each with MIL's parameter name.
  var operands: [(parameter: String, operand: Operand)] { get }
  /// The type of its one output.
  ///
  /// - Parameter inputs: types of `operands`, in that order.
  func inferType(_ inputs: [ValueType]) throws(ShapeFault) -> ValueType
}

/// Why an operation cannot take its inputs; `GraphBuilder` adds which operation it was.
package struct ShapeFault: Error, Equatable {
  package let reason: String

  package init(_ reason: String) { self.reason = reason }
}

/// A fault of a graph, naming the value, the operation and the shapes that disagree.
package struct GraphError: Error, Equatable, CustomStringConvertible {
  /// Name of the value that could not be made.
  package let value: String
  package let operation: String
  package let reason: String

  package init(value: String, operation: String, reason: String) {
    self.value = value
    self.operation = operation
    self.reason = reason
  }

  package var description: String { "\(operation) '\(value)': \(reason)" }
}
