import Trees

/// A program as a model over one row of named features: what each number of its vector is made of, and what
/// predicts.
struct TabularTable {
  /// A vector between steps.
  struct Row {
    var cells: [TabularCell]
    /// What the vector is divided by.
    var norm: TabularStep.Norm?
  }

  /// What a name stands for.
  private enum Value {
    case row(Row)
    /// A whole number, for an encoder.
    case integer(TabularCell)
    /// A text, and the text in place of a missing one.
    case text(String, filling: (value: String, missing: String)?)
    case dictionary(String)
  }

  let row: Row
  /// Trees or a linear model.
  let predictor: TabularStep
  /// Of the predictor.
  let place: TabularPlace

  /// - Throws: the step that no model of Ingot's has, by its place and kind.
  init(_ program: TabularProgram, path: String) throws(TabularError) {
    let place = TabularPlace(path)
    guard case .pipeline(let pipeline) = program.step else {
      row = Row(cells: try Self.cells(program.inputs, at: place))
      predictor = try Self.predictor(program, at: place)
      self.place = place
      return
    }
    var known: [String: Value] = [:]
    for input in program.inputs {
      switch input.kind {
      case .string: known[input.name] = .text(input.name, filling: nil)
      case .textDictionary, .integerDictionary: known[input.name] = .dictionary(input.name)
      case .int64: known[input.name] = .integer(TabularCell(.number(input.name, input: input.name)))
      case .double, .array:
        known[input.name] = .row(Row(cells: try Self.cells([input], at: place)))
      }
    }
    let steps = Self.flat(pipeline, at: place)
    try Self.checkSize(steps, at: place)
    for (step, place) in steps.dropLast() {
      known[step.outputs[0].name] = try Self.value(of: step, known, at: place)
    }
    guard let (last, end) = steps.last else { throw place.fault("has no steps") }
    try Self.requireOutputs(program, of: last, at: place)
    row = try Self.joined(last.inputs.map(\.name), known, at: end)
    predictor = try Self.predictor(last, at: end)
    self.place = end
  }

  /// Steps in the order in which they run, with the places of those in pipelines of their own.
  private static func flat(
    _ pipeline: TabularStep.Pipeline, at place: TabularPlace
  ) -> [(TabularProgram, TabularPlace)] {
    pipeline.programs.enumerated().flatMap { number, program in
      let place = place.within("step \(number) (\(program.step.word))")
      guard case .pipeline(let inner) = program.step else { return [(program, place)] }
      return flat(inner, at: place)
    }
  }

  private static func cells(
    _ inputs: [TabularFeature], at place: TabularPlace
  ) throws(TabularError) -> [TabularCell] {
    var cells: [TabularCell] = []
    for input in inputs {
      guard let width = input.width else {
        throw place.fault("input '\(input.name)' is \(input.kind), expected numbers")
      }
      guard input.kind != .int64 else { throw wholeNumber(input.name, at: place) }
      cells +=
        width == 1
        ? [TabularCell(.number(input.name, input: input.name))]
        : (0..<width).map {
          TabularCell(.number("\(input.name)[\($0)]", input: input.name))
        }
    }
    return cells
  }

  private static func predictor(
    _ program: TabularProgram, at place: TabularPlace
  ) throws(TabularError) -> TabularStep {
    switch program.step {
    case .treeClassifier, .treeRegressor, .linearClassifier, .linearRegressor: return program.step
    case .network(let network): return network.linear
    default:
      throw place.fault(
        "is a \(program.step.word), expected trees or a linear model at the end")
    }
  }

  private static func value(
    of program: TabularProgram, _ known: [String: Value], at place: TabularPlace
  ) throws(TabularError) -> Value {
    let names = program.inputs.map(\.name)
    switch program.step {
    case .oneHotEncoder(let labels, _, let unknown):
      let category = try category(known[names[0]], names[0], labels, unknown, at: place)
      return .row(
        Row(cells: (0..<labels.count).map { TabularCell(.category(category, place: $0)) }))
    case .dictVectorizer(let keys):
      guard case .dictionary(let name) = known[names[0]] else {
        throw place.fault("reads '\(names[0])', which is not one of the inputs")
      }
      return .row(Row(cells: cells(of: keys, in: name)))
    case .imputer(.string(let value, let missing)):
      guard case .text(let name, nil) = known[names[0]] else {
        throw place.fault("follows another imputer of texts; Ingot runs one for each text")
      }
      return .text(name, filling: (value, missing))
    case .featureVectorizer(let columns): return .row(try joined(columns, known, at: place))
    default:
      let row = try transformed(try joined(names, known, at: place), program.step, at: place)
      return program.outputs[0].kind == .int64 ? .integer(row.cells[0]) : .row(row)
    }
  }

