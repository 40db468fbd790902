#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension StepRunner {
  private func unknown(_ name: String, _ type: TabularType) -> TreeError {
    fault("'\(name)' of \(type) is not supported")
  }

  func run(
    _ unary: TabularOperation.Unary, _ x: TabularColumn
  ) throws(TreeError) -> TabularColumn {
    let elements: TabularColumn.Elements
    switch x.elements {
    case _ where unary == .same: return x
    case .floats(let values) where unary == .isMissing: elements = .booleans(values.map(\.isNaN))
    case .doubles(let values) where unary == .isMissing: elements = .booleans(values.map(\.isNaN))
    case .floats(let values) where unary != .not:
      elements = .floats(values.map { StepRunner.value(unary, $0) })
    case .doubles(let values) where unary != .not:
      elements = .doubles(values.map { StepRunner.value(unary, $0) })
    case .integers(let values) where unary == .negative:
      elements = .integers(values.map { 0 &- $0 })
    case .shorts(let values) where unary == .negative: elements = .shorts(values.map { 0 &- $0 })
    case .booleans(let values) where unary == .not: elements = .booleans(values.map { !$0 })
    default: throw unknown(unary.rawValue, x.type)
    }
    return TabularColumn(elements, x.shape)
  }

  private static func value(_ unary: TabularOperation.Unary, _ x: Float) -> Float {
    switch unary {
    case .sigmoid: logistic(x)
    case .tanh: tanhf(x)
    case .exponential: expf(x)
    case .logarithm: logf(x)
    default: plain(unary, x)
    }
  }

  private static func value(_ unary: TabularOperation.Unary, _ x: Double) -> Double {
    switch unary {
    case .sigmoid: x < 0 ? 1 - 1 / (1 + exp(x)) : 1 / (1 + exp(-x))
    case .tanh: tanh(x)
    case .exponential: exp(x)
    case .logarithm: log(x)
    default: plain(unary, x)
    }
  }

  private static func plain<Number: FloatingPoint>(
    _ unary: TabularOperation.Unary, _ x: Number
  ) -> Number {
    switch unary {
    case .relu: x > 0 ? x : x.isNaN ? x : 0
    case .squareRoot: x.squareRoot()
    case .negative: -x
    case .absolute: abs(x)
    case .reciprocal: 1 / x
    case .floor: x.rounded(.down)
    case .sign: x > 0 ? 1 : x < 0 ? -1 : x
    default: x
    }
  }

  /// 1 / (1 + exp(−x)), in 32 bits.
  static func logistic(_ x: Float) -> Float {
    let value = 1 / (1 + expf(-abs(x)))
    return x < 0 ? 1 - value : value
  }

  func run(
    _ binary: TabularOperation.Binary, _ x: TabularColumn, _ y: TabularColumn
  ) throws(TreeError) -> TabularColumn {
    let shape = try common([x.shape, y.shape])
    let elements: TabularColumn.Elements?
    switch (repeated(x, to: shape).elements, repeated(y, to: shape).elements) {
    case (.floats(let one), .floats(let two)):
      elements =
        binary == .power
        ? .floats(zip(one, two).map { powf($0, $1) })
        : StepRunner.value(binary, one, two).map { .floats($0) }
          ?? StepRunner.compared(binary, one, two)
    case (.doubles(let one), .doubles(let two)):
      elements =
        binary == .power
        ? .doubles(zip(one, two).map { pow($0, $1) })
        : StepRunner.value(binary, one, two).map { .doubles($0) }
          ?? StepRunner.compared(binary, one, two)
    case (.integers(let one), .integers(let two)):
      elements =
        try whole(binary, one, two).map { .integers($0) } ?? StepRunner.compared(binary, one, two)
    case (.shorts(let one), .shorts(let two)):
      elements =
        try whole(binary, one, two).map { .shorts($0) } ?? StepRunner.compared(binary, one, two)
    case (.booleans(let one), .booleans(let two)):
      switch binary {
      case .and: elements = .booleans(zip(one, two).map { $0 && $1 })
      case .or: elements = .booleans(zip(one, two).map { $0 || $1 })
      case .equal: elements = .booleans(zip(one, two).map { $0 == $1 })
      default: elements = nil
      }
    case (.texts(let one), .texts(let two)) where binary == .equal:
      elements = .booleans(zip(one, two).map { $0 == $1 })
    default: throw fault("'\(binary.rawValue)' of \(x.type) and \(y.type) is not supported")
    }
    guard let elements else { throw unknown(binary.rawValue, x.type) }
    return TabularColumn(elements, shape)
  }

  private static func value<Number: FloatingPoint>(
    _ binary: TabularOperation.Binary, _ one: [Number], _ two: [Number]
  ) -> [Number]? {
    switch binary {
    case .add: zip(one, two).map { $0 + $1 }
    case .subtract: zip(one, two).map { $0 - $1 }
    case .multiply: zip(one, two).map { $0 * $1 }
    case .divide: zip(one, two).map { $0 / $1 }
    default: nil
    }
  }

  private func whole<Number: FixedWidthInteger>(
    _ binary: TabularOperation.Binary, _ one: [Number], _ two: [Number]
  ) throws(TreeError) -> [Number]? {
    switch binary {
    case .add: return zip(one, two).map { $0 &+ $1 }
    case .subtract: return zip(one, two).map { $0 &- $1 }
    case .multiply: return zip(one, two).map { $0 &* $1 }
    case .divide:
      guard isTrial || !two.contains(0) else { throw fault("divides a whole number by 0") }
      return zip(one, two).map { $1 == 0 ? 0 : $0.dividedReportingOverflow(by: $1).partialValue }
    default: return nil
    }
  }

  private static func compared<Number: Comparable>(
    _ binary: TabularOperation.Binary, _ one: [Number], _ two: [Number]
  ) -> TabularColumn.Elements? {
    switch binary {
    case .equal: .booleans(zip(one, two).map { $0 == $1 })
    case .less: .booleans(zip(one, two).map { $0 < $1 })
    case .lessOrEqual: .booleans(zip(one, two).map { $0 <= $1 })
    case .greater: .booleans(zip(one, two).map { $0 > $1 })
    case .greaterOrEqual: .booleans(zip(one, two).map { $0 >= $1 })
    default: nil
    }
  }

  func run(
    _ fold: TabularOperation.Fold, _ inputs: [TabularColumn?]
  ) throws(TreeError) -> TabularColumn {
    var result = try needed(inputs.first.flatMap { $0 }, "first input")
    for input in inputs.dropFirst() {
      let other = try needed(input, "further input")
      switch fold {
      case .sum, .mean: result = try run(.add, result, other)
      case .largest, .smallest:
        let condition = try run(fold == .largest ? .less : .greater, result, other)
        result = try chosen([condition, other, result])
      }
    }
    guard fold == .mean else { return result }
    switch result.elements {
    case .floats(let values):
      return TabularColumn(.floats(values.map { $0 / Float(inputs.count) }), result.shape)
    case .doubles(let values):
      return TabularColumn(.doubles(values.map { $0 / Double(inputs.count) }), result.shape)
    default: throw unknown(fold.rawValue, result.type)
    }
  }

  /// The second where the first holds, else the third.
  func chosen(_ inputs: [TabularColumn?]) throws(TreeError) -> TabularColumn {
    let condition = try needed(inputs[0], "condition")
    let (yes, no) = (try needed(inputs[1], "second input"), try needed(inputs[2], "third input"))
    let shape = try common([condition.shape, yes.shape, no.shape])
    let count = shape.reduce(1, *)
    guard case .booleans(let holds) = repeated(condition, to: shape).elements,
      let both = repeated(yes, to: shape).elements.followed(by: repeated(no, to: shape).elements)
    else { throw fault("is given \(condition.type), \(yes.type) and \(no.type)") }
    return TabularColumn(
      both.picked(holds.enumerated().map { $1 ? $0 : $0 + count }), shape)
  }

  func clipped(
    _ x: TabularColumn, _ low: Float?, _ high: Float?, _ inputs: [TabularColumn?]
  ) throws(TreeError) -> TabularColumn {
    func bound(_ place: Int, _ standard: Float?) throws(TreeError) -> Double? {
      guard inputs.count > place, let input = inputs[place] else {
        return standard.map(Double.init)
      }
      guard input.count == 1, input.type == x.type, let numbers = input.elements.numbers else {
        throw fault(
          "its bounds are \(input.type) of the shape \(input.shape), expected one \(x.type)")
      }
      return numbers[0]
    }
    let (low, high) = (try bound(1, low), try bound(2, high))
    func clip<Number: BinaryFloatingPoint>(_ value: Number) -> Number {
      var value = value
      if let low, value < Number(low) { value = Number(low) }
      if let high, value > Number(high) { value = Number(high) }
      return value
    }
    switch x.elements {
    case .floats(let values): return TabularColumn(.floats(values.map(clip)), x.shape)
    case .doubles(let values): return TabularColumn(.doubles(values.map(clip)), x.shape)
    default: throw unknown("Clip", x.type)
    }
  }
}
