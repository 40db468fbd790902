import StrictJSON
import Trees

extension TabularProgram {
  /// Refuses a transforming step whose inputs and outputs do not suit it.
  func checkTransform(at place: TabularPlace) throws(TabularError) {
    if predicted != nil || probabilities != nil {
      throw place.fault("only transforms, but says that it predicts")
    }
    if case .featureVectorizer(let columns) = step { return try check(columns, at: place) }
    guard inputs.count == 1, outputs.count == 1 else {
      throw place.fault(
        "has \(Figures.count(inputs.count, "input")) and \(Figures.count(outputs.count, "output")), expected one of each"
      )
    }
    let input = inputs[0].kind
    switch step {
    case .scaler(let shift, let scale):
      let count = try arrayCount(at: place)
      for numbers in [shift, scale] where ![0, 1, count].contains(numbers.count) {
        throw place.fault("has \(numbers.count) numbers for \(count), expected 0, 1 or \(count)")
      }
      try requireFinite(shift + scale, "numbers", at: place)
      try requireOutput(input, at: place)
    case .imputer(let imputation):
      try check(imputation, at: place)
      try requireOutput(input, at: place)
    case .normalizer:
      _ = try arrayCount(at: place)
      try requireOutput(input, at: place)
    case .oneHotEncoder(let categories, let isSparse, _):
      try checkKeys(categories, as: categories.kind, at: place)
      try requireOutput(isSparse ? .integerDictionary : .array(categories.count), at: place)
    case .dictVectorizer(let keys):
      try checkKeys(keys, as: keys.dictionaryKind, at: place)
      guard [.integerDictionary, .array(keys.count)].contains(outputs[0].kind) else {
        return try requireOutput(.array(keys.count), at: place)
      }
    case .arrayFeatureExtractor(let places): try check(places, at: place)
    default: break
    }
  }

  private func arrayCount(at place: TabularPlace) throws(TabularError) -> Int {
    guard case .array(let count) = inputs[0].kind else {
      throw place.fault("input '\(inputs[0].name)' is \(inputs[0].kind), expected an array")
    }
    return count
  }

  private func requireOutput(
    _ kind: TabularFeature.Kind, at place: TabularPlace
  ) throws(TabularError) {
    guard outputs[0].kind == kind else {
      throw place.fault("output '\(outputs[0].name)' is \(outputs[0].kind), expected \(kind)")
    }
  }

  private func requireInput(
    _ kind: TabularFeature.Kind, at place: TabularPlace
  ) throws(TabularError) {
    guard inputs[0].kind == kind else {
      throw place.fault("input '\(inputs[0].name)' is \(inputs[0].kind), expected \(kind)")
    }
  }

  private func check(
    _ imputation: TabularStep.Imputation, at place: TabularPlace
  ) throws(TabularError) {
    switch imputation {
    case .double(let value, _):
      try requireInput(.double, at: place)
      try requireFinite([value], "numbers", at: place)
    case .int64: try requireInput(.int64, at: place)
    case .string: try requireInput(.string, at: place)
    case .array(let values, _):
      try requireInput(.array(values.count), at: place)
      try requireFinite(values, "numbers", at: place)
    }
  }

  private func checkKeys(
    _ keys: TreeLabels, as kind: TabularFeature.Kind, at place: TabularPlace
  ) throws(TabularError) {
    guard keys.count > 0 else { throw place.fault("has no categories") }
    if let repeated = keys.repeated { throw place.fault("has the category '\(repeated)' twice") }
    try requireInput(kind, at: place)
  }

  private func check(_ places: [Int], at place: TabularPlace) throws(TabularError) {
    let count = try arrayCount(at: place)
    if let wrong = places.first(where: { !(0..<count).contains($0) }) {
      throw place.fault("takes number \(wrong) of an array of \(count)")
    }
    if places.count == 1, [.double, .int64].contains(outputs[0].kind) { return }
    try requireOutput(.array(places.count), at: place)
  }

  private func check(_ columns: [TabularStep.Column], at place: TabularPlace) throws(TabularError) {
    var count = 0
    for column in columns {
      guard let input = inputs.first(where: { $0.name == column.name }) else {
        throw place.fault("column '\(column.name)' is not one of the inputs")
      }
      guard (1...TabularProgram.arrayLimit).contains(column.count) else {
        throw place.fault(
          "column '\(column.name)' has \(column.count) numbers, "
            + "expected 1 to \(TabularProgram.arrayLimit)")
      }
      guard input.width == column.count || input.kind == .integerDictionary else {
        throw place.fault(
          "column '\(column.name)' has \(column.count) numbers and is \(input.kind)")
      }
      count += column.count
    }
    guard outputs.count == 1 else {
      throw place.fault("has \(Figures.count(outputs.count, "output")), expected one")
    }
    try requireOutput(.array(count), at: place)
  }
}
