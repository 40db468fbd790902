/// Appends steps.
extension TableLowering {
  /// Appends a step.
  ///
  /// - Returns: the number of its source.
  mutating func append(
    _ kind: TableStep.Kind, _ inputs: [TableStep.Operand], width: Int, places: [Int] = [],
    group: Int? = nil, sums: TableStep.Sums? = nil
  ) throws(TreeError) -> Int {
    guard steps.count < TableProgram.stepLimit else {
      throw fault("there are more than \(TableProgram.stepLimit) steps")
    }
    let name = nextName(kind)
    steps.append(
      TableStep(
        name, kind, inputs, places: places, group: group, sums: sums, node: place))
    sources.append((name, width))
    return sources.count - 1
  }

  /// The name of the next step.
  func nextName(_ kind: TableStep.Kind) -> String {
    kind.rawValue.split(separator: "-").joined(separator: "_") + "_\(steps.count)"
  }

  /// Appends a step.
  ///
  /// - Returns: its columns.
  mutating func columns(
    appending kind: TableStep.Kind, _ inputs: [TableStep.Operand], width: Int
  ) throws(TreeError) -> [LoweredElement] {
    let source = try append(kind, inputs, width: width)
    return columns(source)
  }

  /// All columns of a source.
  func columns(_ source: Int) -> [LoweredElement] {
    (0..<sources[source].width).map { .column(source: source, place: $0) }
  }

  /// The source whose columns these are, all and in order.
  func whole(_ elements: [LoweredElement]) -> Int? {
    guard case .column(let source, 0)? = elements.first, sources[source].width == elements.count,
      elements == columns(source)
    else { return nil }
    return source
  }

  /// Notes an array that the next step reads.
  mutating func array(
    _ part: String, _ shape: [Int], _ values: [Float], for kind: TableStep.Kind
  ) throws(TreeError) -> TableStep.Operand {
    guard values.allSatisfy(\.isFinite) else {
      throw fault("has a number that is not finite, which no file keeps")
    }
    let name = "\(nextName(kind)).\(part)"
    arrays.append(Table.Numbers(name: name, shape: shape, values: values))
    return .array(name)
  }

  /// What a step reads for elements: a step that makes just these, or numbers.
  mutating func operand(_ elements: [LoweredElement]) throws(TreeError) -> TableStep.Operand {
    if let source = whole(elements) { return .value(sources[source].name) }
    if let known = made[elements] { return known }
    let result = try makeOperand(elements)
    made[elements] = result
    return result
  }

  private mutating func makeOperand(
    _ elements: [LoweredElement]
  ) throws(TreeError) -> TableStep.Operand {
    guard !elements.isEmpty else { throw fault("has no columns") }
    let parts = runs(of: elements)
    guard parts.count > 1 else { return try makePart(parts[0]) }
    var inputs: [TableStep.Operand] = []
    for part in parts { inputs.append(try operandOfPart(part)) }
    let source = try append(.join, inputs, width: elements.count)
    return .value(sources[source].name)
  }

  private mutating func operandOfPart(
    _ part: [LoweredElement]
  ) throws(TreeError) -> TableStep.Operand {
    if let source = whole(part) { return .value(sources[source].name) }
    if let known = made[part] { return known }
    let result = try makePart(part)
    made[part] = result
    return result
  }

  /// Elements of one source, or numbers.
  private mutating func makePart(
    _ elements: [LoweredElement]
  ) throws(TreeError) -> TableStep.Operand {
    guard case .column(let source, _) = elements[0] else {
      let numbers = elements.map { element -> Float in
        if case .number(let number) = element { number } else { .nan }
      }
      let row = try array("row", [numbers.count], numbers, for: .numbers)
      let source = try append(.numbers, [row], width: numbers.count)
      return .value(sources[source].name)
    }
    let places = elements.map { element -> Int in
      if case .column(_, let place) = element { place } else { 0 }
    }
    let step = try append(
      .columns, [.value(sources[source].name)], width: elements.count, places: places)
    if shares.contains(source) { shares.insert(step) }
    return .value(sources[step].name)
  }

  /// Elements of one source, or numbers, that stand side by side.
  private func runs(of elements: [LoweredElement]) -> [[LoweredElement]] {
    func key(_ element: LoweredElement) -> Int {
      if case .column(let source, _) = element { source } else { -1 }
    }
    var parts: [[LoweredElement]] = []
    var last: Int?
    for element in elements {
      if let last, key(element) == last {
        parts[parts.count - 1].append(element)
      } else {
        parts.append([element])
      }
      last = key(element)
    }
    return parts
  }

  /// The elements of a value as numbers of 32 bits; those of texts are refused.
  func lowered(_ value: GraphValue) throws(TreeError) -> LoweredValue {
    switch value {
    case .lowered(let value): return value
    case .constant(let column):
      let numbers: [Float]
      switch column.elements {
      case .floats(let values): numbers = values
      case .doubles(let values): numbers = values.map { Float($0) }
      case .booleans(let values): numbers = values.map { $0 ? 1 : 0 }
      case .shorts(let values): numbers = try exact(values.map(Int.init))
      case .integers(let values): numbers = try exact(values.map(Int.init))
      case .texts: throw unknown("texts")
      }
      return LoweredValue(
        elements: numbers.map(LoweredElement.number), shape: column.shape, type: column.type)
    }
  }

  /// Whole numbers that 32-bit floats hold.
  func exact(_ integers: [Int]) throws(TreeError) -> [Float] {
    try integers.map { integer throws(TreeError) in
      guard abs(integer) <= 1 << 24 else {
        throw fault(
          "has the whole number \(integer), numbers of 32 bits are exact up to \(1 << 24)")
      }
      return Float(integer)
    }
  }
}
