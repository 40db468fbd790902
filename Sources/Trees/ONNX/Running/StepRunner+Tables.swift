import StrictJSON

extension StepRunner {
  private func numbers(_ x: TabularColumn) throws(TreeError) -> [Float] {
    guard case .floats(let values) = try cast(x, .float).elements else {
      throw fault("is given \(x.type), expected numbers")
    }
    return values
  }

  func scaled(
    _ x: TabularColumn, _ offset: [Float], _ scale: [Float]
  ) throws(TreeError) -> TabularColumn {
    let width = x.width
    guard offset.count == 1 || offset.count == width, scale.count == 1 || scale.count == width
    else {
      throw fault(
        "has \(Figures.count(offset.count, "offset")) and \(Figures.count(scale.count, "factor")) for \(Figures.count(width, "column"))"
      )
    }
    let values = try numbers(x).enumerated().map { place, value in
      (value - offset[offset.count == 1 ? 0 : place % width])
        * scale[scale.count == 1 ? 0 : place % width]
    }
    return TabularColumn(.floats(values), x.shape)
  }

  func normalized(
    _ x: TabularColumn, _ norm: TabularOperation.Norm
  ) throws(TreeError) -> TabularColumn {
    guard x.count == x.width else { throw fault("is given the shape \(x.shape), expected a row") }
    let values = try numbers(x)
    let sum: Float =
      switch norm {
      // A missing value is none of them.
      case .largest: values.reduce(-.greatestFiniteMagnitude) { $1 > $0 ? $1 : $0 }
      case .absolute: values.reduce(0) { $0 + abs($1) }
      case .euclidean: values.reduce(0) { $0 + $1 * $1 }
      }
    guard sum != 0 else { return TabularColumn(.floats(values), x.shape) }
    let shares = values.map { value in
      guard norm == .euclidean else { return value / sum }
      let root = (value * value / sum).squareRoot()
      return value < 0 ? -root : root
    }
    return TabularColumn(.floats(shares), x.shape)
  }

  func imputed(_ x: TabularColumn, _ imputer: TabularImputer) throws(TreeError) -> TabularColumn {
    let width = x.width
    switch (imputer, x.elements) {
    case (.floats(let values, let replaced), .floats(let numbers)):
      return TabularColumn(
        .floats(
          numbers.enumerated().map { place, number in
            number == replaced || (number.isNaN && replaced.isNaN)
              ? values[values.count == 1 ? 0 : place % width] : number
          }), x.shape)
    case (.integers(let values, let replaced), .integers(let numbers)):
      return TabularColumn(
        .integers(
          numbers.enumerated().map { place, number in
            number == replaced ? values[values.count == 1 ? 0 : place % width] : number
          }), x.shape)
    default: throw fault("is given \(x.type), which is not what it replaces")
    }
  }

  func oneHot(
    _ x: TabularColumn, _ labels: TreeLabels, _ allowsUnknown: Bool
  ) throws(TreeError) -> TabularColumn {
    let shape = x.shape + [labels.count]
    var values = [Float](repeating: 0, count: try count(of: shape))
    let places: [Int?]
    switch (labels, x.elements) {
    case (.texts(let names), .texts(let texts)):
      places = texts.map { text in names.lastIndex(of: text) }
    case (.integers(let names), .texts):
      throw fault("is given texts, its \(names.count) categories are integers")
    case (.texts, _): throw fault("is given \(x.type), its categories are texts")
    case (.integers(let names), .integers(let numbers)):
      places = numbers.map { number in names.lastIndex(of: Int(number)) }
    case (.integers(let names), _):
      guard case .integers(let numbers) = try cast(x, .int64).elements else {
        throw fault("is given \(x.type)")
      }
      places = numbers.map { number in names.lastIndex(of: Int(number)) }
    }
    for (element, place) in places.enumerated() {
      guard let place else {
        guard allowsUnknown || isTrial else {
          throw fault("is given a category that it does not know")
        }
        continue
      }
      values[element * labels.count + place] = 1
    }
    return TabularColumn(.floats(values), shape)
  }

  func mapped(_ x: TabularColumn, _ map: TabularLabelMap) throws(TreeError) -> TabularColumn {
    guard let all = map.values.followed(by: map.other) else {
      throw fault("maps to values of two types")
    }
    let places: [Int]
    switch (map.keys, x.elements) {
    case (.texts(let keys), .texts(let texts)): places = StepRunner.places(texts, keys)
    case (.integers(let keys), .integers(let numbers)): places = StepRunner.places(numbers, keys)
    // As bits, in which NaN is equal to itself; −0 is 0.
    case (.floats(let keys), .floats(let numbers)):
      places = StepRunner.places(numbers.map(StepRunner.bits), keys.map(StepRunner.bits))
    case (.doubles(let keys), .doubles(let numbers)):
      places = StepRunner.places(numbers.map(StepRunner.bits), keys.map(StepRunner.bits))
    default: throw fault("is given \(x.type), its keys are \(map.keys.type)")
    }
    return TabularColumn(all.picked(places), x.shape)
  }

  /// Of each element the place of the first key that it is; their number where it is none.
  private static func places<Key: Hashable>(_ elements: [Key], _ keys: [Key]) -> [Int] {
    let byKey = Dictionary(zip(keys, keys.indices)) { first, _ in first }
    return elements.map { byKey[$0] ?? keys.count }
  }

  private static func bits(_ number: Float) -> UInt32 {
    number.isNaN ? Float.nan.bitPattern : number == 0 ? 0 : number.bitPattern
  }

  private static func bits(_ number: Double) -> UInt64 {
    number.isNaN ? Double.nan.bitPattern : number == 0 ? 0 : number.bitPattern
  }

  func vector(_ inputs: [TabularColumn?]) throws(TreeError) -> TabularColumn {
    let columns = try inputs.map { input throws(TreeError) in
      let column = try cast(try needed(input, "input"), .float)
      return column.reshaped([1, column.count])
    }
    return try concatenated(columns, 1)
  }
}
