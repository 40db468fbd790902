extension StepRunner {
  /// A value in another type: fractions are dropped, and what is not 0 is true.
  func cast(_ x: TabularColumn, _ type: TabularType) throws(TreeError) -> TabularColumn {
    guard x.type != type else { return x }
    let elements: TabularColumn.Elements
    switch (x.elements, type) {
    case (.texts(let texts), _): elements = try number(texts, type)
    case (_, .string): throw fault("casts \(x.type) to texts, which is not supported")
    case (.integers(let values), .float): elements = .floats(values.map { Float($0) })
    case (.integers(let values), .int32):
      elements = .shorts(values.map { Int32(truncatingIfNeeded: $0) })
    case (.integers(let values), .bool): elements = .booleans(values.map { $0 != 0 })
    case (.shorts(let values), .int64): elements = .integers(values.map { Int64($0) })
    default:
      guard let numbers = x.elements.numbers else { throw fault("casts \(x.type) to \(type)") }
      elements = try cast(numbers, type)
    }
    return TabularColumn(elements, x.shape)
  }

  private func cast(
    _ numbers: [Double], _ type: TabularType
  ) throws(TreeError) -> TabularColumn.Elements {
    switch type {
    case .float: .floats(numbers.map { Float($0) })
    case .double: .doubles(numbers)
    case .bool: .booleans(numbers.map { $0 != 0 })
    case .int64:
      .integers(
        try numbers.map { number throws(TreeError) in
          guard let whole = Int64(exactly: number.rounded(.towardZero)) else {
            throw fault("casts \(number) to 64 bits")
          }
          return whole
        })
    case .int32:
      .shorts(
        try numbers.map { number throws(TreeError) in
          guard let whole = Int32(exactly: number.rounded(.towardZero)) else {
            throw fault("casts \(number) to 32 bits")
          }
          return whole
        })
    case .string: throw fault("casts numbers to texts, which is not supported")
    }
  }

  /// Numbers that are written as texts.
  private func number(
    _ texts: [String], _ type: TabularType
  ) throws(TreeError) -> TabularColumn.Elements {
    let numbers = try texts.map { text throws(TreeError) in
      if isTrial && text.isEmpty { return 0.0 }
      guard let number = Double(text) else {
        throw fault("casts the text '\(text.prefix(60))' to \(type)")
      }
      return number
    }
    // A text is rounded once, straight to 32 bits.
    if type == .float { return .floats(texts.map { Float($0) ?? 0 }) }
    return try cast(numbers, type)
  }
}
