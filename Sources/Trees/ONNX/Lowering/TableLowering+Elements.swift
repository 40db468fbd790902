/// What is computed of each element, or of two.
extension TableLowering {
  /// A step of two values of as many elements, or one of them of one.
  mutating func pair(
    _ kind: TableStep.Kind, _ x: [LoweredElement], _ y: [LoweredElement]
  ) throws(TreeError) -> [LoweredElement] {
    let width = max(x.count, y.count)
    let (one, two) = (single(x), single(y))
    // Where both sides are one element that is repeated, so is the result.
    if let one, let two, width > 1 {
      return [LoweredElement](repeating: try pair(kind, [one], [two])[0], count: width)
    }
    let (left, right) = (one.map { [$0] } ?? x, two.map { [$0] } ?? y)
    let inputs: [TableStep.Operand]
    if let numbers = numbers(left) {
      let other = try operand(right)
      inputs = [try array("x", [numbers.count], numbers, for: kind), other]
    } else {
      let first = try operand(left)
      if let numbers = numbers(right) {
        inputs = [first, try array("y", [numbers.count], numbers, for: kind)]
      } else {
        inputs = [first, try operand(right)]
      }
    }
    return try columns(appending: kind, inputs, width: width)
  }

  /// The element that a value is everywhere.
  private func single(_ elements: [LoweredElement]) -> LoweredElement? {
    guard let first = elements.first, elements.allSatisfy({ $0 == first }) else { return nil }
    return first
  }

  /// The numbers of a value that has nothing else.
  func numbers(_ elements: [LoweredElement]) -> [Float]? {
    let numbers = elements.compactMap { element -> Float? in
      if case .number(let number) = element { number } else { nil }
    }
    return numbers.count == elements.count ? numbers : nil
  }

  mutating func one(
    _ kind: TableStep.Kind, _ x: [LoweredElement]
  ) throws(TreeError) -> [LoweredElement] {
    try columns(appending: kind, [try operand(x)], width: x.count)
  }

  mutating func negated(_ x: [LoweredElement]) throws(TreeError) -> [LoweredElement] {
    try pair(.multiply, x, [.number(-1)])
  }

  /// 1 − x.
  mutating func complement(_ x: [LoweredElement]) throws(TreeError) -> [LoweredElement] {
    let result = try pair(.subtract, [.number(1)], x)
    if areShares(x), let source = whole(result) { shares.insert(source) }
    return result
  }

  mutating func smaller(
    _ x: [LoweredElement], _ y: [LoweredElement]
  ) throws(TreeError) -> [LoweredElement] {
    let left = try negated(x)
    if let numbers = numbers(y) {
      return try negated(try pair(.larger, left, numbers.map { .number(-$0) }))
    }
    return try negated(try pair(.larger, left, try negated(y)))
  }

  /// Where the condition is not 0 the second, else the third, each of as many elements or one.
  mutating func chosen(
    _ condition: [LoweredElement], _ yes: [LoweredElement], _ no: [LoweredElement]
  ) throws(TreeError) -> [LoweredElement] {
    let width = max(condition.count, max(yes.count, no.count))
    let inputs = [try operand(condition), try operand(yes), try operand(no)]
    return try columns(appending: .choose, inputs, width: width)
  }

  /// Whether numbers lie between 0 and 1.
  func areShares(_ elements: [LoweredElement]) -> Bool {
    elements.allSatisfy { element in
      switch element {
      case .number(let number): (0...1).contains(number)
      case .column(let source, _): shares.contains(source)
      }
    }
  }

  mutating func lower(
    _ unary: TabularOperation.Unary, _ x: LoweredValue
  ) throws(TreeError) -> LoweredValue {
    var result = x
    switch unary {
    case .same: break
    case .relu: result.elements = try one(.relu, x.elements)
    case .sigmoid: result.elements = try sigmoid(x.elements)
    case .tanh: result.elements = try rising(.tanh, x.elements)
    case .exponential: result.elements = try rising(.exponential, x.elements)
    case .squareRoot: result.elements = try one(.squareRoot, x.elements)
    case .negative: result.elements = try negated(x.elements)
    case .absolute: result.elements = try absolute(x.elements)
    case .reciprocal: result.elements = try pair(.divide, [.number(1)], x.elements)
    case .not: result.elements = try complement(x.elements)
    case .isMissing:
      result.elements = try complement(try pair(.equal, x.elements, x.elements))
      result.type = .bool
    case .sign:
      let above = try pair(.less, [.number(0)], x.elements)
      result.elements = try pair(.subtract, above, try pair(.less, x.elements, [.number(0)]))
    case .logarithm, .floor: throw unknown("'\(unary.rawValue)'")
    }
    return result
  }

  mutating func absolute(_ x: [LoweredElement]) throws(TreeError) -> [LoweredElement] {
    try pair(.larger, x, try negated(x))
  }

  mutating func sigmoid(_ x: [LoweredElement]) throws(TreeError) -> [LoweredElement] {
    let result = try rising(.sigmoid, x)
    if let source = whole(result) { shares.insert(source) }
    return result
  }

  /// A function of each element that keeps their order.
  mutating func rising(
    _ kind: TableStep.Kind, _ x: [LoweredElement]
  ) throws(TreeError) -> [LoweredElement] {
    let result = try one(kind, x)
    noteOrder(result, x)
    return result
  }

  /// Notes that numbers have the order of others.
  mutating func noteOrder(_ new: [LoweredElement], _ old: [LoweredElement]) {
    if let new = whole(new) { sameOrder[new] = old }
  }

