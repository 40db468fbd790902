/// The trees of a step, whose columns are cells, as trees over the features.
struct TableTrees {
  private let table: Table
  private let features: [TreeFeature]
  private let step: TableStep
  private let layer: TableUnits
  private let cells: [TableCell]

  /// - Parameters:
  ///   - features: as apps give them.
  ///   - step: has the trees.
  ///   - layer: what is returned of them.
  init(_ table: Table, _ features: [TreeFeature], _ step: TableStep, _ layer: TableUnits) {
    (self.table, self.features, self.step, self.layer) = (table, features, step, layer)
    cells = layer.inputs.compactMap { if case .cell(let cell) = $0 { cell } else { nil } }
  }

  func ensemble(_ transform: TreeEnsemble.Transform) throws(ColumnFault) -> TreeEnsemble {
    guard let sums = step.sums,
      let own = table.trees.first(where: { $0.step == step.name })?.ensemble
    else { throw ColumnFault("has no trees") }
    guard own.features.allSatisfy({ Int($0) < cells.count }), sums.count == own.outputCount else {
      throw ColumnFault("looks at more columns than there are")
    }
    for place in Set(own.features.map(Int.init)).sorted() { try check(cells[place]) }
    do {
      return try folded(own, sums, transform)
    } catch let error as FoldingFault {
      throw fault(error)
    } catch let error as TreeError {
      throw ColumnFault(error.fault)
    } catch {
      throw ColumnFault("\(error)")
    }
  }

  private func folded(
    _ own: TreeEnsemble, _ sums: TableStep.Sums, _ transform: TreeEnsemble.Transform
  ) throws -> TreeEnsemble {
    let units = layer.units
    // Leaves stay as wide as they are where every output is that of its place.
    let isPlain = units.count == sums.count && units.indices.allSatisfy { units[$0].output == $0 }
    var builder = try TreeEnsembleBuilder(
      path: "", featureCount: table.program.inputs.count,
      base: units.map { $0.offset * sums.divisor },
      leafWidth: isPlain ? own.leafWidth : units.count, divisor: sums.divisor,
      precision: .init(roundsFeatures: true, addsFloats: sums.addsFloats), transform: transform)
    var folded = FoldedTrees(own, over: cells.map(\.folded))
    for tree in 0..<own.treeCount {
      let first = Int(own.outputs[tree])
      let nodes = try folded.nodes(of: tree, &builder) { values in
        if isPlain { return values.indices.map { values[$0] * units[first + $0].scale } }
        return units.map { unit in
          let place = unit.output - first
          return values.indices.contains(place) ? values[place] * unit.scale : 0
        }
      }
      try builder.add(TreeNodes(nodes), output: isPlain ? first : 0)
    }
    return try builder.finish()
  }

  private func check(_ cell: TableCell) throws(ColumnFault) {
    let feature = features[cell.feature]
    guard cell.category != nil || feature.kind.names.isEmpty else {
      throw ColumnFault("takes the code of the category '\(feature.name)' as a number", cell)
    }
    for case .fill(_, .some(let missing)) in cell.steps {
      throw ColumnFault(
        "replaces \(missing) of '\(feature.name)' before trees, which know NaN alone as missing",
        cell.firstFill ?? cell, mend: "let missing values be NaN, or replace them in the app")
    }
    // Otherwise infinity, or a number that is none, comes in between.
    guard cell.category != nil || cell.isSound else {
      throw ColumnFault("multiplies or divides '\(feature.name)' by 0 or infinity", cell)
    }
  }

  private func fault(_ fault: FoldingFault) -> ColumnFault {
    func name(_ column: Int) -> String { features[cells[column].feature].name }
    return switch fault {
    case .set(let column):
      ColumnFault("scales '\(name(column))', of which trees ask for sets", cells[column])
    case .equality(let column):
      ColumnFault("scales '\(name(column))', which trees compare for equality", cells[column])
    case .sets(let column, let limit):
      ColumnFault(
        "compares '\(name(column))' with so many categories that their sets would take more than \(limit) bytes",
        mend: "train the trees with fewer")
    }
  }
}

extension TableCell {
  /// As trees fold it into their branches.
  fileprivate var folded: FoldedColumn<Float> {
    var change = steps.isEmpty ? FoldedColumn<Float>.Change.none : .filled
    if steps.contains(where: { if case .fill = $0 { false } else { true } }) {
      let isTurned = steps.reduce(into: false) { isTurned, step in
        switch step {
        case .multiply(let number), .divide(let number): isTurned = (number < 0) != isTurned
        case .add, .subtract, .fill: break
        }
      }
      change = .scaled(isTurned: isTurned)
    }
    return FoldedColumn(feature: feature, category: category, change: change) { value(of: $0) }
  }

  /// Whether numbers keep their order, or turn it. Times 0 all of them are 0, where none is infinite.
  fileprivate var isSound: Bool {
    var ends: [Float] = [-.greatestFiniteMagnitude, .greatestFiniteMagnitude]
    for step in steps {
      switch step {
      case .add(let number), .subtract(let number):
        guard number.isFinite else { return false }
      case .multiply(let number):
        guard number.isFinite, number != 0 || ends.allSatisfy(\.isFinite) else { return false }
      case .divide(let number):
        guard number.isFinite, number != 0 else { return false }
      case .fill: break
      }
      ends = ends.map { TableCell(feature: feature, steps: [step]).value(of: $0) }
    }
    return true
  }
}
