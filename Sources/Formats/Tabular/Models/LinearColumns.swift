import IngotFeatures
import Trees

/// The vector of a program as numbers of a row of features, for a linear model.
struct LinearColumns {
  /// In the order in which the vector has them first.
  private(set) var features: [Feature] = []
  /// The number of a row that each number of the vector is.
  private(set) var places: [Int] = []
  /// Numbers of a row.
  private(set) var count = 0
  /// x' = scale · (x + shift) of each number of a row; nil where all are taken as they are.
  private(set) var scaler: (shift: [Double], scale: [Double])?
  /// What each number of the vector is made by.
  let reductions: [TabularReduction]
  /// The first number of each feature, and the first of its cells.
  private var starts: [String: (column: Int, cell: TabularCell)] = [:]

  /// - Throws: a feature that is looked at twice, and what no linear model says.
  init(_ cells: [TabularCell], at place: TabularPlace) throws(TabularError) {
    var reductions: [TabularReduction] = []
    for cell in cells { reductions.append(try TabularReduction(cell, at: place)) }
    self.reductions = reductions
    let isScaled = reductions.contains { $0.affine != nil }
    for (cell, reduction) in zip(cells, reductions) { try add(cell, reduction, at: place) }
    guard Set(places).count == places.count else {
      throw place.fault("uses a feature twice, which Ingot's linear models do not")
    }
    guard isScaled else { return }
    var (shift, scale) = (
      [Double](repeating: 0, count: count), [Double](repeating: 1, count: count)
    )
    for (column, reduction) in zip(places, reductions) {
      guard let affine = reduction.affine else { continue }
      (shift[column], scale[column]) = (affine.shift, affine.scale)
    }
    scaler = (shift, scale)
  }

  private mutating func add(
    _ cell: TabularCell, _ reduction: TabularReduction, at place: TabularPlace
  ) throws(TabularError) {
    if let (start, first) = starts[cell.name] {
      guard case .category(_, let code) = cell.source, first.isOfFeature(of: cell) else {
        throw place.fault(
          "looks at '\(cell.name)' twice, which Ingot's linear models do not do")
      }
      places.append(start + code)
      return
    }
    let feature = cell.feature(reduction)
    starts[cell.name] = (count, cell)
    features.append(feature)
    if case .category(_, let code) = cell.source {
      places.append(count + code)
    } else {
      places.append(count)
    }
    count += feature.columnCount
  }

  /// The features as a program says them of itself: truth values and codes are numbers for Core ML.
  ///
  /// - Parameter text: of a schema.
  /// - Throws: if the program's steps are not those of such features.
  func features(stated text: String, at place: TabularPlace) throws(TabularError) -> [Feature] {
    let schema = try FeatureSchema(stated: text, at: place)
    let key = "'\(TabularProgram.Key.features)'"
    guard schema.names == features.map(\.name) else {
      throw place.fault(
        "\(key) names the features \(schema.names), its steps read \(features.map(\.name)); write the "
          + "file again from its model")
    }
    for (stated, own) in zip(schema.features, features) {
      let (said, read) = (TabularChain.Column(stated), TabularChain.Column(own))
      guard said != read else { continue }
      throw place.fault(
        "\(key) says that '\(own.name)' is \(said?.words ?? "none that Core ML has"), its steps make it "
          + "\(read?.words ?? "none"); write the file again from its model")
    }
    return schema.features
  }

  /// Numbers of the vector as those of a row; those of categories that the vector leaves out are 0.
  func row(of numbers: [Double]) -> [Double] {
    var row = [Double](repeating: 0, count: count)
    for (place, number) in zip(places, numbers) { row[place] = number }
    return row
  }
}

extension TabularCell {
  /// As apps give it to a linear model.
  func feature(_ reduction: TabularReduction) -> Feature {
    switch source {
    case .number(let name, _), .key(let name, _):
      Feature(
        name, missing: reduction.filling.map { .replaced(by: $0) } ?? .refused,
        absent: reduction.absent)
    case .category(let category, _): category.encoded
    }
  }
}

extension TabularCategory {
  /// With a number for each category. Where unknown ones are let pass, a missing value is one of them.
  fileprivate var encoded: Feature {
    let none = labels.count
    let isOpen = unknown == .isZero
    return Feature(
      name,
      .category(
        CategoryList(names, unknown: isOpen ? .code(none) : .refused, encoding: .oneHot)),
      missing: (filling ?? (isOpen ? none : nil)).map { .replaced(by: Double($0)) } ?? .refused)
  }
}