  mutating func lower(
    _ binary: TabularOperation.Binary, _ x: LoweredValue, _ y: LoweredValue
  ) throws(TreeError) -> LoweredValue {
    let shape = try runner.common([x.shape, y.shape])
    let (one, two) = (repeated(x, to: shape), repeated(y, to: shape))
    guard x.type != .string, y.type != .string else {
      throw unknown("'\(binary.rawValue)' of texts")
    }
    let isWhole = [.int32, .int64].contains(x.type)
    let elements: [LoweredElement]
    switch binary {
    case .add: elements = try pair(.add, one, two)
    case .subtract where numbers(one)?.allSatisfy({ $0 == 1 }) ?? false:
      elements = try complement(two)
    case .subtract: elements = try pair(.subtract, one, two)
    case .multiply, .and: elements = try pair(.multiply, one, two)
    case .divide where !isWhole: elements = try pair(.divide, one, two)
    case .divide: throw unknown("'Div' of whole numbers")
    case .or: elements = try pair(.larger, one, two)
    case .equal: elements = try pair(.equal, one, two)
    case .less: elements = try pair(.less, one, two)
    case .greater: elements = try pair(.less, two, one)
    case .lessOrEqual: elements = try pair(.atLeast, two, one)
    case .greaterOrEqual: elements = try pair(.atLeast, one, two)
    case .power: elements = try power(one, two)
    }
    noteScaled(binary, elements, one, two)
    return LoweredValue(
      elements: elements, shape: shape,
      type: [.add, .subtract, .multiply, .divide, .power].contains(binary) ? x.type : .bool)
  }

  /// Notes what a number for all columns does to their order, and to shares.
  private mutating func noteScaled(
    _ binary: TabularOperation.Binary, _ elements: [LoweredElement], _ x: [LoweredElement],
    _ y: [LoweredElement]
  ) {
    guard let factor = single(y) else { return }
    if binary == .divide, case .column(let sum, 0) = factor, sums[sum] == x {
      // Shares of a sum have the order of what is added up.
      noteOrder(elements, x)
      if let source = whole(elements) { shares.insert(source) }
    }
    guard case .number(let number) = factor else { return }
    switch binary {
    case .multiply where number > 0, .divide where number > 0: noteOrder(elements, x)
    case .add, .subtract: noteOrder(elements, x)
    default: return
    }
    let shrinks = binary == .divide ? number >= 1 : binary == .multiply && (0...1).contains(number)
    if shrinks, areShares(x), let source = whole(elements) { shares.insert(source) }
  }

  private mutating func power(
    _ x: [LoweredElement], _ y: [LoweredElement]
  ) throws(TreeError) -> [LoweredElement] {
    guard let exponent = single(y), case .number(let number) = exponent else {
      throw unknown("'Pow' of several exponents")
    }
    switch number {
    case 1: return x
    case 2: return try pair(.multiply, x, x)
    case 3: return try pair(.multiply, try pair(.multiply, x, x), x)
    case 0.5: return try one(.squareRoot, x)
    default: throw unknown("'Pow' with the exponent \(number)")
    }
  }

  /// The elements of a value that is repeated to a shape.
  func repeated(_ value: LoweredValue, to shape: [Int]) -> [LoweredElement] {
    guard value.shape != shape else { return value.elements }
    return runner.places(value.shape, in: shape).map { value.elements[$0] }
  }

  mutating func lower(
    _ fold: TabularOperation.Fold, _ given: [LoweredValue]
  ) throws(TreeError) -> LoweredValue {
    var result = given[0]
    for other in given.dropFirst() {
      let shape = try runner.common([result.shape, other.shape])
      let (one, two) = (repeated(result, to: shape), repeated(other, to: shape))
      result.shape = shape
      switch fold {
      case .sum, .mean: result.elements = try pair(.add, one, two)
      case .largest: result.elements = try pair(.larger, one, two)
      case .smallest: result.elements = try smaller(one, two)
      }
    }
    if fold == .mean {
      result.elements = try pair(.divide, result.elements, [.number(Float(given.count))])
    }
    return result
  }

  mutating func lower(cast x: LoweredValue, to type: TabularType) throws(TreeError) -> LoweredValue
  {
    var result = x
    result.type = type
    guard x.type != .string, type != .string else {
      if x.type == type { return x }
      throw unknown("'Cast' of texts")
    }
    switch (x.type, type) {
    case (.bool, _), (_, .float), (_, .double), (.int32, .int64), (.int64, .int32),
      (.int32, .int32), (.int64, .int64):
      break
    case (_, .bool): result.elements = try complement(try pair(.equal, x.elements, [.number(0)]))
    default: result.elements = try one(.truncate, x.elements)
    }
    return result
  }

  mutating func lower(
    clip x: LoweredValue, _ low: Float?, _ high: Float?, _ given: [GraphValue?]
  ) throws(TreeError) -> LoweredValue {
    func bound(_ place: Int, _ standard: Float?) throws(TreeError) -> Float? {
      guard given.count > place, let bound = given[place] else { return standard }
      guard case .constant(let column) = bound, let number = column.elements.numbers?.first else {
        throw unknown("'Clip' with bounds that are computed")
      }
      return Float(number)
    }
    let (low, high) = (try bound(1, low), try bound(2, high))
    var result = x
    // What no number lies beyond is no bound.
    if let low, low > -.greatestFiniteMagnitude {
      result.elements = try pair(.larger, result.elements, [.number(low)])
    }
    if let high, high < .greatestFiniteMagnitude {
      result.elements = try smaller(result.elements, [.number(high)])
    }
    return result
  }
}
