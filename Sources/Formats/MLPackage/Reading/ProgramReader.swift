import Graph
import Weights

/// Reads the operations of a program as a graph of Ingot's, for one length of its input.
///
/// Nothing is guessed: an operation that is not known is named with the value it makes, and what
/// the program declares of a value must be what the operation gives.
struct ProgramReader {
  private var graph = GraphBuilder()
  private var float16Values: Set<String> = []
  private var integerLimit = Int(Int32.max) + 1
  /// Names of values that are integers of fewer than 32 bits somewhere.
  private var narrowValues: Set<String> = []
  var values: [String: ReadValue] = [:]
  /// Names of numbers that are not finite, by the place where they are read.
  var oddNumbers: [ConstantPlace: String] = [:]
  var constants: ConstantReader
  private let function: MILFunction
  let block: MILBlock

  /// Most elements of a value that is computed: a gibibyte of floats.
  private static let maxElements = 1 << 28

  /// A program as it was read.
  struct Result {
    let graph: ModelGraph
    /// Every constant of floats with at least one axis, by name.
    let constants: [String: WeightConstant]
    /// Names of values that the program declares as float16 somewhere.
    let float16Values: Set<String>
    /// Integers from here on do not fit every value of integers.
    let integerLimit: Int
    /// Labels, where the program ends in `classify`.
    let labels: ClassLabels?
    /// Names of constants that hid keys by −∞ and now do so by a finite number.
    let mendedMasks: Set<String>
    /// Numbers of the program that are not finite and hide nothing.
    let faults: [ConstantFault]
  }

  init(_ function: MILFunction, _ block: MILBlock, blobs: BlobFiles) {
    self.function = function
    self.block = block
    constants = ConstantReader(blobs)
  }

  /// - Parameter length: the length to use for inputs that the program leaves open.
  /// - Throws: `GraphError` naming an operation, or `CoreMLError` of a weight file.
  mutating func read(length: Int) throws -> Result {
    for input in function.inputs { try declare(input, length: length) }
    var labels: ClassLabels?
    for operation in block.operations {
      guard labels == nil else {
        throw fault(operation, "comes behind 'classify', which must come last")
      }
      labels = try read(operation)
    }
    let output = try self.output(isClassifier: labels != nil)
    let tables = try SplitTables(
      try self.graph.finish(output: output), constants.stored, names: Set(values.keys),
      narrow: narrowValues)
    for table in tables.joined { constants.join(table) }
    let graph = tables.graph
    let masks = try MaskMending(graph, numbers: oddNumbers, constants: constants.stored)
    return Result(
      graph: masks.graph, constants: constants.constants(usedBy: graph),
      float16Values: float16Values.subtracting(tables.removed), integerLimit: integerLimit,
      labels: labels, mendedMasks: masks.mended, faults: masks.faults)
  }

  private mutating func declare(_ input: MILNamedValueType, length: Int) throws {
    let tensor = input.type.tensorType
    guard let scalar = tensor.dataType.scalar else {
      throw GraphError(
        value: input.name, operation: "input",
        reason: "is \(tensor.dataType.word), which is not known")
    }
    let shape = try tensor.dimensions.map { dimension throws(GraphError) -> Int in
      guard case .constant(let constant) = dimension.dimension else { return length }
      guard constant.size <= 1 << 30 else {
        throw GraphError(
          value: input.name, operation: "input", reason: "has an axis of \(constant.size)")
      }
      return Int(constant.size)
    }
    if let fault = ProgramReader.sizeFault(shape) {
      throw GraphError(value: input.name, operation: "input", reason: fault)
    }
    if tensor.dataType.bitWidth < 32 { narrowValues.insert(input.name) }
    try define(input.name, .computed(input.name, ValueType(scalar, shape)), "input")
    _ = graph.input(input.name, ValueType(scalar, shape))
  }

  private static func sizeFault(_ shape: [Int]) -> String? {
    guard let count = CheckedSize.elementCount(of: shape), count <= maxElements else {
      return "has the shape \(shape), at most \(maxElements) elements are computed"
    }
    return nil
  }

  private mutating func define(_ name: String, _ value: ReadValue, _ type: String) throws {
    guard Identifier.isValid(name) else {
      throw GraphError(value: name, operation: type, reason: "is not a valid name")
    }
    guard values.updateValue(value, forKey: name) == nil else {
      throw GraphError(
        value: name, operation: type, reason: "a value of this name is there already")
    }
  }

  /// The error for a fault in an operation.
  func fault(_ operation: MILOperation, _ reason: String) -> GraphError {
    GraphError(
      value: operation.outputs.first?.name ?? "", operation: operation.type, reason: reason)
  }

