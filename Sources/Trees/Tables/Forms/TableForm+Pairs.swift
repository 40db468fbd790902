/// Steps of two values.
extension TableForm {
  mutating func pairs(
    _ x: [TableElement], _ y: [TableElement]
  ) throws(TableFault) -> [TableElement] {
    let count = max(x.count, y.count)
    guard !x.isEmpty, !y.isEmpty else { return [] }
    let pairs = (0..<count).map { (x[$0 % x.count], y[$0 % y.count]) }
    if let units = try units(pairs) { return units }
    var result: [TableElement] = []
    for (one, other) in pairs {
      let element = try element(one, other)
      // Every value keeps what was done with its columns.
      if case .cell(let cell) = element, cell.steps.count > TableCell.stepLimit {
        throw fault("is one of more than \(TableCell.stepLimit) for a column")
      }
      result.append(element)
    }
    return result
  }

  private func element(
    _ x: TableElement, _ y: TableElement
  ) throws(TableFault) -> TableElement {
    switch (x, y) {
    case (.number(let one), .number(let other)): return .number(result(one, other))
    case (.cell(let cell), .number(let number)):
      guard let element = element(cell, number) else { break }
      return element
    case (.number(let number), .cell(let cell)):
      guard let element = element(number, cell) else { break }
      return element
    case (.cell(let one), .cell(let other)):
      guard let element = element(one, other) else { break }
      return element
    default:
      guard let element = outputs(x, y) else { break }
      return element
    }
    switch (x, y) {
    case (.normalized, _), (_, .normalized):
      throw fault("changes a row that another step has divided by its size")
    default: throw fault(words)
    }
  }

  private func result(_ x: Float, _ y: Float) -> Float {
    switch step.kind {
    case .add: x + y
    case .subtract: x - y
    case .multiply: x * y
    case .divide: x / y
    case .larger: max(x, y)
    case .equal: x == y ? 1 : 0
    case .less: x < y ? 1 : 0
    default: x >= y ? 1 : 0
    }
  }

  private func element(_ cell: TableCell, _ other: TableCell) -> TableElement? {
    switch step.kind {
    case .equal where cell == other: .isThere(cell)
    default: nil
    }
  }

  private func element(_ cell: TableCell, _ number: Float) -> TableElement? {
    switch step.kind {
    case .add: .cell(cell.after(.add(number)))
    case .subtract: .cell(cell.after(.subtract(number)))
    case .multiply: .cell(cell.after(.multiply(number)))
    case .divide: .cell(cell.after(.divide(number)))
    case .equal: .isNumber(cell, number)
    default: nil
    }
  }

  private func element(_ number: Float, _ cell: TableCell) -> TableElement? {
    switch step.kind {
    case .add: .cell(cell.after(.add(number)))
    case .subtract: .cell(cell.after(.multiply(-1)).after(.add(number)))
    case .multiply: .cell(cell.after(.multiply(number)))
    case .equal: .isNumber(cell, number)
    default: nil
    }
  }

  /// What changes nothing of outputs, or belongs to a sigmoid or to shares.
  private func outputs(_ x: TableElement, _ y: TableElement) -> TableElement? {
    switch (step.kind, x, y) {
    case (.multiply, .unit(let layer, let place), .number(-1)) where layers[layer].isPositive:
      .negative(layer: layer, place: place)
    case (.larger, .unit(let layer, let place), .negative(let other, let same))
    where layer == other && place == same:
      x
    case (.multiply, _, .number(0)), (.multiply, .number(0), _): .number(0)
    case (.multiply, .unit, .number(1)), (.divide, .unit, .number(1)): x
    case (.add, .unit, .number(0)), (.add, .total, .number(0)): x
    case (.equal, .total, .number(0)): .number(0)
    case (.add, .power(let layer, let place), .number(1)): .powerAndOne(layer: layer, place: place)
    default: nil
    }
  }

