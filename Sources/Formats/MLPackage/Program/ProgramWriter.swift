import Graph
import StrictJSON
import WeightCompression
import Weights

/// Writes a graph as the operations of an ML Program.
///
/// Every value gets a precision: float16, but float32 where the graph, the operation's rule or an
/// operand asks for it; what meets another precision is cast.
struct ProgramWriter {
  let target: DeploymentTarget
  /// The type of computation where nothing asks for more.
  let half: MILDataType
  private let graph: ModelGraph
  private let shapes: FlexibleShapes
  let constants: ConstantWriter
  private(set) var operations: [MILOperation] = []
  /// By the name the graph uses.
  private var values: [String: ProgramValue] = [:]
  var taken: Set<String>
  private var usedWeightNames: Set<String> = []
  private var weights: [WeightReference: ProgramValue] = [:]
  /// The parts of split tables that are written already.
  var tables: [TensorName: TableParts] = [:]
  private var parameters: [ParameterKey: String] = [:]
  private var casts: [CastKey: ProgramValue] = [:]
  /// Numbers of the graph's own that are written already.
  var literals: [LiteralKey: ProgramValue] = [:]
  /// What the graph says about the node that is being written.
  private var stated: ValuePrecision?

  private struct ParameterKey: Hashable {
    let content: OperationParameter.Content
    let type: MILDataType
  }

  private struct CastKey: Hashable {
    let name: String
    let type: MILDataType
  }

  /// - Parameters:
  ///   - graph: for the longest input.
  ///   - shapes: which of its lengths are the caller's choice.
  ///   - floats: what is computed in where nothing asks for more.
  ///   - reserved: names that only inputs and outputs may have.
  init(
    _ graph: ModelGraph, shapes: FlexibleShapes, target: DeploymentTarget,
    floats: FloatType = .float16, reserved: [String], constants: ConstantWriter
  ) {
    half = floats == .float16 ? .float16 : .float32
    self.graph = graph
    self.shapes = shapes
    self.target = target
    taken = Set(reserved + constants.names + graph.inputs.map(\.name))
    self.constants = constants
    for input in graph.inputs {
      values[input.name] = ProgramValue(
        name: input.name, type: input.type.scalar == .int32 ? .int32 : .float32,
        shape: shapes.shape(of: input.name))
    }
  }

  /// Appends every operation of the graph.
  mutating func writeAll() throws {
    for node in graph.nodes {
      guard let operation = node.operation as? any CoreMLOperation else {
        throw CoreMLError.unknownOperation(operation: node.operation.milName, value: node.name)
      }
      stated = node.precision
      try operation.write(node, to: &self)
    }
  }
}

// Interface of operations for writing.
extension ProgramWriter {
  /// Appends an operation that has MIL's own operands and parameters.
  mutating func append(_ operation: any CoreMLOperation, _ node: ModelGraph.Node) throws {
    let precision = precision(of: operation)
    let inputs = try operation.operands.map { parameter, operand in
      (parameter, MILArgument.named(try value(operand, in: precision).name))
    }
    let shape = shapes.shape(of: node.name)
    let parameters = operation.parameters(shape, target)
    define(
      node.name,
      as: append(
        operation.milName, node.name, inputs, parameters, precision,
        result: (node.type.scalar.milType(precision), shape)))
  }

  /// Appends any operation.
  ///
  /// - Parameters:
  ///   - name: wished for its value; numbered when it is taken.
  ///   - precision: of its float parameters.
  mutating func append(
    _ type: String, _ name: String, _ inputs: [(String, MILArgument)],
    _ parameters: [OperationParameter], _ precision: MILDataType,
    result: (type: MILDataType, shape: [Int?])
  ) -> ProgramValue {
    let constants = parameters.map { parameter in
      (parameter.name, MILArgument.named(constant(parameter, name, precision)))
    }
    let value = ProgramValue(
      name: Identifier.claim(name, in: &taken), type: result.type, shape: result.shape)
    operations.append(
      MILOperation(
        type, inputs: inputs + constants,
        outputs: [(value.name, .tensor(value.type, value.shape))]))
    return value
  }

  /// Appends an operation that no one reads as a tensor.
  mutating func append(_ operation: MILOperation) { operations.append(operation) }

  /// Shape of a node's value; nil lengths are the caller's choice.
  func shape(of node: ModelGraph.Node) -> [Int?] { shapes.shape(of: node.name) }

