/// A program as a model over one row of numbers: names of the row's features, a scaler or none, and what
/// predicts.
struct TabularTable {
  /// Steps of a vector.
  struct Row {
    var features: [String]
    /// x' = scale · (x + shift), a number for each feature; nil for x itself.
    var scaler: (shift: [Double], scale: [Double])?
    /// Of each feature the number in place of a missing value; nil where missing values stay.
    var filling: [Double]?

    /// Whether values are as an app gives them.
    var isPlain: Bool { scaler == nil && filling == nil }
  }

  let row: Row
  /// Trees or a linear model.
  let predictor: TabularStep

  /// - Throws: the step that no model of Ingot's has, by its place and kind.
  init(_ program: TabularProgram, path: String) throws(TabularError) {
    let place = TabularPlace(path)
    guard case .pipeline(let pipeline) = program.step else {
      row = Row(features: try Self.names(program.inputs, at: place))
      predictor = try Self.predictor(program, at: place)
      return
    }
    var known: [String: Row] = [:]
    for input in program.inputs where input.width != nil {
      known[input.name] = Row(features: try Self.names([input], at: place))
    }
    let steps = Self.flat(pipeline, at: place)
    for (step, place) in steps.dropLast() {
      known[step.outputs[0].name] = try Self.row(of: step, known, at: place)
    }
    guard let (last, end) = steps.last else { throw place.fault("has no steps") }
    row = try Self.joined(last.inputs.map(\.name), known, at: end)
    predictor = try Self.predictor(last, at: end)
    guard Set(row.features).count == row.features.count else {
      throw end.fault("looks at a feature twice, which no model that Ingot runs does")
    }
    switch predictor {
    case .linearClassifier, .linearRegressor:
      guard row.filling == nil else {
        throw end.fault(
          "has an imputer before a linear model, which Ingot does not run; fill in what is missing in "
            + "the app")
      }
    default:
      guard row.scaler == nil else {
        throw end.fault(
          "has a scaler before trees, which Ingot does not run; train the trees on plain values")
      }
    }
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

  private static func names(
    _ inputs: [TabularFeature], at place: TabularPlace
  ) throws(TabularError) -> [String] {
    var names: [String] = []
    for input in inputs {
      guard let width = input.width else {
        throw place.fault("input '\(input.name)' is \(input.kind), expected numbers")
      }
      names += width == 1 ? [input.name] : (0..<width).map { "\(input.name)[\($0)]" }
    }
    return names
  }

  private static func predictor(
    _ program: TabularProgram, at place: TabularPlace
  ) throws(TabularError) -> TabularStep {
    switch program.step {
    case .treeClassifier, .treeRegressor, .linearClassifier, .linearRegressor: return program.step
    default:
      throw place.fault(
        "is a \(program.step.word), expected trees or a linear model at the end")
    }
  }

  private static func row(
    of program: TabularProgram, _ known: [String: Row], at place: TabularPlace
  ) throws(TabularError) -> Row {
    switch program.step {
    case .featureVectorizer(let columns): return try joined(columns.map(\.name), known, at: place)
    case .scaler(let shift, let scale):
      var row = try joined(program.inputs.map(\.name), known, at: place)
      guard row.scaler == nil, row.filling == nil else {
        throw place.fault("stands behind another scaler or an imputer, which Ingot does not run")
      }
      let count = row.features.count
      row.scaler = (
        numbers(shift, or: 0, count), numbers(scale, or: 1, count)
      )
      return row
    case .imputer(.array(let values, let missing)) where missing.isNaN:
      var row = try joined(program.inputs.map(\.name), known, at: place)
      guard row.scaler == nil, row.filling == nil else {
        throw place.fault("stands behind a scaler or another imputer, which Ingot does not run")
      }
      row.filling = values
      return row
    case .arrayFeatureExtractor(let places):
      let row = try joined(program.inputs.map(\.name), known, at: place)
      guard row.isPlain else { throw place.fault("takes values out of another step's") }
      return Row(features: places.map { row.features[$0] })
    default:
      throw place.fault(
        "is read, but no model that Ingot runs has it; give Ingot the estimator behind it, and do "
          + "what is before it in the app")
    }
  }

  /// A number for each feature.
  private static func numbers(_ given: [Double], or usual: Double, _ count: Int) -> [Double] {
    given.count == count ? given : [Double](repeating: given.first ?? usual, count: count)
  }

  private static func joined(
    _ names: [String], _ known: [String: Row], at place: TabularPlace
  ) throws(TabularError) -> Row {
    var rows: [Row] = []
    for name in names {
      guard let row = known[name] else {
        throw place.fault("takes '\(name)', which is a text or a dictionary; Ingot runs numbers")
      }
      rows.append(row)
    }
    if rows.count == 1 { return rows[0] }
    guard rows.allSatisfy(\.isPlain) else {
      throw place.fault("joins values of other steps, which Ingot does not run")
    }
    return Row(features: rows.flatMap(\.features))
  }
}
