/// Trees over columns that are made of features one by one, as trees over the features.
///
/// What steps before the trees do is in their branches: a threshold is the last number that they send the same
/// way, so that every number of 32 bits goes where it went, and a number of an encoder is a set of categories.
struct FoldedTrees {
  private let table: Table
  private let features: [TreeFeature]
  private let name: String
  private let layer: TableUnits
  private let cells: [TableCell]

  /// - Parameters:
  ///   - features: as apps give them.
  ///   - name: of the step that has the trees.
  ///   - layer: what is returned of them.
  init(_ table: Table, _ features: [TreeFeature], _ name: String, _ layer: TableUnits) {
    (self.table, self.features, self.name, self.layer) = (table, features, name, layer)
    cells = layer.inputs.compactMap { if case .cell(let cell) = $0 { cell } else { nil } }
  }

  func ensemble(_ transform: TreeEnsemble.Transform) throws(TableFault) -> TreeEnsemble {
    guard let step = table.program.steps.first(where: { $0.name == name }), let sums = step.sums,
      let own = table.trees.first(where: { $0.step == name })?.ensemble
    else { throw TableFault(step: table.program.steps[0], reason: "has no trees") }
    guard own.features.allSatisfy({ Int($0) < cells.count }), sums.count == own.outputCount else {
      throw TableFault(step: step, reason: "looks at more columns than there are")
    }
    do {
      try checkCells()
      let units = layer.units
      // Leaves stay as wide as they are where every output is that of its place.
      let isPlain =
        units.count == sums.count && units.indices.allSatisfy { units[$0].output == $0 }
      var builder = try TreeEnsembleBuilder(
        path: "", featureCount: table.program.inputs.count,
        base: units.map { $0.offset * sums.divisor },
        leafWidth: isPlain ? own.leafWidth : units.count, divisor: sums.divisor,
        precision: .init(roundsFeatures: true, addsFloats: sums.addsFloats), transform: transform)
      for tree in 0..<own.treeCount {
        try builder.add(
          TreeNodes(try nodes(of: tree, own, &builder, isPlain)),
          output: isPlain ? Int(own.outputs[tree]) : 0)
      }
      return try builder.finish()
    } catch let error as ColumnFault {
      throw TableFault(step: step, reason: error.reason)
    } catch let error as TreeError {
      throw TableFault(step: step, reason: error.fault)
    } catch {
      throw TableFault(step: step, reason: "\(error)")
    }
  }

  private func checkCells() throws(ColumnFault) {
    for cell in cells {
      let feature = features[cell.feature]
      guard cell.category != nil || feature.kind.names.isEmpty else {
        throw ColumnFault(reason: "takes the code of the category '\(feature.name)' as a number")
      }
      for case .fill(_, .some(let missing)) in cell.steps {
        throw ColumnFault(
          reason:
            "replaces \(missing) of '\(feature.name)' before trees, which know NaN alone as missing"
        )
      }
    }
  }

  private func nodes(
    of tree: Int, _ own: TreeEnsemble, _ builder: inout TreeEnsembleBuilder, _ isPlain: Bool
  ) throws -> [TreeNodes.Node] {
    // Nodes in the order in which they are met, and their numbers.
    var met = [own.roots[tree]]
    var nodes: [TreeNodes.Node] = []
    while nodes.count < met.count {
      let node = met[nodes.count]
      guard node >= 0 else {
        let first = Int(-1 - node) * own.leafWidth
        let leaf = Array(own.leaves[first..<first + own.leafWidth])
        nodes.append(.leaf(self.leaf(leaf, from: Int(own.outputs[tree]), isPlain)))
        continue
      }
      let cell = cells[Int(own.features[Int(node)])]
      let made = try branch(cell, own, Int(node), &builder)
      let children = [own.left[Int(node)], own.right[Int(node)]]
      met += made.isTurned ? children.reversed() : children
      nodes.append(
        .branch(
          feature: cell.feature, threshold: made.threshold, rule: made.rule, left: met.count - 2,
          right: met.count - 1))
    }
    return nodes
  }

  private func leaf(_ values: [Double], from first: Int, _ isPlain: Bool) -> [Double] {
    if isPlain { return values.indices.map { values[$0] * layer.units[first + $0].scale } }
    return layer.units.map { unit in
      values.indices.contains(unit.output - first) ? values[unit.output - first] * unit.scale : 0
    }
  }