  // Gives labels for `classify`, nil for everything else.
  private mutating func read(_ operation: MILOperation) throws -> ClassLabels? {
    guard let output = operation.outputs.first else { throw fault(operation, "makes no value") }
    try requireKnown(operation)
    guard operation.blocks.isEmpty else { throw fault(operation, "holds blocks of its own") }
    if ConstantReader.makesSparse(operation) {
      try constants.readSparse(operation)
      for output in operation.outputs { try define(output.name, .sparsePart, operation.type) }
      return nil
    }
    if ConstantReader.makesConstant(operation) {
      guard operation.outputs.count == 1 else { throw fault(operation, "makes several values") }
      let constant = try constants.read(operation, name: output.name)
      try define(output.name, constant, operation.type)
      return nil
    }
    let source = OperationReader(
      type: operation.type, value: output.name, bindings: try bindings(of: operation))
    if operation.type == "classify" { return try classify(source, operation) }
    guard operation.outputs.count == 1 else { throw fault(operation, "makes several values") }
    if let known = try KnownIntegers.compute(source) ?? twoClasses(source) {
      try define(output.name, known, operation.type)
      return nil
    }
    try compute(source, output)
    return nil
  }

  // Before anything else is said of an operation: how it is used is beside the point where it is not
  // known at all.
  private func requireKnown(_ operation: MILOperation) throws(GraphError) {
    let others = ["shape", "identity", "classify"]
    let isKnown =
      CoreMLOperations.byName[operation.type] != nil || others.contains(operation.type)
      || ConstantReader.makesConstant(operation)
    guard !isKnown else { return }
    throw fault(
      operation,
      "is not known; known: "
        + CoreMLOperations.byName.keys.sorted().joined(separator: ", "))
  }

  private mutating func compute(_ source: OperationReader, _ output: MILNamedValueType) throws {
    var result = ReadResult.same(.literal(.float(0)))
    if source.type == "identity" {
      result = .same(try source.operand("x"))
    } else {
      guard let type = CoreMLOperations.byName[source.type] else {
        throw source.fault("is known of computed values only")
      }
      result = try type.read(source)
    }
    let operand: Operand
    switch result {
    case .same(let same): operand = same
    case .operation(let operation):
      operand = try graph.append(output.name, operation)
      if let rest = operation as? ElementwiseBinary, rest.isComplement,
        case .value(let name) = rest.y
      {
        complements[output.name] = name
      }
    }
    guard let type = graph.type(of: operand) else { throw source.fault("reads what is not there") }
    if case .value = operand, let fault = ProgramReader.sizeFault(type.shape) {
      throw source.fault(fault)
    }
    try check(type, output.type.tensorType, source)
    try checkRange(of: operand, output.type.tensorType.dataType, source)
    switch operand {
    case .value(let name):
      // A cast makes no new value here, but the value it casts must fit.
      if output.type.tensorType.dataType == .float16 { float16Values.insert(name) }
      try define(output.name, .computed(name, type), source.type)
    case .weight(let reference):
      let role = reference.role == .number ? WeightRole.number : nil
      try define(
        output.name, .weight(reference.name.text, shape: reference.shape, role: role), source.type)
    case .literal(.integers(let values, let shape)):
      try define(output.name, .integers(values, shape: shape), source.type)
    case .literal(.floats(let values, let shape)):
      guard shape.isEmpty, let value = values.first else {
        throw source.fault("passes on numbers of shape \(shape)")
      }
      try define(output.name, .scalar(value), source.type)
    }
  }

  // A constant that a cast makes infinite is refused here; values are measured when they are run.
  private mutating func checkRange(
    of operand: Operand, _ type: MILDataType, _ source: OperationReader
  ) throws {
    switch (operand, type) {
    case (.literal(.floats(let values, _)), .float16):
      guard let value = values.first(where: { $0.isFinite && $0.magnitude > 65504 }) else { return }
      throw source.fault("makes \(value) a float16, which ends at 65504")
    case (.weight(let reference), .float16):
      guard let constant = constants.stored[reference.name.text], constant.type == .float32,
        let value = try constant.floats().first(where: { $0.magnitude > 65504 })
      else { return }
      throw source.fault("makes \(value) of '\(reference.name)' a float16, which ends at 65504")
    case (.value(let name), .int16), (.value(let name), .uint16):
      narrowValues.insert(name)
      integerLimit = min(integerLimit, type == .int16 ? 1 << 15 : 1 << 16)
    case (.value, .int8), (.value, .uint8):
      throw source.fault("computes in \(type.word), which is not known")
    default: break
    }
  }

  // Requires a value to have its declared type; lengths left open may be any.
  private func check(
    _ type: ValueType, _ declared: MILTensorType, _ source: OperationReader
  ) throws {
    let isSame =
      declared.dataType.scalar == type.scalar && declared.dimensions.count == type.shape.count
      && zip(declared.dimensions, type.shape).allSatisfy { dimension, length in
        guard case .constant(let constant) = dimension.dimension else { return true }
        return constant.size == UInt64(length)
      }
    guard isSame else {
      throw source.fault("is declared as \(declared.words), it gives \(type)")
    }
  }

  /// The input of `classify`.
  var classified: Operand?
  /// Of each value 1 − p or −s, the name of p or s.
  var complements: [String: String] = [:]
}

extension ElementwiseBinary {
  /// Whether it makes 1 − y or −y.
  fileprivate var isComplement: Bool {
    kind == .sub && x == .literal(.float(1)) || kind == .mul && x == .literal(.float(-1))
  }
}
