/// A number of a row of features as a step of a table has it: what it comes of, and what is done with it.
struct TableCell: Hashable {
  /// The place of the feature.
  let feature: Int
  /// The code of a category: 1 where the feature has it, else 0; nil for the number itself.
  var category: Int?
  /// In the order in which they are done.
  var steps: [Step] = []

  /// Most steps of a cell.
  static let stepLimit = 16

  /// What a step does with a number, in 32 bits.
  enum Step: Hashable {
    case add(Float)
    case subtract(Float)
    case multiply(Float)
    case divide(Float)
    /// A number in place of one that is missing: of NaN, or of another that means it.
    case fill(Float, missing: Float?)
  }

  /// The same cell after one more step.
  func after(_ step: Step) -> TableCell {
    var cell = self
    cell.steps.append(step)
    return cell
  }

  /// Whether it is a feature as an app gives it.
  var isPlain: Bool { category == nil && steps.isEmpty }

  /// The same up to the first step that replaces a number; nil where there is none.
  var firstFill: TableCell? {
    let place = steps.firstIndex { if case .fill(_, .some) = $0 { true } else { false } }
    return place.map { TableCell(feature: feature, category: category, steps: Array(steps[...$0])) }
  }

  /// What the steps make of a number.
  func value(of number: Float) -> Float {
    steps.reduce(number) { value, step in
      switch step {
      case .add(let other): value + other
      case .subtract(let other): value - other
      case .multiply(let other): value * other
      case .divide(let other): value / other
      case .fill(let other, nil): value.isNaN ? other : value
      case .fill(let other, .some(let missing)): value == missing ? other : value
      }
    }
  }
}

/// A column of a value of a table, as far as it is known what it is made of.
enum TableElement: Hashable {
  case number(Float)
  case cell(TableCell)
  /// A feature without its fraction.
  case whole(feature: Int)
  /// Whether a cell is not missing.
  case isThere(TableCell)
  case isNumber(TableCell, Float)
  /// A cell over the size of its row, which has a number.
  case normalized(TableCell, row: Int)
  /// An output of a layer: of linear sums, or of trees.
  case unit(layer: Int, place: Int)
  /// −x of an output that is never negative.
  case negative(layer: Int, place: Int)
  /// exp(x) of an output.
  case power(layer: Int, place: Int)
  /// 1 + exp(x) of an output.
  case powerAndOne(layer: Int, place: Int)
  /// The sum of all outputs of a layer of sigmoids.
  case total(layer: Int)
}

/// Sums of products of columns, or of the leaves of trees, and what is done with each.
struct TableUnits {
  enum Source: Equatable {
    /// - Parameter weights: [outputs, inputs]
    case linear(weights: [Float])
    /// The step that has the trees.
    case trees(String)
  }

  /// scale · s + offset of a sum s.
  struct Unit: Equatable {
    /// Which sum.
    let output: Int
    var scale: Double = 1
    var offset: Double = 0
  }

  let source: Source
  let inputs: [TableElement]
  /// What the inputs are divided by; nil for none.
  var norm: TableLayers.Norm?
  var units: [Unit]
  var activation = TableLayers.Activation.identity

  var isLinear: Bool { if case .linear = source { true } else { false } }

  /// The weights of an output, which `source` has.
  func row(_ unit: Unit, _ weights: [Float]) -> [Double] {
    let first = unit.output * inputs.count
    return weights[first..<first + inputs.count].map { Double($0) * unit.scale }
  }

  /// Whether, but for offsets, an output is one of a layer of the same inputs below zero.
  func isOpposite(_ unit: Unit, _ layer: TableUnits, _ other: Unit) -> Bool {
    switch (source, layer.source) {
    case (.linear(let own), .linear(let theirs)):
      zip(row(unit, own), layer.row(other, theirs)).allSatisfy { $0 == -$1 }
    case (.trees(let own), .trees(let theirs)):
      own == theirs && unit.output == other.output && unit.scale == -other.scale
    case (.linear, .trees), (.trees, .linear): false
    }
  }

  /// Whether no output is negative.
  var isPositive: Bool { [.sigmoid, .softmax, .oneVersusRest].contains(activation) }
}
