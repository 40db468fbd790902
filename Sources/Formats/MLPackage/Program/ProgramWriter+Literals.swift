import Graph

/// A number of the graph's own in a precision.
struct LiteralKey: Hashable {
  let literal: Literal
  let type: MILDataType
}

// Numbers of the graph's own.
extension ProgramWriter {
  /// A literal as a constant. Tables, such as the angles of rotary positions, are written once for
  /// all that read them.
  mutating func literal(_ literal: Literal, _ precision: MILDataType) -> ProgramValue {
    if case .floats(let values, []) = literal, let value = values.first {
      let name = constant(OperationParameter("number", .float(value)), "a", precision)
      return ProgramValue(name: name, type: precision, shape: [])
    }
    let key = LiteralKey(literal: literal, type: precision)
    if let known = literals[key] { return known }
    let value = table(literal, precision)
    literals[key] = value
    return value
  }

  private mutating func table(_ literal: Literal, _ precision: MILDataType) -> ProgramValue {
    switch literal {
    case .integers(let values, let shape):
      let name = constant(.ints(values, shape), "integers")
      return ProgramValue(name: name, type: .int32, shape: shape)
    case .floats(let values, let shape):
      let name = constant(
        precision == .float16
          ? .bytes(Float16Bytes.data(of: values), .float16, shape) : .floats(values, shape),
        "numbers")
      return ProgramValue(name: name, type: precision, shape: shape)
    }
  }
}
