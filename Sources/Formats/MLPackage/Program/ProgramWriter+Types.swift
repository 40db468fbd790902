import Graph
import WeightCompression

extension Operand {
  /// Whether it asks for float32: what was computed so, statistics of features, and numbers that
  /// float16 cannot hold.
  ///
  /// - Parameter values: those of the program, by the name the graph uses.
  func isFull(_ values: [String: ProgramValue]) -> Bool {
    switch self {
    case .value(let name): values[name]?.type == .float32
    case .weight(let reference): reference.role == .statistic
    case .literal(.integers), .literal(.hiding): false
    case .literal(.floats(let values, _)):
      values.contains { $0 != 0 && !(Float16Bytes.normalRange ~= $0.magnitude) }
    }
  }
}

extension ScalarType {
  /// MIL's type for values of this kind.
  func milType(_ precision: MILDataType) -> MILDataType {
    switch self {
    case .float32, .float64: precision
    case .int32: .int32
    case .bool: .bool
    }
  }
}

extension OperationParameter.Content {
  /// The constant; floats in a precision.
  func value(in precision: MILDataType) -> MILValue {
    switch self {
    case .bool(let value): .bool(value)
    case .bools(let values): .bools(values)
    case .int(let value): .int(value)
    case .ints(let values): .ints(values)
    case .string(let text): .string(text)
    case .float(let value):
      precision == .float16
        ? .bytes(Float16Bytes.data(of: [value]), .float16, []) : .floats([value], [])
    }
  }
}
