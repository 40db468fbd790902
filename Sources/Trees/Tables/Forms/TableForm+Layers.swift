/// Layers, and what is done with all outputs of one.
extension TableForm {
  mutating func linear(
    _ x: [TableElement], _ given: [[TableElement]]
  ) throws(TableFault) -> [TableElement] {
    func numbers(_ elements: [TableElement]) -> [Float] {
      elements.map { if case .number(let number) = $0 { number } else { .nan } }
    }
    let weights = numbers(given[1])
    let count = weights.count / max(1, x.count)
    guard count > 0, weights.count == count * x.count else {
      throw fault("has \(weights.count) weights for \(x.count) columns")
    }
    let bias = given.count > 2 ? numbers(given[2]) : [Float](repeating: 0, count: count)
    guard bias.count == 1 || bias.count == count else {
      throw fault("has \(bias.count) offsets of \(count) outputs")
    }
    let (inputs, norm) = try inputs(x)
    return append(
      TableUnits(
        source: .linear(weights: weights), inputs: inputs, norm: norm,
        units: (0..<count).map { .init(output: $0, offset: Double(bias[$0 % bias.count])) }))
  }

  /// Cells, which may be divided by the size of all of them, or all outputs of one layer.
  private func inputs(
    _ x: [TableElement]
  ) throws(TableFault) -> ([TableElement], TableLayers.Norm?) {
    if x.allSatisfy(\.isCell) { return (x, nil) }
    if case .normalized(_, let row)? = x.first {
      let (norm, cells) = rows[row]
      guard x == cells.map({ TableElement.normalized($0, row: row) }) else {
        throw fault("reads some columns of a row that is divided by the size of all")
      }
      return (cells.map { .cell($0) }, norm)
    }
    guard let layer = whole(x), case .linear = layers[layer].source,
      [.identity, .relu, .sigmoid, .tanh].contains(layers[layer].activation)
    else { throw mixed(x, before: "a linear model") }
    return (x, nil)
  }

  mutating func trees(_ x: [TableElement]) throws(TableFault) -> [TableElement] {
    guard x.allSatisfy(\.isCell) else { throw mixed(x, before: "trees") }
    return append(
      TableUnits(
        source: .trees(step.name), inputs: x,
        units: (0..<(step.sums?.count ?? 1)).map { .init(output: $0) }))
  }

  /// What makes columns that are no features filled, scaled or encoded one by one.
  private func mixed(_ x: [TableElement], before model: String) -> TableFault {
    switch x.first(where: { !$0.isCell }) {
    case .normalized(let cell, let row)?:
      fault("divides a row by its size before \(model)", of: .normalized(cell, row: row))
    case .unit(let layer, let place)?:
      fault(
        layers[layer].isLinear ? "adds up features before \(model)" : "has trees before \(model)",
        of: .unit(layer: layer, place: place))
    case .number(let number)?:
      fault("gives \(model) the number \(number) for every row", of: .number(number))
    case let element:
      fault(
        "makes something else than features that are filled, scaled or encoded one by one",
        of: element)
    }
  }

  /// A row of cells over its size.
  mutating func normalized(
    _ x: [TableElement], _ norm: TableLayers.Norm
  ) throws(TableFault) -> [TableElement] {
    if norm == .sum, let shares = shares(x) { return shares }
    let cells = x.compactMap { if case .cell(let cell) = $0 { cell } else { nil } }
    guard cells.count == x.count else {
      throw fault(
        "divides by its size what is no row of features filled, scaled or encoded one by one")
    }
    rows.append((norm, cells))
    return cells.map { .normalized($0, row: rows.count - 1) }
  }

  /// Outputs that are never negative over their sum; nil of anything else.
  private mutating func shares(_ x: [TableElement]) -> [TableElement]? {
    guard case .unit(let first, _)? = x.first, layers[first].isPositive else { return nil }
    if sumOfOpposites(x) == 1 { return x }
    guard let layer = whole(x) else { return nil }
    guard layers[layer].activation == .sigmoid else { return x }
    return append(layer, layers[layer].units, .oneVersusRest)
  }

