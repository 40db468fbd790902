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
  case square(TableCell)
  case magnitude(TableCell)
  /// What a row of cells is divided by, or its square.
  case size(TableSize)
  /// Whether the size of a row is 0.
  case isZero(TableSize)
  /// A cell over the size of its row.
  case normalized(TableCell, TableSize)
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

/// The size of a row of cells.
struct TableSize: Hashable {
  let norm: TableLayers.Norm
  /// Which row, by its number.
  let row: Int
  /// Whether the root is still to be taken.
  var isSquared = false
  /// Whether 1 takes the place of 0.
  var isNeverZero = false
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

  /// Whether no output is negative.
  var isPositive: Bool { [.sigmoid, .softmax, .oneVersusRest].contains(activation) }
}
