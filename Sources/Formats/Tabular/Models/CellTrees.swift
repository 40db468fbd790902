import IngotFeatures
import Trees

/// Trees over a vector of a program as trees over the features that it is made of.
///
/// What steps before the trees do is in their branches: a threshold is the last number that they send the
/// same way, so that every number goes where it went, and a number of an encoder is a set of categories.
struct CellTrees {
  /// As apps give them.
  private(set) var features: [TreeFeature] = []
  private let cells: [TabularCell]
  /// The feature of each number of the vector.
  private var places: [Int] = []
  private let place: TabularPlace

  /// - Throws: two features of one name, and what no branch says.
  init(_ cells: [TabularCell], at place: TabularPlace) throws(TabularError) {
    (self.cells, self.place) = (cells, place)
    // Of each name its number, and the first of its cells.
    var known: [String: (number: Int, cell: TabularCell)] = [:]
    for cell in cells {
      for case .filled(_, let missing) in cell.steps where !missing.isNaN {
        throw place.fault(
          "has an imputer that replaces \(missing) of '\(cell.name)', and Ingot's trees know NaN alone as "
            + "missing; do it in the app")
      }
      if let (number, first) = known[cell.name] {
        guard first.isOfFeature(of: cell) else {
          throw place.fault("has two features called '\(cell.name)'; give one of them another name")
        }
        places.append(number)
      } else {
        known[cell.name] = (features.count, cell)
        places.append(features.count)
        features.append(cell.treeFeature)
      }
    }
  }

  /// Takes what a program says of the features: truth values and codes are numbers for Core ML.
  ///
  /// - Parameter text: of a schema.
  /// - Throws: if the program's steps do not read numbers of these names as they are.
  mutating func state(_ text: String) throws(TabularError) {
    let schema = try FeatureSchema(stated: text, at: place)
    let (key, mend) = ("'\(TabularProgram.Key.features)'", "write the file again from its model")
    guard schema.names == features.map(\.name) else {
      throw place.fault(
        "\(key) names the features \(schema.names), its steps read \(features.map(\.name)); "
          + mend)
    }
    if let cell = cells.first(where: { !$0.isPlain }) {
      throw place.fault(
        "\(key) says what '\(cell.name)' is as the trees take it, and a step before them changes it; "
          + mend)
    }
    var stated: [TreeFeature] = []
    for feature in schema.features {
      guard let own = TreeFeature(feature) else {
        throw place.fault(
          "\(key) says that '\(feature.name)' is cyclic or one-hot, and trees take one number of it; "
            + mend)
      }
      stated.append(own)
    }
    features = stated
  }

  /// The trees over the features.
  func ensemble(_ ensemble: TreeEnsemble) throws -> TreeEnsemble {
    if cells.allSatisfy(\.isPlain), places == Array(cells.indices) { return ensemble }
    var builder = try TreeEnsembleBuilder(
      path: place.path, featureCount: features.count, base: ensemble.base,
      leafWidth: ensemble.leafWidth, divisor: ensemble.divisor, precision: ensemble.precision,
      transform: ensemble.transform)
    var folded = FoldedTrees(ensemble, over: zip(cells, places).map { $0.folded(feature: $1) })
    for tree in 0..<ensemble.treeCount {
      let nodes: [TreeNodes.Node]
      do throws(FoldingFault) {
        nodes = try folded.nodes(of: tree, &builder)
      } catch {
        throw fault(error)
      }
      try builder.add(TreeNodes(nodes), output: Int(ensemble.outputs[tree]))
    }
    return try builder.finish()
  }

  private func fault(_ fault: FoldingFault) -> TabularError {
    switch fault {
    case .set(let column):
      place.fault(
        "asks for sets of '\(cells[column].name)' after a scaler; train the trees without it")
    case .equality(let column):
      place.fault(
        "asks whether '\(cells[column].name)' equals one number after a scaler; train the trees without it"
      )
    case .sets(let column, let limit):
      place.fault(
        "compares '\(cells[column].name)' with so many categories that their sets would take more than "
          + "\(limit) bytes; train the trees with fewer")
    }
  }
}

extension TabularCell {
  /// As trees fold it into their branches.
  fileprivate func folded(feature: Int) -> FoldedColumn<Double> {
    var (category, missing): (Int?, Double) = (nil, .nan)
    switch source {
    case .number: break
    case .key: missing = 0
    case .category(_, let code): category = code
    }
    let scales = steps.compactMap { step in
      if case .affine(_, let scale) = step { scale } else { Double?.none }
    }
    return FoldedColumn(
      feature: feature, category: category,
      change: isPlain
        ? .none
        : scales.isEmpty
          ? .filled : .scaled(isTurned: scales.reduce(into: false) { $0 = ($1 < 0) != $0 }),
      missing: missing
    ) { value(of: $0) }
  }

  /// As apps give it to trees.
  fileprivate var treeFeature: TreeFeature {
    switch source {
    case .number(let name, _), .key(let name, _): return TreeFeature(name)
    case .category(let category, _):
      let isOpen = category.unknown == .isZero
      let filling = category.filling.map { Feature.Missing.replaced(by: Double($0)) }
      return TreeFeature(
        category.name, .category(names: category.names), unknown: isOpen ? .missing : .refused,
        missing: filling ?? (isOpen ? .taken : .refused))
    }
  }
}
