/// Makes rows of a model from values by their names, by the code with which the gate made them.
public struct FeaturePreparer: Sendable {
  /// The schema that it was made of.
  public let schema: FeatureSchema
  private let places: [String: Int]
  /// Of each feature its categories; nil without names.
  private let tables: [CategoryTable?]

  /// Prepares for rows of a schema.
  public init(_ schema: FeatureSchema) {
    self.schema = schema
    places = Dictionary(schema.names.enumerated().map { ($1, $0) }) { first, _ in first }
    tables = schema.features.map { feature in
      guard case .category(let list) = feature.kind, !list.names.isEmpty else { return nil }
      return CategoryTable(list.names)
    }
  }

  /// The row that a model takes: `schema.columnCount` numbers, NaN where one is missing.
  ///
  /// - Parameter values: one for each feature of the schema, `.missing` where there is none.
  /// - Throws: `FeatureError` that names the feature, its value, and what is known.
  public func row(_ values: [String: FeatureValue]) throws(FeatureError) -> [Float] {
    try doubles(values).map { Float($0) }
  }

  /// The same for a model that compares numbers of 64 bits.
  ///
  /// - Throws: as `row`.
  public func doubles(_ values: [String: FeatureValue]) throws(FeatureError) -> [Double] {
    // Sorted, so that of several faults the same is named every time.
    let sorted = values.sorted { $0.key < $1.key }
    return try columns(ofCodes: try codes(names: sorted.map(\.key), values: sorted.map(\.value)))
  }

  // MARK: Codes

  /// One number for each feature, in the order of the schema: the code of a category, NaN where a value
  /// is missing.
  ///
  /// - Parameter names: of the values, each once.
  /// - Throws: `FeatureError`.
  package func codes(
    names: [String], values: [FeatureValue]
  ) throws(FeatureError) -> [Double] {
    var codes = [Double](repeating: .nan, count: schema.features.count)
    var isGiven = [Bool](repeating: false, count: codes.count)
    for (name, value) in zip(names, values) {
      guard let place = places[name] else {
        throw .unknownFeature(name: name, known: schema.names)
      }
      codes[place] = try code(of: value, at: place)
      isGiven[place] = true
    }
    if let place = isGiven.firstIndex(of: false) {
      throw .noValue(name: schema.features[place].name)
    }
    return codes
  }

  /// Whether a number as a table writes it is the name of a category rather than a number: it is one of the
  /// names, byte for byte, or it is written as no number is (`007`, `+7`).
  ///
  /// - Parameter name: of a feature, which need not be one of the schema's.
  package func isCategory(_ text: String, of name: String) -> Bool {
    guard let table = places[name].flatMap({ tables[$0] }) else { return false }
    let digits = text.utf8.drop { $0 == UInt8(ascii: "-") }
    return table.code(of: text) != nil || digits.first == UInt8(ascii: "+")
      || digits.first == UInt8(ascii: "0")
        && digits.dropFirst().first.map((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) == true
  }

  /// A number in its shortest form: `2`, also for 2.0, and `0.5`.
  package static func text(of number: Double) -> String { CategoryTable.text(of: number) }

  private func code(of value: FeatureValue, at place: Int) throws(FeatureError) -> Double {
    let feature = schema.features[place]
    func other(_ expected: String) -> FeatureError {
      .otherValue(name: feature.name, found: value.words, expected: expected)
    }
    if value.isMissing { return .nan }
    switch (feature.kind, value) {
    case (.number, .number(let number)), (.cyclic, .number(let number)): return number
    case (.number, .truth(let truth)), (.boolean, .truth(let truth)): return truth ? 1 : 0
    // pandas writes a column of truth values so, and libraries train on it as 1 and 0.
    case (.number, .text("true")), (.number, .text("True")), (.boolean, .text("true")),
      (.boolean, .text("True")):
      return 1
    case (.number, .text("false")), (.number, .text("False")), (.boolean, .text("false")),
      (.boolean, .text("False")):
      return 0
    case (.number, _), (.cyclic, _): throw other("a number")
    case (.boolean, .number(let number)) where number == 0 || number == 1: return number
    case (.boolean, .number(let number)) where feature.absent.contains(number): return number
    case (.boolean, _): throw other("true or false")
    case (.category(let list), _):
      guard let table = tables[place] else {
        guard case .number(let code) = value, code == code.rounded() else {
          throw other("a code, a whole number: the model does not name its categories")
        }
        return code
      }
      return try code(of: value, in: table, list, feature)
    }
  }

  private func code(
    of value: FeatureValue, in table: CategoryTable, _ list: CategoryList, _ feature: Feature
  ) throws(FeatureError) -> Double {
    let found: Int?
    switch value {
    case .text(let text): found = table.code(of: text)
    case .truth(let truth): found = table.code(of: truth)
    case .number(let number):
      found = table.code(of: number)
      // It might be meant as a code, which is no category.
      guard found != nil || table.hasNumbers else {
        throw .unknownCategory(name: feature.name, found: value.words, known: list.names)
      }
    case .missing: return .nan
    }
    if let found { return Double(found) }
    switch list.unknown {
    case .missing: return .nan
    case .code(let code): return Double(code)
    case .refused:
      throw .unknownCategory(name: feature.name, found: value.words, known: list.names)
    }
  }

  // MARK: Columns

  /// The numbers that the model takes.
  ///
  /// - Parameter codes: as `codes` gives them, one for each feature.
  /// - Throws: `FeatureError` for one that is missing where none may be, and for numbers that 32 bits do not
  ///   hold.
  package func columns(ofCodes codes: [Double]) throws(FeatureError) -> [Double] {
    precondition(codes.count == schema.features.count, "a code for each feature")
    var columns: [Double] = []
    columns.reserveCapacity(schema.columnCount)
    for (feature, code) in zip(schema.features, codes) {
      try feature.append(code, to: &columns)
    }
    return columns
  }
}

extension Feature {
  fileprivate func append(
    _ code: Double, to columns: inout [Double]
  ) throws(FeatureError) {
    var number = code
    let isMissing = number.isNaN || absent.contains(number) || isMissingCategory(number)
    if isMissing {
      switch missing {
      case .refused: throw .missing(name: name)
      case .taken:
        columns.append(.nan)
        return
      case .replaced(let value): number = value
      }
    }
    guard Float(number).isFinite else {
      throw .otherValue(
        name: name, found: "\(number)", expected: "a finite number of 32 bits")
    }
    switch kind {
    case .number, .boolean: columns.append(number)
    case .cyclic(let period):
      let point = CyclePoint(of: number, period: period)
      columns += [point.sine, point.cosine]
    case .category(let list):
      guard list.encoding == .oneHot else {
        // No category of a list has a code with a fraction.
        guard isMissing || list.names.isEmpty || number == number.rounded() else {
          throw .unknownCategory(name: name, found: "the code \(number)", known: list.names)
        }
        columns.append(number)
        return
      }
      let place = Int(exactly: number)
      let isKnown = place.map(list.names.indices.contains) ?? false
      guard isKnown || isMissing || place != nil && list.unknown != .refused else {
        throw .unknownCategory(name: name, found: "the code \(number)", known: list.names)
      }
      columns += list.names.indices.map { $0 == place ? 1 : 0 }
    }
  }

  /// Whether a code is of no category, where those are missing and have columns.
  private func isMissingCategory(_ code: Double) -> Bool {
    guard case .category(let list) = kind, list.encoding == .oneHot, list.unknown == .missing,
      let place = Int(exactly: code)
    else { return false }
    return !list.names.indices.contains(place)
  }
}