  /// What the step does with numbers of a row.
  private var words: String {
    switch step.kind {
    case .add, .subtract: "adds up what is not a sum of one layer"
    case .multiply: "multiplies two numbers of a row"
    case .divide: "divides by a number of a row"
    case .larger: "takes the larger of two numbers, as limits do"
    default: "compares numbers of a row"
    }
  }

  /// Pairs of an output and a number, or an output and the sum of all, as outputs of a new layer; nil of others.
  private mutating func units(
    _ pairs: [(TableElement, TableElement)]
  ) throws(TableFault) -> [TableElement]? {
    if let shares = shares(pairs) { return shares }
    var made: [(layer: Int, unit: TableUnits.Unit)] = []
    for pair in pairs {
      guard let next = unit(pair) else { return nil }
      made.append(next)
    }
    let first = made[0].layer
    guard made.allSatisfy({ $0.layer == first }) else { return nil }
    return append(first, made.map(\.unit), layers[first].activation)
  }

  /// 1 ÷ (1 + exp(x)) of outputs is the sigmoid of −x; outputs over the sum of all are shares.
  private mutating func shares(_ pairs: [(TableElement, TableElement)]) -> [TableElement]? {
    guard step.kind == .divide else { return nil }
    if case (.unit(let layer, 0), .total(let other)) = pairs[0], layer == other,
      pairs.count == layers[layer].units.count,
      pairs.enumerated().allSatisfy({
        $1.0 == .unit(layer: layer, place: $0) && $1.1 == .total(layer: layer)
      })
    {
      return append(layer, layers[layer].units, .oneVersusRest)
    }
    var units: [TableUnits.Unit] = []
    var source: Int?
    for pair in pairs {
      guard case (.number(1), .powerAndOne(let layer, let place)) = pair,
        source == nil || source == layer
      else { return nil }
      source = layer
      units.append(layers[layer].units[place].scaled(-1))
    }
    return source.map { append($0, units, .sigmoid) }
  }

  private func unit(
    _ pair: (TableElement, TableElement)
  ) -> (layer: Int, unit: TableUnits.Unit)? {
    let (layer, place, number, isFirst): (Int, Int, Float, Bool)
    switch pair {
    case (.unit(let one, let other), .number(let value)):
      (layer, place, number, isFirst) = (one, other, value, false)
    case (.number(let value), .unit(let one, let other)):
      (layer, place, number, isFirst) = (one, other, value, true)
    default: return nil
    }
    var unit = layers[layer].units[place]
    if layers[layer].activation == .sigmoid, step.kind == .subtract, isFirst, number == 1 {
      // 1 − σ(x) is σ(−x).
      return (layer, unit.scaled(-1))
    }
    guard layers[layer].activation == .identity else { return nil }
    switch (step.kind, isFirst) {
    case (.add, _): unit.offset += Double(number)
    case (.subtract, false): unit.offset -= Double(number)
    case (.subtract, true):
      unit = unit.scaled(-1)
      unit.offset += Double(number)
    case (.multiply, _): unit = unit.scaled(Double(number))
    case (.divide, false) where number != 0: unit = unit.scaled(1 / Double(number))
    default: return nil
    }
    return (layer, unit)
  }

  /// - Returns: the outputs of a new layer of the same sums.
  mutating func append(
    _ layer: Int, _ units: [TableUnits.Unit], _ activation: TableLayers.Activation
  ) -> [TableElement] {
    var next = layers[layer]
    next.units = units
    next.activation = activation
    return append(next)
  }

  /// - Returns: the outputs of the layer.
  mutating func append(_ layer: TableUnits) -> [TableElement] {
    layers.append(layer)
    return layer.units.indices.map { .unit(layer: layers.count - 1, place: $0) }
  }
}

extension TableUnits.Unit {
  func scaled(_ factor: Double) -> TableUnits.Unit {
    TableUnits.Unit(output: output, scale: scale * factor, offset: offset * factor)
  }
}
