import Graph

/// The rows of a weight are its groups: an output channel, a token, a position; each number of a bias
/// or a normalisation is a row of its own.
extension RunLayout {
  init(rowsOf reference: WeightReference) {
    let rows = RunLayout(shape: reference.shape, axis: reference.role.channelAxis)
    let count = reference.elementCount
    let numbers = RunLayout(shape: [count], blocks: [count])
    self = reference.role.isVector ? numbers : rows ?? numbers
  }

  /// Columns in the place of rows: what one input of a matrix is multiplied with; nil for a weight
  /// that is not a matrix.
  init?(columnsOf reference: WeightReference) {
    guard case .matrix = reference.role else { return nil }
    self.init(shape: reference.shape, axis: reference.role.inputAxis)
  }
}

extension WeightRole {
  /// Whether the weight, of any shape, has no rows of several numbers.
  fileprivate var isVector: Bool {
    switch self {
    case .bias, .norm, .statistic, .threshold, .number: true
    case .matrix, .tokenTable, .positionTable: false
    }
  }
}
