import IngotFeatures
import Trees

/// One number of a vector of a program: what it is made of, and what is done with it on the way.
struct TabularCell: Equatable {
  /// What an app gives.
  enum Source: Equatable {
    /// A number; NaN where it is missing.
    ///
    /// - Parameter input: of the program, which is an array of several.
    case number(String, input: String)
    /// 1 where a feature is the category at a place of its list, else 0.
    case category(TabularCategory, place: Int)
    /// The number under a key of a dictionary; 0 where there is none.
    ///
    /// - Parameter input: the dictionary.
    case key(String, input: String)
  }

  /// What a step does with a number.
  enum Step: Equatable {
    /// scale · (x + shift)
    case affine(shift: Double, scale: Double)
    /// The number in place of one that means a missing value, NaN or another.
    case filled(Double, missing: Double)
  }

  let source: Source
  /// In the order in which they are done.
  var steps: [Step] = []

  init(_ source: Source) { self.source = source }

  /// The name of the feature.
  var name: String {
    switch source {
    case .number(let name, _), .key(let name, _): name
    case .category(let category, _): category.name
    }
  }

  /// The name of the program's input that holds the feature.
  var input: String {
    switch source {
    case .number(_, let input), .key(_, let input): input
    case .category(let category, _): category.name
    }
  }

  /// Whether both are of one feature, though they may be other numbers of it.
  func isOfFeature(of other: TabularCell) -> Bool {
    if case .category(let category, _) = source, case .category(let same, _) = other.source {
      return category == same
    }
    return source == other.source
  }

  /// Whether the number is as an app gives it.
  var isPlain: Bool {
    guard case .number = source else { return false }
    return steps.isEmpty
  }

  /// What the steps make of a number.
  func value(of number: Double) -> Double { Self.value(of: number, after: steps) }

  /// What steps make of a number.
  static func value(of number: Double, after steps: [Step]) -> Double {
    steps.reduce(number) { value, step in
      switch step {
      case .affine(let shift, let scale): (value + shift) * scale
      case .filled(let other, let missing):
        value == missing || value.isNaN && missing.isNaN ? other : value
      }
    }
  }
}

/// A feature that is one of several categories, as an encoder has it.
struct TabularCategory: Equatable {
  let name: String
  let labels: TreeLabels
  let unknown: TabularStep.Unknown
  /// The code that takes the place of a missing value; nil without one.
  let filling: Int?

  /// In the order of their codes, whole numbers in digits.
  var names: [String] {
    switch labels {
    case .texts(let texts): texts
    case .integers(let numbers): numbers.map(String.init)
    }
  }
}

/// What all steps do with a number of a linear model.
struct TabularReduction {
  /// What takes the place of a missing value; nil where none may be missing.
  private(set) var filling: Double?
  /// Numbers that mean a missing value.
  private(set) var absent: [Double] = []
  /// x' = scale · (x + shift); nil for x itself.
  private(set) var affine: (shift: Double, scale: Double)?

  /// - Throws: what no linear model says.
  init(_ cell: TabularCell, at place: TabularPlace) throws(TabularError) {
    var isNumber = false
    switch cell.source {
    case .number: isNumber = true
    case .key: filling = 0
    case .category: break
    }
    var replaced: [TabularCell.Step] = []
    for step in cell.steps {
      switch step {
      case .affine(let shift, let scale):
        guard scale != 0 else {
          throw place.fault("has a scaler that multiplies by 0; leave that feature out")
        }
        affine =
          affine.map { ($0.shift + shift / $0.scale, $0.scale * scale) } ?? (shift, scale)
      case .filled(let value, let missing) where missing.isNaN && affine != nil:
        guard isNumber, filling == nil else { continue }
        filling = affine.map { value / $0.scale - $0.shift }
      case .filled(_, let missing):
        // Numbers of other sources are never NaN.
        if missing.isNaN, !isNumber { continue }
        guard isNumber, affine == nil else {
          throw place.fault(
            "has an imputer that replaces \(missing) of '\(cell.name)' behind a scaler or an encoder; "
              + "let it be the first step")
        }
        replaced.append(step)
        let number = TabularCell.value(of: .nan, after: replaced)
        filling = number.isNaN ? nil : number
        if !missing.isNaN, !absent.contains(missing) { absent.append(missing) }
      }
    }
    try check(replaced, cell.name, at: place)
  }

  /// Refuses imputers that do not give one number for all that means a missing value.
  private mutating func check(
    _ imputers: [TabularCell.Step], _ name: String, at place: TabularPlace
  ) throws(TabularError) {
    // A number that becomes itself again does not mean a missing value.
    absent = absent.filter { TabularCell.value(of: $0, after: imputers) != $0 || filling == $0 }
    for missing in absent {
      let number = TabularCell.value(of: missing, after: imputers)
      guard number != filling else { continue }
      let other = filling.map { "\($0) in place of NaN" } ?? "none in place of NaN"
      throw place.fault(
        "has imputers that put \(number) in place of \(missing) of '\(name)', and \(other); Ingot has "
          + "one number for all missing values of a feature: let both be the same, or do it in the app"
      )
    }
  }
}
