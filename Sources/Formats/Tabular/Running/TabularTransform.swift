import Trees

/// Runs a step that only transforms.
struct TabularTransform {
  private let step: TabularStep
  private let inputs: [TabularFeature]
  private let output: TabularFeature.Kind
  private let place: TabularPlace

  init(
    _ step: TabularStep, _ inputs: [TabularFeature], _ output: TabularFeature.Kind,
    _ place: TabularPlace
  ) {
    self.step = step
    self.inputs = inputs
    self.output = output
    self.place = place
  }

  /// - Parameter values: of all inputs, in order, of their kinds.
  func apply(to values: [TabularValue]) throws(TabularError) -> TabularValue {
    switch step {
    case .scaler(let shift, let scale):
      return .array(scaled(values[0].numbers ?? [], shift, scale))
    case .imputer(let imputation): return imputed(values[0], imputation)
    case .oneHotEncoder(let categories, _, let unknown):
      return try encoded(values[0], categories, unknown)
    case .dictVectorizer(let keys): return try vector(values[0], keys)
    case .featureVectorizer(let columns): return .array(try row(values, columns))
    case .normalizer(let norm): return .array(try normalized(values[0].numbers ?? [], norm))
    case .arrayFeatureExtractor(let places): return try extracted(values[0].numbers ?? [], places)
    default: throw place.fault("is not a transform")
    }
  }

  private func scaled(_ values: [Double], _ shift: [Double], _ scale: [Double]) -> [Double] {
    values.enumerated().map { place, value in
      let shift = shift.isEmpty ? 0 : shift.count == 1 ? shift[0] : shift[place]
      let scale = scale.isEmpty ? 1 : scale.count == 1 ? scale[0] : scale[place]
      return (value + shift) * scale
    }
  }

  private func imputed(
    _ value: TabularValue, _ imputation: TabularStep.Imputation
  ) -> TabularValue {
    func known(_ value: Double, _ other: Double, _ missing: Double) -> Double {
      value == missing || (value.isNaN && missing.isNaN) ? other : value
    }
    switch (value, imputation) {
    case (.double(let value), .double(let other, let missing)):
      return .double(known(value, other, missing))
    case (.int64(let value), .int64(let other, let missing)):
      return .int64(value == missing ? other : value)
    case (.string(let value), .string(let other, let missing)):
      return .string(value == missing ? other : value)
    case (.array(let values), .array(let others, let missing)):
      return .array(zip(values, others).map { known($0, $1, missing) })
    default: return value
    }
  }

  private func encoded(
    _ value: TabularValue, _ categories: TreeLabels, _ unknown: TabularStep.Unknown
  ) throws(TabularError) -> TabularValue {
    let found =
      switch (value, categories) {
      case (.string(let value), .texts(let texts)): texts.firstIndex(of: value)
      case (.int64(let value), .integers(let numbers)): numbers.firstIndex(of: value)
      default: Int?.none
      }
    guard found != nil || unknown == .isZero else {
      throw place.fault("input '\(inputs[0].name)' is \(value), which is not one of the categories")
    }
    return placed(found.map { [$0: 1] } ?? [:])
  }

  private func vector(
    _ value: TabularValue, _ keys: TreeLabels
  ) throws(TabularError) -> TabularValue {
    var numbers: [Int: Double] = [:]
    switch (value, keys) {
    case (.textDictionary(let values), .texts(let keys)):
      for (key, number) in values { numbers[try index(of: key, in: keys)] = number }
    case (.integerDictionary(let values), .integers(let keys)):
      for (key, number) in values { numbers[try index(of: key, in: keys)] = number }
    default: break
    }
    return placed(numbers)
  }

  private func index<Key: Equatable>(of key: Key, in keys: [Key]) throws(TabularError) -> Int {
    guard let index = keys.firstIndex(of: key) else {
      throw place.fault("input '\(inputs[0].name)' has the key '\(key)', which is not known")
    }
    return index
  }

  /// Numbers by place, as the output has them.
  private func placed(_ numbers: [Int: Double]) -> TabularValue {
    guard case .array(let count) = output else { return .integerDictionary(numbers) }
    return .array((0..<count).map { numbers[$0] ?? 0 })
  }

  private func row(
    _ values: [TabularValue], _ columns: [TabularStep.Column]
  ) throws(TabularError) -> [Double] {
    var row: [Double] = []
    for column in columns {
      guard let input = inputs.firstIndex(where: { $0.name == column.name }) else { continue }
      if let numbers = values[input].numbers {
        row += numbers
      } else if case .integerDictionary(let numbers) = values[input] {
        if let key = numbers.keys.first(where: { !(0..<column.count).contains($0) }) {
          throw place.fault("input '\(column.name)' has number \(key) of \(column.count)")
        }
        row += (0..<column.count).map { numbers[$0] ?? 0 }
      }
    }
    return row
  }

  private func normalized(
    _ values: [Double], _ norm: TabularStep.Norm
  ) throws(TabularError) -> [Double] {
    let size: Double
    switch norm {
    case .sum: size = values.reduce(0) { $0 + abs($1) }
    case .length: size = values.reduce(0) { $0 + $1 * $1 }.squareRoot()
    case .largest:
      size = values.map { abs($0) }.max() ?? 0
      guard size == 0 || values.contains(size) else {
        throw place.fault(
          "input '\(inputs[0].name)' has its largest magnitude \(size) below 0, where Core ML and "
            + "scikit-learn divide by different numbers")
      }
    }
    return size == 0 ? values : values.map { $0 / size }
  }

  private func extracted(
    _ values: [Double], _ places: [Int]
  ) throws(TabularError) -> TabularValue {
    switch output {
    case .double: return .double(values[places[0]])
    case .int64:
      guard let number = Int(exactly: values[places[0]]) else {
        throw place.fault(
          "input '\(inputs[0].name)' has \(values[places[0]]) at \(places[0]), "
            + "expected a whole number")
      }
      return .int64(number)
    default: return .array(places.map { values[$0] })
    }
  }
}
