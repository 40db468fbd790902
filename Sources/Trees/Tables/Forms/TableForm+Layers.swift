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
    if x.allSatisfy({ if case .cell = $0 { true } else { false } }) { return (x, nil) }
    if case .normalized(_, let size)? = x.first {
      guard x == rows[size.row].map({ .normalized($0, size) }) else {
        throw fault("reads some columns of a row that is divided by the size of all")
      }
      return (rows[size.row].map { .cell($0) }, size.norm)
    }
    guard let layer = whole(x), case .linear = layers[layer].source,
      [.identity, .relu, .sigmoid, .tanh].contains(layers[layer].activation)
    else { throw fault("reads more than features that are filled, scaled or encoded one by one") }
    return (x, nil)
  }

  mutating func trees(_ x: [TableElement]) throws(TableFault) -> [TableElement] {
    guard x.allSatisfy({ if case .cell = $0 { true } else { false } }) else {
      throw fault("reads more than features that are filled, scaled or encoded one by one")
    }
    return append(
      TableUnits(
        source: .trees(step.name), inputs: x,
        units: (0..<(step.sums?.count ?? 1)).map { .init(output: $0) }))
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

  /// The roots of sums of squares.
  func roots(_ x: [TableElement]) throws(TableFault) -> [TableElement] {
    try x.map { element throws(TableFault) in
      guard case .size(var size) = element, size.isSquared else {
        throw fault("takes the square root of a number of a row")
      }
      size.isSquared = false
      return .size(size)
    }
  }

  /// The size of a row of squares or magnitudes; nil of anything else.
  private mutating func size(_ x: [TableElement]) -> TableElement? {
    let squares = x.compactMap { if case .square(let cell) = $0 { cell } else { nil } }
    let magnitudes = x.compactMap { if case .magnitude(let cell) = $0 { cell } else { nil } }
    guard !x.isEmpty, [squares.count, magnitudes.count].contains(x.count) else { return nil }
    let isSquared = squares.count == x.count
    rows.append(isSquared ? squares : magnitudes)
    return .size(
      TableSize(
        norm: isSquared ? .length : .sum, row: rows.count - 1, isSquared: isSquared))
  }

  /// The sum of all columns: of shares it is 1.
  mutating func sum(_ x: [TableElement]) throws(TableFault) -> TableElement {
    let isWhole = step.group == nil || step.group == x.count
    if isWhole, let size = size(x) { return size }
    guard isWhole, let layer = whole(x) else {
      throw fault("adds up columns of a row")
    }
    switch layers[layer].activation {
    case .softmax, .oneVersusRest: return .number(1)
    case .sigmoid: return .total(layer: layer)
    case .identity, .relu, .tanh: throw fault("adds up columns of a row")
    }
  }
}
