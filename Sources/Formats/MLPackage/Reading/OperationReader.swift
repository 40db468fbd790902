import Graph
import Weights

/// The result of reading an operation.
enum ReadResult {
  /// An operation whose output gets the name of the program's value.
  case operation(any Operation)
  /// Nothing is computed: the value is another under a new name.
  case same(Operand)
}

/// One operation of a program while it is read: hands out the values bound to its parameters.
struct OperationReader {
  /// MIL's name of the operation.
  let type: String
  /// Name of the value it makes.
  let value: String
  private let bindings: [String: [ReadValue]]

  init(type: String, value: String, bindings: [String: [ReadValue]]) {
    self.type = type
    self.value = value
    self.bindings = bindings
  }

  /// A fault of this operation.
  func fault(_ reason: String) -> GraphError {
    GraphError(value: value, operation: type, reason: reason)
  }

  /// Whether an optional parameter is given.
  func has(_ parameter: String) -> Bool { bindings[parameter] != nil }

  /// The one binding of a parameter.
  func binding(_ parameter: String) throws(GraphError) -> ReadValue {
    guard let all = bindings[parameter] else { throw fault("'\(parameter)' is missing") }
    guard all.count == 1 else {
      throw fault("'\(parameter)' has \(all.count) values, expected one")
    }
    return all[0]
  }

  /// All bindings of a list.
  func list(_ parameter: String) throws(GraphError) -> [ReadValue] {
    guard let all = bindings[parameter] else { throw fault("'\(parameter)' is missing") }
    return all
  }

  /// A parameter that may be computed.
  ///
  /// - Parameter role: of a weight that is there; told by how it is stored, or by its rank, when
  ///   nil.
  func operand(_ parameter: String, role: WeightRole? = nil) throws(GraphError) -> Operand {
    try operand(parameter, try binding(parameter), role)
  }

  /// All parameters of a list; each may be computed.
  func operands(_ parameter: String) throws(GraphError) -> [Operand] {
    try list(parameter).map { (value) throws(GraphError) in try operand(parameter, value, nil) }
  }

  private func operand(
    _ parameter: String, _ value: ReadValue, _ role: WeightRole?
  ) throws(GraphError) -> Operand {
    switch value {
    case .computed(let name, _): return .value(name)
    case .text, .texts: throw fault("'\(parameter)' is a text, expected a tensor")
    case .wholes: throw fault("'\(parameter)' is a list of integers, expected a tensor")
    case .sparsePart: throw fault("'\(parameter)' is part of sparse numbers, for constants only")
    case .twoClasses: throw fault("'\(parameter)' is a pair of two classes, for 'classify' only")
    case .truths(let values, let shape):
      // The graph has no literals of bools; integers are told from them by a comparison.
      throw fault("'\(parameter)' is a constant of \(values.count) bools of shape \(shape)")
    case .integers(let values, let shape): return .literal(.integers(values, shape: shape))
    case .scalar(let value): return .literal(.float(value))
    case .weight(let name, let shape, let stated):
      let role = role ?? stated ?? (shape.count > 1 ? .positionTable : .bias)
      return .weight(WeightReference(TensorName(name), shape, role: role))
    }
  }

  /// The type of an operand that was handed out.
  func type(of operand: Operand) -> ValueType {
    switch operand {
    case .weight(let reference): return ValueType(.float32, reference.shape)
    case .literal(let literal): return literal.type
    case .value(let name):
      for case .computed(name, let type) in bindings.values.joined() { return type }
      return ValueType(.float32, [])
    }
  }

  /// Integers that are known before anything runs.
  func ints(_ parameter: String) throws(GraphError) -> [Int] {
    guard case .integers(let values, let shape) = try binding(parameter), shape.count <= 1 else {
      throw fault("'\(parameter)' is not a list of known integers")
    }
    return values.map { Int($0) }
  }

  func int(_ parameter: String, default value: Int? = nil) throws(GraphError) -> Int {
    if let value, !has(parameter) { return value }
    let values = try ints(parameter)
    guard values.count == 1 else {
      throw fault("'\(parameter)' is \(values), expected one integer")
    }
    return values[0]
  }

  func bools(_ parameter: String) throws(GraphError) -> [Bool] {
    guard case .truths(let values, let shape) = try binding(parameter), shape.count <= 1 else {
      throw fault("'\(parameter)' is not a list of known bools")
    }
    return values
  }

  func bool(_ parameter: String, default value: Bool) throws(GraphError) -> Bool {
    guard has(parameter) else { return value }
    let values = try bools(parameter)
    guard values.count == 1 else { throw fault("'\(parameter)' is \(values), expected one bool") }
    return values[0]
  }

  func string(_ parameter: String) throws(GraphError) -> String {
    guard case .text(let text) = try binding(parameter) else {
      throw fault("'\(parameter)' is not a known text")
    }
    return text
  }

  func float(_ parameter: String) throws(GraphError) -> Float {
    guard case .scalar(let value) = try binding(parameter) else {
      throw fault("'\(parameter)' is not a known number")
    }
    return value
  }

  /// Axes counted from the front, distinct and inside a rank, in the order given.
  func axes(_ axes: [Int], rank: Int) throws(GraphError) -> [Int] {
    let counted = axes.map { $0 < 0 ? $0 + rank : $0 }
    guard counted.allSatisfy({ (0..<rank).contains($0) }), Set(counted).count == counted.count
    else { throw fault("names the axes \(axes) of \(rank)") }
    return counted
  }
}

/// The value of a program's name while it is read.
enum ReadValue {
  /// A value that is computed when the graph runs.
  case computed(String, ValueType)
  /// Floats that are stored, by the constant's name; the role where it follows from how.
  case weight(String, shape: [Int], role: WeightRole?)
  /// A float of rank 0.
  case scalar(Float)
  case integers([Int32], shape: [Int])
  case truths([Bool], shape: [Int])
  case text(String)
  case texts([String])
  /// A list of integers of 64 bits: labels.
  case wholes([Int])
  /// 1 − p or −s beside p or s, which is the value of this name.
  case twoClasses(String)
  /// A mask of sparse numbers or those numbers, which only constants read.
  case sparsePart
}
