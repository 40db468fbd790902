import Graph

/// Where the rows of a weight are among its values: an output channel, a token, a position; each
/// number of a bias or a normalisation is a row of its own.
struct RowLayout: Equatable {
  /// Rows of the weight.
  let rows: Int
  /// How often the rows follow each other: the product of the axes before theirs.
  let outer: Int
  /// Adjacent values of a row: the product of the axes behind.
  let inner: Int

  init(_ reference: WeightReference) {
    let shape = reference.shape, axis = reference.role.channelAxis
    guard !reference.role.isVector, shape.indices.contains(axis) else {
      self.init([reference.elementCount], axis: 0)
      return
    }
    self.init(shape, axis: axis)
  }

  /// Columns in the place of rows: what one input of a matrix is multiplied with; nil for what is
  /// none.
  init?(columnsOf reference: WeightReference) {
    guard case .matrix = reference.role, reference.shape.indices.contains(reference.role.inputAxis)
    else { return nil }
    self.init(reference.shape, axis: reference.role.inputAxis)
  }

  private init(_ shape: [Int], axis: Int) {
    rows = shape[axis]
    outer = shape[..<axis].reduce(1, *)
    inner = shape[(axis + 1)...].reduce(1, *)
  }

  /// Values of one row.
  var length: Int { outer * inner }

  /// The values of one row.
  func values(_ row: Int, of values: [Float]) -> [Float] {
    (0..<outer).flatMap { part -> ArraySlice<Float> in
      let start = (part * rows + row) * inner
      return values[start..<start + inner]
    }
  }
}

extension WeightRole {
  /// Whether the weight, of any shape, has no rows of several numbers.
  fileprivate var isVector: Bool {
    switch self {
    case .bias, .norm, .statistic, .number: true
    case .matrix, .tokenTable, .positionTable: false
    }
  }
}