  /// Gives a value the name of an output.
  mutating func rename(_ value: ProgramValue, to name: String) {
    operations.append(
      MILOperation(
        "identity", inputs: [("x", .named(value.name))],
        outputs: [(name, .tensor(value.type, value.shape))]))
  }

  /// Says which value of the program a value of the graph is.
  mutating func define(_ name: String, as value: ProgramValue) { values[name] = value }

  /// The precision an operation computes in: what the graph says, else by the operation's rule.
  func precision(of operation: any CoreMLOperation) -> MILDataType {
    if let stated { return stated == .full ? .float32 : half }
    return switch operation.precision {
    case .half: half
    case .full: .float32
    case .inherited: operation.operands.contains { $0.operand.isFull(values) } ? .float32 : half
    }
  }

  /// The name of an operand, cast to a precision if it holds floats.
  mutating func value(_ operand: Operand, in precision: MILDataType) throws -> ProgramValue {
    switch operand {
    case .value(let name):
      guard let value = values[name] else {
        throw CoreMLError.unknownOperation(operation: "value", value: name)
      }
      return cast(value, to: precision)
    case .weight(let reference): return cast(try weight(reference), to: precision)
    case .literal(.hiding): return literal(.float(MaskMending.hidden), precision)
    case .literal(let literal): return self.literal(literal, precision)
    }
  }

  /// The first rows of a table of positions as a constant.
  mutating func prefix(of reference: WeightReference, rows: Int) throws -> ProgramValue {
    try constant(of: reference, rows: rows)
  }

  /// Casts a value of floats.
  mutating func cast(_ value: ProgramValue, to type: MILDataType) -> ProgramValue {
    guard [.float16, .float32].contains(value.type), value.type != type else { return value }
    let key = CastKey(name: value.name, type: type)
    if let known = casts[key] { return known }
    let word = type == .float16 ? "fp16" : "fp32"
    let result = append(
      "cast", "\(value.name)_\(word)", [("x", .named(value.name))],
      [OperationParameter("dtype", .string(word))], type, result: (type, value.shape))
    casts[key] = result
    return result
  }

  /// The length that the caller chooses, as a vector of one integer.
  mutating func inputLength() -> ProgramValue? {
    guard let input = graph.inputs.first(where: { shapes.shape(of: $0.name).contains(nil) }),
      let axis = shapes.shape(of: input.name).firstIndex(of: nil)
    else { return nil }
    let shape = append(
      "shape", "\(input.name)_shape", [("x", .named(input.name))], [], .int32,
      result: (.int32, [input.type.shape.count]))
    return append(
      "slice_by_index", "\(input.name)_length", [("x", .named(shape.name))],
      [
        OperationParameter("begin", .ints([axis])), OperationParameter("end", .ints([axis + 1])),
      ], .int32, result: (.int32, [1]))
  }

  /// A constant parameter as a value, written once for all that share it.
  mutating func constant(
    _ parameter: OperationParameter, _ owner: String, _ precision: MILDataType
  ) -> String {
    var type = MILDataType.unused
    if case .float = parameter.content { type = precision }
    let key = ParameterKey(content: parameter.content, type: type)
    if let known = parameters[key] { return known }
    let name = constant(parameter.content.value(in: type), "\(owner)_\(parameter.name)")
    parameters[key] = name
    return name
  }

  /// Appends a constant.
  mutating func constant(_ value: MILValue, _ wish: String) -> String {
    let name = Identifier.claim(wish, in: &taken)
    operations.append(
      MILOperation("const", attributes: [("val", value)], outputs: [(name, value.type)]))
    return name
  }

  private mutating func weight(_ reference: WeightReference) throws -> ProgramValue {
    if let known = weights[reference] { return known }
    let value = try constant(of: reference)
    weights[reference] = value
    return value
  }

  private mutating func constant(
    of reference: WeightReference, rows: Int? = nil
  ) throws -> ProgramValue {
    let name = name(of: reference)
    let written = try constants.write(reference, name: name, rows: rows) {
      Identifier.claim($0, in: &taken)
    }
    operations += written.operations
    return written.value
  }

  // A weight's name is its own, which nothing else takes; a second shape of it gets another.
  private mutating func name(of reference: WeightReference) -> String {
    let identifier = constants.identifier(of: reference.name)
    return usedWeightNames.insert(identifier).inserted
      ? identifier : Identifier.claim(identifier, in: &taken)
  }
}
