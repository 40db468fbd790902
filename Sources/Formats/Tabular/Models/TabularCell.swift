import IngotFeatures
import Trees

/// One number of a vector of a program: what it is made of, and what is done with it on the way.
struct TabularCell: Equatable {
  /// What an app gives.
  enum Source: Equatable {
    /// A number; NaN where it is missing.
    case number(String)
    /// 1 where a feature is the category at a place of its list, else 0.
    case category(TabularCategory, place: Int)
    /// The number under a key of a dictionary; 0 where there is none.
    case key(String)
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
    case .number(let name), .key(let name): name
    case .category(let category, _): category.name
    }
  }

  /// Whether the number is as an app gives it.
  var isPlain: Bool {
    guard case .number = source else { return false }
    return steps.isEmpty
  }

  /// What the steps make of a number.
  func value(of number: Double) -> Double {
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
    for step in cell.steps {
      switch step {
      case .affine(let shift, let scale):
        guard scale != 0 else {
          throw place.fault("has a scaler that multiplies by 0; leave that feature out")
        }
        affine =
          affine.map { ($0.shift + shift / $0.scale, $0.scale * scale) } ?? (shift, scale)
      case .filled(let value, let missing) where missing.isNaN:
        guard isNumber, filling == nil else { continue }
        filling = affine.map { value / $0.scale - $0.shift } ?? value
      case .filled(let value, let missing):
        guard isNumber, affine == nil, filling == nil || filling == value else {
          throw place.fault(
            "has an imputer that replaces \(missing) of '\(cell.name)' behind a scaler, an encoder or "
              + "another imputer; let it be the first step")
        }
        filling = value
        absent.append(missing)
      }
    }
  }
}