  private static func cells(of keys: TreeLabels, in name: String) -> [TabularCell] {
    switch keys {
    case .texts(let texts): texts.map { TabularCell(.key($0, input: name)) }
    case .integers(let numbers):
      numbers.map { TabularCell(.key("\(name)[\($0)]", input: name)) }
    }
  }

  private static func category(
    _ value: Value?, _ input: String, _ labels: TreeLabels, _ unknown: TabularStep.Unknown,
    at place: TabularPlace
  ) throws(TabularError) -> TabularCategory {
    switch (value, labels) {
    case (.text(let name, let filling), .texts(let texts)):
      var code: Int?
      if let (value, missing) = filling {
        code = texts.firstIndex(of: value)
        guard missing.isEmpty else {
          throw place.fault(
            "encodes '\(name)' behind an imputer that puts '\(value)' in place of '\(missing)', and for "
              + "Ingot the empty text alone is missing; do it in the app")
        }
        guard code != nil, !texts.contains(missing) else {
          throw place.fault(
            "has the categories \(texts), and '\(missing)' becomes '\(value)' before it; let the "
              + "imputer replace missing texts by one of the categories")
        }
      }
      return TabularCategory(name: name, labels: labels, unknown: unknown, filling: code)
    case (.integer(let cell), .integers(let numbers)) where cell.isPlain:
      if let large = numbers.first(where: { $0.magnitude >= 1 << 53 }) {
        throw place.fault(
          "has the category \(large) of '\(cell.name)', and rows have doubles, which tell whole numbers "
            + "apart below 2^53 (\(1 << 53)); give it a smaller number")
      }
      return TabularCategory(name: cell.name, labels: labels, unknown: unknown, filling: nil)
    default:
      throw place.fault(
        "encodes '\(input)', which another step has made; let the encoder read the feature itself")
    }
  }

  private static func transformed(
    _ row: Row, _ step: TabularStep, at place: TabularPlace
  ) throws(TabularError) -> Row {
    var row = row
    guard row.norm == nil else {
      throw place.fault("follows a normalizer, where Ingot runs only the model itself")
    }
    switch step {
    case .scaler(let shift, let scale):
      let count = row.cells.count
      let (shift, scale) = (numbers(shift, or: 0, count), numbers(scale, or: 1, count))
      for place in row.cells.indices {
        row.cells[place].steps.append(.affine(shift: shift[place], scale: scale[place]))
      }
    case .imputer(let imputation): row.fill(imputation)
    case .arrayFeatureExtractor(let places): row.cells = places.map { row.cells[$0] }
    case .normalizer(let norm) where norm != .largest: row.norm = norm
    default:
      throw place.fault(
        "is a step that Ingot does not run; give Ingot the estimator alone, and do "
          + "the steps before it in the app")
    }
    return row
  }

  /// A number for each feature.
  private static func numbers(_ given: [Double], or usual: Double, _ count: Int) -> [Double] {
    given.count == count ? given : [Double](repeating: given.first ?? usual, count: count)
  }

  private static func joined(
    _ columns: [TabularStep.Column], _ known: [String: Value], at place: TabularPlace
  ) throws(TabularError) -> Row {
    for column in columns {
      let count = try joined([column.name], known, at: place).cells.count
      guard count == column.count else {
        throw place.fault(
          "takes \(column.count) numbers of '\(column.name)', which has \(count)")
      }
    }
    return try joined(columns.map(\.name), known, at: place)
  }

  private static func joined(
    _ names: [String], _ known: [String: Value], at place: TabularPlace
  ) throws(TabularError) -> Row {
    var rows: [Row] = []
    for name in names {
      switch known[name] {
      case .row(let row): rows.append(row)
      case .integer(let cell): throw wholeNumber(cell.name, at: place)
      case .text, .dictionary:
        throw place.fault(
          "takes '\(name)', which is a text or a dictionary; let an encoder make numbers of it")
      case nil:
        throw place.fault(
          "takes '\(name)', which is neither an input nor the output of an earlier step")
      }
    }
    if rows.count == 1 { return rows[0] }
    guard rows.allSatisfy({ $0.norm == nil }) else {
      throw place.fault("joins a normalizer with other values, which Ingot does not run")
    }
    return Row(cells: rows.flatMap(\.cells))
  }
}

extension TabularTable.Row {
  fileprivate mutating func fill(_ imputation: TabularStep.Imputation) {
    switch imputation {
    case .double(let value, let missing):
      cells[0].steps.append(.filled(value, missing: missing))
    case .int64(let value, let missing):
      cells[0].steps.append(.filled(Double(value), missing: Double(missing)))
    case .array(let values, let missing):
      for place in cells.indices {
        cells[place].steps.append(.filled(values[place], missing: missing))
      }
    case .string: break
    }
  }
}