  /// Columns side by side. Outputs of several linear layers over the same columns are those of one layer.
  mutating func joined(_ elements: [TableElement]) -> [TableElement] {
    guard case .unit(let first, _)? = elements.first else { return elements }
    var weights: [Float] = []
    var units: [TableUnits.Unit] = []
    var areSeveral = false
    for element in elements {
      guard case .unit(let number, let place) = element, areAlike(layers[number], layers[first]),
        case .linear(let own) = layers[number].source
      else { return elements }
      areSeveral = areSeveral || number != first
      let unit = layers[number].units[place]
      let start = unit.output * layers[number].inputs.count
      weights += own[start..<start + layers[number].inputs.count]
      units.append(.init(output: units.count, scale: unit.scale, offset: unit.offset))
    }
    guard areSeveral, [.identity, .relu, .sigmoid, .tanh].contains(layers[first].activation) else {
      return elements
    }
    return append(
      TableUnits(
        source: .linear(weights: weights), inputs: layers[first].inputs, norm: layers[first].norm,
        units: units, activation: layers[first].activation))
  }

  private func areAlike(_ one: TableUnits, _ other: TableUnits) -> Bool {
    one.activation == other.activation && one.norm == other.norm && one.inputs == other.inputs
  }

  /// The layer whose outputs these are, all and in order.
  func whole(_ elements: [TableElement]) -> Int? {
    guard case .unit(let layer, 0)? = elements.first,
      layers[layer].units.count == elements.count,
      elements.enumerated().allSatisfy({ $1 == .unit(layer: layer, place: $0) })
    else { return nil }
    return layer
  }

  /// Sums of one layer, in any order; nil of anything else.
  private func sums(_ elements: [TableElement]) -> (layer: Int, units: [TableUnits.Unit])? {
    guard case .unit(let layer, _)? = elements.first, layers[layer].activation == .identity
    else { return nil }
    let units = elements.compactMap { element -> TableUnits.Unit? in
      if case .unit(layer, let place) = element { layers[layer].units[place] } else { nil }
    }
    return units.count == elements.count ? (layer, units) : nil
  }

  mutating func activated(
    _ x: [TableElement], _ activation: TableLayers.Activation
  ) throws(TableFault) -> [TableElement] {
    guard let (layer, units) = sums(x) else {
      throw fault("follows other steps than a linear model or trees")
    }
    return append(layer, units, activation)
  }

  mutating func softmax(_ x: [TableElement]) throws(TableFault) -> [TableElement] {
    guard step.group == nil || step.group == x.count else {
      throw fault("makes shares of several groups of columns")
    }
    return try activated(x, .softmax)
  }

  func exponential(_ x: [TableElement]) throws(TableFault) -> [TableElement] {
    guard sums(x) != nil else { throw fault("follows other steps than a linear model or trees") }
    return x.map { element in
      guard case .unit(let layer, let place) = element else { return element }
      return .power(layer: layer, place: place)
    }
  }

  /// The sum of all columns: of shares it is 1.
  mutating func sum(_ x: [TableElement]) throws(TableFault) -> TableElement {
    let isWhole = step.group == nil || step.group == x.count
    if isWhole, let sum = sumOfOpposites(x) { return .number(sum) }
    guard isWhole, let layer = whole(x) else {
      throw fault("adds up columns of a row")
    }
    switch layers[layer].activation {
    case .softmax, .oneVersusRest: return .number(1)
    case .sigmoid: return .total(layer: layer)
    case .identity, .relu, .tanh: throw fault("adds up columns of a row")
    }
  }

  /// What two outputs add up to where one falls as the other rises: p and 1 − p. nil of anything else.
  private func sumOfOpposites(_ x: [TableElement]) -> Float? {
    guard x.count == 2, case .unit(let one, let place) = x[0],
      case .unit(let other, let next) = x[1], areAlike(layers[one], layers[other])
    else { return nil }
    let (first, second) = (layers[one].units[place], layers[other].units[next])
    guard layers[one].isOpposite(first, layers[other], second) else { return nil }
    switch layers[one].activation {
    case .sigmoid: return first.offset == -second.offset ? 1 : nil
    case .identity: return Float(first.offset + second.offset)
    case .relu, .tanh, .softmax, .oneVersusRest: return nil
    }
  }
}

extension TableElement {
  fileprivate var isCell: Bool { if case .cell = self { true } else { false } }
}
