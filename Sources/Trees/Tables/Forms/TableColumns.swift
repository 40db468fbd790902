import IngotFeatures

/// The cells that a linear layer reads, as numbers of a row: of a category one for each of its names.
struct TableColumns {
  let features: [Feature]
  /// x' = (x − mean) ÷ scale of each number of a row; nil where all are taken as they are.
  let standardisation: (mean: [Double], scale: [Double])?
  /// Of each cell its number.
  private let places: [Int]
  /// Numbers of a row.
  private let count: Int

  /// - Parameter inputs: cells.
  /// - Throws: what no linear model over encoded features does.
  init(_ inputs: [TableElement], of known: [TreeFeature]) throws(ColumnFault) {
    var starts: [Int] = []
    var count = 0
    for feature in known {
      starts.append(count)
      guard case .category(let names) = feature.kind else {
        count += 1
        continue
      }
      guard !names.isEmpty else {
        throw ColumnFault(
          "does not look at the texts '\(feature.name)', whose categories nothing names")
      }
      count += names.count
    }
    var cells: [Int: TableCell] = [:]
    var reductions: [Int: CellReduction] = [:]
    var places: [Int] = []
    for case .cell(let cell) in inputs {
      let name = known[cell.feature].name
      let place = starts[cell.feature] + (cell.category ?? 0)
      guard cell.category != nil || known[cell.feature].kind.names.isEmpty else {
        throw ColumnFault("takes the code of the category '\(name)' as a number", cell)
      }
      guard cells[place] == nil || cells[place] == cell else {
        throw ColumnFault(
          "is one of two steps that make different numbers of '\(name)' for a linear model", cell,
          mend: "keep one of them")
      }
      cells[place] = cell
      reductions[place] = try CellReduction(cell, name)
      places.append(place)
    }
    self.places = places
    self.count = count
    features = zip(known, starts).map { feature, start in
      Self.feature(feature, reductions[start])
    }
    let isScaled = reductions.values.contains { $0.scale != 1 || $0.shift != 0 }
    let affine = (0..<count).map { reductions[$0] }
    standardisation =
      isScaled
      ? (
        affine.map { $0.map { 0 - $0.shift / $0.scale } ?? 0 },
        affine.map { $0.map { 1 / $0.scale } ?? 1 }
      ) : nil
  }

  private static func feature(_ own: TreeFeature, _ reduction: CellReduction?) -> Feature {
    guard case .category(let names) = own.kind else {
      // A number that nothing reads may be any, or missing.
      guard let reduction else {
        return Feature(
          own.name, own.kind == .boolean ? .boolean : .number, missing: .replaced(by: 0))
      }
      return Feature(
        own.name, own.kind == .boolean ? .boolean : .number,
        missing: reduction.filling.map { .replaced(by: $0) } ?? .refused,
        absent: reduction.absent)
    }
    // Unknown categories and missing ones are in none.
    return Feature(
      own.name,
      .category(CategoryList(names, unknown: .code(names.count), encoding: .oneHot)),
      missing: .replaced(by: Double(names.count)))
  }

  /// Whether each number of a row is one cell.
  var areAllRead: Bool { places.count == count && Set(places).count == count }

  /// Weights of cells as those of all numbers of a row.
  func row(_ weights: [Double]) -> [Double] {
    var row = [Double](repeating: 0, count: count)
    for (place, weight) in zip(places, weights) { row[place] += weight }
    return row
  }
}

/// Why cells are no columns.
struct ColumnFault: Error {
  /// In words that follow a step.
  let reason: String
  let mend: String?
  /// What is at fault as some step made it; nil where it is not one cell.
  let cell: TableCell?

  init(_ reason: String, _ cell: TableCell? = nil, mend: String? = nil) {
    (self.reason, self.cell, self.mend) = (reason, cell, mend)
  }
}

/// What all steps do with a cell of a linear model: scale · x + shift of what is filled in.
private struct CellReduction {
  private(set) var filling: Double?
  /// Numbers that mean a missing value.
  private(set) var absent: [Double] = []
  /// Whether NaN is replaced.
  private var fillsMissing = false
  private(set) var scale = 1.0
  private(set) var shift = 0.0

  init(_ cell: TableCell, _ name: String) throws(ColumnFault) {
    for step in cell.steps {
      switch step {
      case .add(let number): shift += Double(number)
      case .subtract(let number): shift -= Double(number)
      case .multiply(let number):
        scale *= Double(number)
        shift *= Double(number)
      case .divide(let number):
        scale /= Double(number)
        shift /= Double(number)
      case .fill(let number, let missing):
        try fill(Double(number), missing, cell, name)
      }
    }
    guard absent.isEmpty || fillsMissing else {
      throw ColumnFault(
        "replaces \(absent[0]) of '\(name)' and leaves NaN", cell.firstFill,
        mend: "let an imputer before it replace NaN by the same number")
    }
    guard scale != 0, scale.isFinite, shift.isFinite else {
      throw ColumnFault("multiplies '\(name)' by 0", cell, mend: "leave that feature out")
    }
  }

  private mutating func fill(
    _ number: Double, _ missing: Float?, _ cell: TableCell, _ name: String
  ) throws(ColumnFault) {
    // Numbers of categories are never missing.
    if cell.category != nil, missing == nil { return }
    guard cell.category == nil, scale == 1, shift == 0, filling == nil || filling == number else {
      throw ColumnFault(
        "replaces missing values of '\(name)' behind other steps", cell,
        mend: "let the imputer be the first")
    }
    filling = number
    if let missing { absent.append(Double(missing)) } else { fillsMissing = true }
  }
}
