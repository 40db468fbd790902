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
    var sets = SetsOfOne(limit: max(1 << 16, 64 * ensemble.branchCount))
    for tree in 0..<ensemble.treeCount {
      let nodes = try nodes(of: tree, ensemble, &builder, &sets)
      try builder.add(TreeNodes(nodes), output: Int(ensemble.outputs[tree]))
    }
    return try builder.finish()
  }

  private func nodes(
    of tree: Int, _ ensemble: TreeEnsemble, _ builder: inout TreeEnsembleBuilder,
    _ sets: inout SetsOfOne
  ) throws -> [TreeNodes.Node] {
    // Nodes in the order in which they are met, and their numbers.
    var met = [ensemble.roots[tree]]
    var nodes: [TreeNodes.Node] = []
    while nodes.count < met.count {
      let node = met[nodes.count]
      guard node >= 0 else {
        let first = Int(-1 - node) * ensemble.leafWidth
        nodes.append(.leaf(Array(ensemble.leaves[first..<first + ensemble.leafWidth])))
        continue
      }
      let branch = Int(node)
      let made = try self.branch(
        cells[Int(ensemble.features[branch])], ensemble.rules[branch],
        ensemble.thresholds[branch], &builder, &sets)
      let children = [ensemble.left[branch], ensemble.right[branch]]
      met += made.isTurned ? children.reversed() : children
      nodes.append(
        .branch(
          feature: places[Int(ensemble.features[branch])], threshold: made.threshold,
          rule: made.rule, left: met.count - 2, right: met.count - 1))
    }
    return nodes
  }

  /// A comparison with a feature. Where it is turned, what went left goes right.
  private struct Branch {
    let threshold: Double
    var rule: TreeEnsemble.Rule
    var isTurned = false
  }

  private func branch(
    _ cell: TabularCell, _ rule: TreeEnsemble.Rule, _ threshold: Double,
    _ builder: inout TreeEnsembleBuilder, _ sets: inout SetsOfOne
  ) throws(TabularError) -> Branch {
    if cell.isPlain { return Branch(threshold: threshold, rule: rule) }
    func goesLeft(_ number: Double) -> Bool {
      let value = cell.value(of: number)
      if value.isNaN { return rule.contains(.missingGoesLeft) }
      if rule.contains(.isEqual) { return value == threshold }
      return rule.contains(.isStrict) ? value < threshold : value <= threshold
    }
    switch cell.source {
    case .category(_, let code):
      // All others, unknown ones too, go together: the set is the one category, and is turned where they go left.
      let (on, off) = (goesLeft(1), goesLeft(0))
      guard let set = sets.place(of: on == off ? nil : code, &builder) else {
        throw place.fault(
          "compares '\(cell.name)' with so many categories that their sets would take more than "
            + "\(8 * sets.limit) bytes; train the trees with fewer")
      }
      return Branch(threshold: set, rule: .isCategory, isTurned: off)
    case .number: return try number(cell, rule, threshold, missing: goesLeft(.nan), goesLeft)
    case .key: return try number(cell, rule, threshold, missing: goesLeft(0), goesLeft)
    }
  }

  private func number(
    _ cell: TabularCell, _ rule: TreeEnsemble.Rule, _ threshold: Double, missing: Bool,
    _ goesLeft: (Double) -> Bool
  ) throws(TabularError) -> Branch {
    let scales = cell.steps.compactMap { step in
      if case .affine(_, let scale) = step { scale } else { Double?.none }
    }
    guard !scales.isEmpty else {
      let kept = rule.subtracting(.missingGoesLeft)
      return Branch(
        threshold: threshold, rule: missing ? kept.union(.missingGoesLeft) : kept)
    }
    guard !rule.contains(.isEqual) else {
      throw place.fault(
        "asks whether '\(cell.name)' equals one number after a scaler; train the trees without it"
      )
    }
    let isTurned = scales.reduce(into: false) { $0 = ($1 < 0) != $0 }
    // Up to here numbers go to one side, and from the next one on to the other.
    let last = Self.last { goesLeft($0) != isTurned }
    var branch =
      last.map { Branch(threshold: $0, rule: []) }
      ?? Branch(threshold: -Self.largest, rule: .isStrict)
    branch.isTurned = isTurned
    if missing != isTurned { branch.rule.insert(.missingGoesLeft) }
    return branch
  }

  /// The largest number that a row may have.
  private static let largest = Double(Float.greatestFiniteMagnitude)

  /// The largest number for which something holds that holds for all below it; nil if it holds for none.
  private static func last(_ holds: (Double) -> Bool) -> Double? {
    guard holds(-largest) else { return nil }
    if holds(largest) { return largest }
    // Numbers in their order, as whole numbers.
    func place(_ number: Double) -> Int64 {
      let bits = Int64(bitPattern: number.bitPattern)
      return bits < 0 ? .min - bits : bits
    }
    func number(_ place: Int64) -> Double {
      Double(bitPattern: UInt64(bitPattern: place < 0 ? .min - place : place))
    }
    var (low, high) = (place(-largest), place(largest))
    while low + 1 < high {
      // The sum of both may not fit.
      let middle = (low & high) + (low ^ high) >> 1
      if holds(number(middle)) { low = middle } else { high = middle }
    }
    return number(low)
  }
}

extension TabularCell {
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

/// Sets of one category, or of none, each of them once.
private struct SetsOfOne {
  /// Most words of 64 categories of all of them.
  let limit: Int
  private var words = 0
  private var places: [Int?: Double] = [:]

  init(limit: Int) { self.limit = limit }

  /// The place of a set among those of an ensemble; nil where it would be too large.
  mutating func place(of code: Int?, _ builder: inout TreeEnsembleBuilder) -> Double? {
    if let known = places[code] { return known }
    // As many words as a set has up to its largest category.
    words += code.map { $0 / 64 + 1 } ?? 0
    guard words <= limit else { return nil }
    let place = builder.add(TreeEnsemble.CategorySet(code.map { [$0] } ?? []))
    places[code] = place
    return place
  }
}
