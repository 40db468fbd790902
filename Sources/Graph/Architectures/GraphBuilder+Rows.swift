/// Rows that are divided by their size.
extension GraphBuilder {
  /// Below this the squares of a row lose digits in 32 bits.
  static let leastSum: Float = 1e-30

  /// Each row over its size. A row of zeros stays as it is.
  ///
  /// A row whose size 32 bits do not hold becomes NaN: where magnitudes or squares add up to infinity, and for `l2`
  /// where squares add up to less than `leastSum`. ONNX Runtime gives zeros, NaN or other numbers there, and Core ML,
  /// which has doubles, the right ones.
  ///
  /// - Parameters:
  ///   - x: [rows, columns]
  ///   - name: of the value.
  ///   - prefix: of the names of what it is made of.
  mutating func append(
    _ norm: Dense.Norm, of x: Operand, _ name: String, prefix: String = ""
  ) throws(GraphError) -> Operand {
    let negative = try append(
      "\(prefix)negative", ElementwiseBinary(.mul, x, .literal(.float(-1))))
    let magnitudes = try append("\(prefix)magnitudes", ElementwiseBinary(.maximum, x, negative))
    var sum = try append("\(prefix)sum", Reduce(.sum, magnitudes, axis: 1, keepsAxis: true))
    let size: Operand
    switch norm {
    case .l1:
      size = try append(
        "\(prefix)size", ElementwiseBinary(.maximum, sum, .literal(.float(.leastNonzeroMagnitude))))
    case .l2:
      let magnitude = sum
      let squares = try append("\(prefix)squares", ElementwiseBinary(.mul, x, x))
      sum = try append("\(prefix)length", Reduce(.sum, squares, axis: 1, keepsAxis: true))
      size = try length(sum, magnitude, prefix)
    }
    let shares = try append("\(prefix)shares", ElementwiseBinary(.realDivision, x, size))
    // Infinity times 0 is no number.
    let nothing = try append(
      "\(prefix)nothing", ElementwiseBinary(.mul, sum, .literal(.float(0))))
    return try append(name, ElementwiseBinary(.add, shares, nothing))
  }

  /// NaN for each row that 32 bits do not measure, else 0, [rows, 1]. What follows a norm may take the NaN of such a row
  /// for a missing value, as trees do, and so lose it. A row with a missing value is none of these.
  ///
  /// - Parameters:
  ///   - x: [rows, columns]
  ///   - name: of the value, and the prefix of what it is made of.
  mutating func append(
    unmeasured x: Operand, by norm: Dense.Norm, _ name: String
  ) throws(GraphError) -> Operand {
    let negative = try append("\(name).negative", ElementwiseBinary(.mul, x, .literal(.float(-1))))
    let magnitudes = try append("\(name).magnitudes", ElementwiseBinary(.maximum, x, negative))
    let magnitude = try append(
      "\(name).magnitude", Reduce(.sum, magnitudes, axis: 1, keepsAxis: true))
    let below = try append(
      "\(name).below", ElementwiseBinary(.mul, magnitude, .literal(.float(-1))))
    // Zeros have a root.
    let fault = try append("\(name).fault", ElementwiseUnary(.sqrt, below))
    var sum = magnitude
    if norm == .l2 {
      let squares = try append("\(name).squares", ElementwiseBinary(.mul, x, x))
      sum = try append("\(name).sum", Reduce(.sum, squares, axis: 1, keepsAxis: true))
    }
    let isLong = try append(
      "\(name).long", Comparison(.less, .literal(.float(.greatestFiniteMagnitude)), sum))
    guard norm == .l2 else {
      return try append(name, Select(isLong, fault, else: .literal(.float(0))))
    }
    let far = try append("\(name).far", Select(isLong, fault, else: .literal(.float(0))))
    let isShort = try append(
      "\(name).short", Comparison(.less, sum, .literal(.float(Self.leastSum))))
    return try append(name, Select(isShort, fault, else: far))
  }

  /// The root of a sum of squares; 1 of a row of zeros, NaN where digits are lost.
  private mutating func length(
    _ sum: Operand, _ magnitude: Operand, _ prefix: String
  ) throws(GraphError) -> Operand {
    let below = try append(
      "\(prefix)below", ElementwiseBinary(.mul, magnitude, .literal(.float(-1))))
    let none = try append("\(prefix)none", ElementwiseUnary(.sqrt, below))
    let one = try append("\(prefix)one", ElementwiseBinary(.add, none, .literal(.float(1))))
    let isShort = try append(
      "\(prefix)short", Comparison(.less, sum, .literal(.float(Self.leastSum))))
    let square = try append("\(prefix)square", Select(isShort, one, else: sum))
    return try append("\(prefix)size", ElementwiseUnary(.sqrt, square))
  }
}