  /// A comparison with a feature. Where it is turned, what went left goes right.
  private struct Branch {
    var threshold: Double
    var rule: TreeEnsemble.Rule
    var isTurned = false
  }

  private func branch(
    _ cell: TableCell, _ own: TreeEnsemble, _ node: Int, _ builder: inout TreeEnsembleBuilder
  ) throws(ColumnFault) -> Branch {
    let (rule, threshold) = (own.rules[node], own.thresholds[node])
    if rule.contains(.isCategory) {
      guard cell.isPlain else { throw ColumnFault(reason: "asks for sets of scaled numbers") }
      return Branch(threshold: builder.add(own.categories[Int(threshold)]), rule: rule)
    }
    if cell.isPlain { return Branch(threshold: threshold, rule: rule) }
    func goesLeft(_ number: Float) -> Bool {
      let value = Double(cell.value(of: number))
      if value.isNaN { return rule.contains(.missingGoesLeft) }
      if rule.contains(.isEqual) { return value == threshold }
      return rule.contains(.isStrict) ? value < threshold : value <= threshold
    }
    if let code = cell.category {
      // All others, unknown ones too, go together: the set is the one category, and is turned where they go left.
      let (on, off) = (goesLeft(1), goesLeft(0))
      return Branch(
        threshold: builder.add(TreeEnsemble.CategorySet(on == off ? [] : [code])),
        rule: .isCategory, isTurned: off)
    }
    return try number(cell, Branch(threshold: threshold, rule: rule), goesLeft)
  }

  private func number(
    _ cell: TableCell, _ own: Branch, _ goesLeft: (Float) -> Bool
  ) throws(ColumnFault) -> Branch {
    let isScaled = cell.steps.contains { if case .fill = $0 { false } else { true } }
    let missing = goesLeft(.nan)
    guard isScaled else {
      var branch = own
      branch.rule.remove(.missingGoesLeft)
      if missing { branch.rule.insert(.missingGoesLeft) }
      return branch
    }
    guard !own.rule.contains(.isEqual) else {
      throw ColumnFault(reason: "asks whether a scaled number equals another")
    }
    let areSound = cell.steps.allSatisfy { step in
      switch step {
      case .add(let number), .subtract(let number): number.isFinite
      case .multiply(let number), .divide(let number): number.isFinite && number != 0
      case .fill: true
      }
    }
    // Otherwise infinity, or a number that is none, comes in between.
    guard areSound else { throw ColumnFault(reason: "multiplies or divides by 0 or infinity") }
    let isTurned = cell.steps.reduce(into: false) { isTurned, step in
      switch step {
      case .multiply(let number), .divide(let number): isTurned = (number < 0) != isTurned
      case .add, .subtract, .fill: break
      }
    }
    // Up to here numbers go to one side, and from the next one on to the other.
    var branch =
      Self.last { goesLeft($0) != isTurned }.map { Branch(threshold: Double($0), rule: []) }
      ?? Branch(threshold: -Double(Float.greatestFiniteMagnitude), rule: .isStrict)
    branch.isTurned = isTurned
    if missing != isTurned { branch.rule.insert(.missingGoesLeft) }
    return branch
  }

  /// The largest number for which something holds that holds for all below it; nil if it holds for none.
  private static func last(_ holds: (Float) -> Bool) -> Float? {
    let largest = Float.greatestFiniteMagnitude
    guard holds(-largest) else { return nil }
    if holds(largest) { return largest }
    // Numbers in their order, as whole numbers.
    func place(_ number: Float) -> Int64 {
      let bits = Int64(Int32(bitPattern: number.bitPattern))
      return bits < 0 ? Int64(Int32.min) - bits : bits
    }
    func number(_ place: Int64) -> Float {
      let bits = place < 0 ? Int64(Int32.min) - place : place
      return Float(bitPattern: UInt32(bitPattern: Int32(bits)))
    }
    var (low, high) = (place(-largest), place(largest))
    while low + 1 < high {
      let middle = (low + high) >> 1
      if holds(number(middle)) { low = middle } else { high = middle }
    }
    return number(low)
  }
}
