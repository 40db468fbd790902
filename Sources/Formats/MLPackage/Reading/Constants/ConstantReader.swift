import Graph
import StrictJSON
import Weights

/// Reads the operations of a program that make constants.
struct ConstantReader {
  /// Constants of floats with at least one axis, by name.
  private(set) var stored: [String: WeightConstant] = [:]
  /// What operations of two outputs made, a mask and numbers, by the name of each.
  private var sparse: [String: SparseNumbers] = [:]
  /// Names of constants that are parts of others.
  private var parts: Set<String> = []
  private let blobs: BlobFiles

  init(_ blobs: BlobFiles) { self.blobs = blobs }

  /// All constants, but those that a graph does not use and that are parts of others.
  func constants(usedBy graph: ModelGraph) -> [String: WeightConstant] {
    let used = Set(graph.weights.map(\.name.text))
    return stored.filter { !parts.contains($0.key) || used.contains($0.key) }
  }

  /// Takes a constant that is made of others.
  mutating func join(_ constant: WeightConstant) {
    parts.formUnion(constant.partNames)
    stored[constant.name] = constant
  }

  /// Whether an operation makes a constant.
  static func makesConstant(_ operation: MILOperation) -> Bool {
    operation.type == "const" || operation.type.hasPrefix("constexpr_")
  }

  /// Reads a constant.
  ///
  /// - Throws: `GraphError` naming it, or `CoreMLError` of a weight file.
  mutating func read(_ operation: MILOperation, name: String) throws -> ReadValue {
    do {
      return operation.type == "const"
        ? try readPlain(operation, name) : try readCompressed(operation, name)
    } catch let fault as ShapeFault {
      throw GraphError(value: name, operation: operation.type, reason: fault.reason)
    }
  }

  /// Reads an operation that makes a mask and the numbers at its places; only constants read them.
  ///
  /// - Throws: as `read(_:name:)`.
  mutating func readSparse(_ operation: MILOperation) throws {
    let names = operation.outputs.map(\.name)
    do {
      guard names.count == 2 else {
        throw ShapeFault("makes \(Figures.count(names.count, "value"))")
      }
      let source = CompressedSource(operation, blobs, stored, sparse)
      let numbers =
        operation.type == "constexpr_lut_to_sparse"
        ? try source.sparsePalette(names[1]) : try source.sparseBlockwise(names[1])
      let mask = operation.outputs[0].type.tensorType
      let declared = operation.outputs[1].type.tensorType
      guard mask.dataType == .uint1, try mask.knownShape() == numbers.mask.shape,
        declared.dataType == numbers.type
      else {
        throw ShapeFault(
          "is declared as \(mask.words) and \(declared.words), its parts make uint1 "
            + "\(numbers.mask.shape) and \(numbers.type.word)")
      }
      parts.formUnion(numbers.source?.partNames ?? [])
      for name in names { sparse[name] = numbers }
    } catch let fault as ShapeFault {
      throw GraphError(value: names[0], operation: operation.type, reason: fault.reason)
    }
  }

  /// Whether an operation makes a mask and the numbers at its places.
  static func makesSparse(_ operation: MILOperation) -> Bool {
    ["constexpr_lut_to_sparse", "constexpr_sparse_blockwise_shift_scale"].contains(operation.type)
  }

  /// Reads a value that is bound to a parameter without an operation of its own.
  func read(_ value: MILValue) throws -> ReadValue {
    if case .listType(let list) = value.type.type {
      if list.type.tensorType.dataType == .int64 { return .wholes(try wholes(value)) }
      guard list.type.tensorType.dataType == .string else {
        throw ShapeFault("a list of \(list.type.tensorType.dataType.word) is not known")
      }
      let texts = try value.immediateValue.list.values.map { try TensorData($0, blobs).strings }
      guard texts.allSatisfy({ $0.count == 1 }) else { throw ShapeFault("a list holds no texts") }
      return .texts(texts.flatMap(\.self))
    }
    return try small(TensorData(value, blobs))
  }

  private func wholes(_ list: MILValue) throws -> [Int] {
    try list.immediateValue.list.values.map { value in
      let values = value.immediateValue.tensor.longInts.values
      guard value.type.tensorType.dataType == .int64, values.count == 1 else {
        throw ShapeFault("a list holds no integers of 64 bits")
      }
      return Int(values[0])
    }
  }

  // Reads a constant in the program itself: a parameter.
  private func small(_ data: TensorData) throws -> ReadValue {
    switch data.type {
    case .bool: return .truths(data.bools, shape: data.shape)
    case .string:
      let strings = data.strings
      return strings.count == 1 && data.shape.isEmpty ? .text(strings[0]) : .texts(strings)
    case .int32, .int16, .uint16, .int8, .uint8, .uint32:
      return .integers(try data.integers(), shape: data.shape)
    case .float16, .float32, .bfloat16:
      guard data.shape.isEmpty, let value = try data.floats().first else {
        throw ShapeFault("floats of shape \(data.shape) need an operation of their own")
      }
      return .scalar(value)
    default: throw ShapeFault("a constant of \(data.type.word) is not known")
    }
  }

  private mutating func readPlain(_ operation: MILOperation, _ name: String) throws -> ReadValue {
    guard let value = operation.attributes["val"] else { throw ShapeFault("'val' is missing") }
    let data = try TensorData(value, blobs)
    guard operation.outputs[0].type == value.type else {
      throw ShapeFault("is declared as another type than its value has")
    }
    guard [.float16, .float32, .bfloat16].contains(data.type), !data.shape.isEmpty else {
      return try small(data)
    }
    return keep(
      WeightConstant(
        name: name, operation: operation.type, type: data.type, shape: data.shape,
        form: .plain(data)))
  }

  private mutating func readCompressed(
    _ operation: MILOperation, _ name: String
  ) throws -> ReadValue {
    let source = CompressedSource(operation, blobs, stored, sparse)
    let constant: WeightConstant
    switch operation.type {
    case "constexpr_affine_dequantize": constant = try source.affine(name)
    case "constexpr_blockwise_shift_scale": constant = try source.blockwise(name)
    case "constexpr_lut_to_dense": constant = try source.palette(name)
    case "constexpr_sparse_to_dense": constant = try source.sparseToDense(name)
    case "constexpr_cast": constant = try source.cast(name)
    default: throw ShapeFault("is not known")
    }
    let declared = operation.outputs[0].type.tensorType
    guard declared.dataType == constant.type, try declared.knownShape() == constant.shape else {
      throw ShapeFault(
        "is declared as \(declared.dataType.word) \(try declared.knownShape()), "
          + "its parts make \(constant.type.word) \(constant.shape)")
    }
    parts.formUnion(constant.partNames)
    return keep(constant)
  }

  private mutating func keep(_ constant: WeightConstant) -> ReadValue {
    stored[constant.name] = constant
    return .weight(
      constant.name, shape: constant.shape, role: constant.isNumberOfGraph ? .number : nil)
  }
}
