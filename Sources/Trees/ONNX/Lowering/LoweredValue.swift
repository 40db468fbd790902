/// What is known of a value when steps are made of a graph: each of its elements comes of a column, or is a
/// number.
struct LoweredValue: Equatable {
  /// As many as the shape says.
  var elements: [LoweredElement]
  /// Of one row, as in the graph.
  var shape: [Int]
  var type: TabularType
}

/// An element of a value.
enum LoweredElement: Hashable {
  case number(Float)
  /// A column of the features, source 0, or of what a step made.
  case column(source: Int, place: Int)
}

/// A value of the graph while steps are made.
enum GraphValue {
  /// The same for every row.
  case constant(TabularColumn)
  case lowered(LoweredValue)

  var shape: [Int] {
    switch self {
    case .constant(let column): column.shape
    case .lowered(let value): value.shape
    }
  }

  var type: TabularType {
    switch self {
    case .constant(let column): column.type
    case .lowered(let value): value.type
    }
  }
}

/// How the label of a row comes of numbers.
struct LabelRule: Equatable {
  /// nil where the label is a place.
  var labels: TreeLabels?
  var decides: Decision

  enum Decision: Equatable {
    /// The largest of these numbers, of equal ones the first.
    case largest([LoweredElement])
    /// Of two classes the second where the number is above 0; the file's scores are the pair.
    case sign(LoweredElement, pair: [LoweredElement], second: LoweredElement, isShare: Bool)
  }
}
