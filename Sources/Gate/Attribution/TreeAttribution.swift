import IngotFeatures
import Graph
import Inputs
import Trees

/// Which trees of a candidate make its outputs others than the baseline's, and what about them.
///
/// A weight of trees is one of their arrays, which says little: what a tree adds to the sum of each input
/// is compared instead, with that of the tree in its place. Both are run node by node.
struct TreeAttribution {
  /// The worst first; empty where no input is moved.
  let findings: [TreeFinding]

  /// Trees that are named, and findings of all, at most.
  private static let (maxTrees, maxFindings) = (3, 6)
  /// Inputs that are run, at most; they are spread over all.
  private static let maxInputs = 1000

  /// Nil unless both sides of an encoder are ensembles of trees of the same features.
  ///
  /// - Throws: errors of reading weights.
  init?(_ slot: EncoderSlot, _ references: ReferenceSet) throws {
    guard let old = slot.baseline, let new = slot.candidate,
      case .features(let schema) = old.architecture.input,
      let baseline = try TreeAttribution.ensemble(of: old),
      let candidate = try TreeAttribution.ensemble(of: new, inLayoutOf: baseline, old)
    else { return nil }
    let step = max(1, (slot.inputs.count + Self.maxInputs - 1) / Self.maxInputs)
    let rows = stride(from: 0, to: slot.inputs.count, by: step).compactMap { place -> [Double]? in
      guard case .values(let values) = references.inputs[slot.inputs[place]] else { return nil }
      return values
    }
    self.init(
      baseline, candidate, features: schema.columnNames, categories: CategoryWords(schema),
      rows: rows)
  }

  /// - Parameters:
  ///   - features: their names.
  ///   - categories: names those that branches ask for.
  ///   - rows: as many numbers each as there are features; NaN where one is missing.
  init?(
    _ baseline: TreeEnsemble, _ candidate: TreeEnsemble, features: [String],
    categories: CategoryWords = CategoryWords(), rows: [[Double]]
  ) {
    guard baseline.featureCount == candidate.featureCount, features.count == baseline.featureCount,
      baseline.outputCount == candidate.outputCount, !rows.isEmpty
    else { return nil }
    let sides = TreeSides(
      baseline: TreeRows(baseline, rows), candidate: TreeRows(candidate, rows), features: features,
      categories: categories)
    let pairing = TreeAlignment(baseline, candidate)
    var moves =
      pairing.missing.map { sides.move($0, nil) } + pairing.added.map { sides.move(nil, $0) }
    for (tree, other) in pairing.pairs {
      let comparison = TreeComparison(baseline, tree, with: candidate, other)
      if !comparison.areSame { moves.append(sides.move(tree, other, comparison)) }
    }
    let worst = moves.filter { $0.count > 0 }.sorted {
      ($1.change, $0.tree) < ($0.change, $1.tree)
    }
    findings = Array(
      worst.prefix(Self.maxTrees).flatMap(sides.findings).prefix(Self.maxFindings))
  }

  /// The trees of a candidate; where another tool laid them out and they decide as the baseline's do, the
  /// baseline's with their leaves. Nil where they decide otherwise.
  private static func ensemble(
    of candidate: Model, inLayoutOf trees: TreeEnsemble, _ baseline: Model
  ) throws -> TreeEnsemble? {
    guard baseline.architecture.isLaidOutOtherwise(than: candidate.architecture) else {
      return try ensemble(of: candidate)
    }
    guard let placed = try PlacedTrees.all(of: baseline.architecture).first,
      let leaves = try PairedTrees(baseline, candidate).floats(
        of: placed.tensorName(.leaves), ours: [], theirs: [])
    else { return nil }
    return try TreeEnsemble(placed.header, path: candidate.origin) { array in
      array == .leaves ? leaves.map(Double.init) : trees.values(of: array)
    }
  }

  private static func ensemble(of model: Model) throws -> TreeEnsemble? {
    guard model.architecture is ForestModel else { return nil }
    let graph = try model.graph(batch: 1, length: 1)
    return try (graph.nodes.first?.operation as? TreeSum)?.ensemble(of: model.weights)
  }
}

extension TreeEnsemble {
  /// The categories that a branch sends left, which asks for them.
  fileprivate func set(at branch: Int) -> CategorySet { categories[Int(thresholds[branch])] }
}

/// Rows as an ensemble compares them.
private struct TreeRows {
  let ensemble: TreeEnsemble
  let rows: [[Double]]

  init(_ ensemble: TreeEnsemble, _ rows: [[Double]]) {
    self.ensemble = ensemble
    self.rows =
      ensemble.precision.roundsFeatures
      ? rows.map { row in row.map { Double(Float($0)) } } : rows
  }

  /// What a tree adds to each output for a row.
  func contribution(of tree: Int?, to row: Int) -> [Double] {
    var outputs = [Double](repeating: 0, count: ensemble.outputCount)
    guard let tree else { return outputs }
    let leaf = ensemble.leaf(of: rows[row], tree) * ensemble.leafWidth
    for place in 0..<ensemble.leafWidth {
      outputs[Int(ensemble.outputs[tree]) + place] = ensemble.leaves[leaf + place]
    }
    return outputs
  }
}

/// Two ensembles over the same rows.
private struct TreeSides {
  let baseline: TreeRows
  let candidate: TreeRows
  let features: [String]
  let categories: CategoryWords

  /// What a tree, or the one in its place, moves.
  struct Move {
    /// Numbers in either ensemble; nil where it is not there.
    let old: Int?
    let new: Int?
    let comparison: TreeComparison?
    /// Rows for which it adds something else.
    let count: Int
    /// Sum of all changes.
    let change: Double

    var tree: Int { old ?? new ?? 0 }
  }

  func move(_ old: Int?, _ new: Int?, _ comparison: TreeComparison? = nil) -> Move {
    var count = 0
    var change = 0.0
    for row in baseline.rows.indices {
      let before = baseline.contribution(of: old, to: row)
      let after = candidate.contribution(of: new, to: row)
      let moved = zip(before, after).reduce(0) { $0 + ($1.1 - $1.0).magnitude }
      if moved > 0 { count += 1 }
      change += moved
    }
    return Move(old: old, new: new, comparison: comparison, count: count, change: change)
  }

  /// What is to be said of a tree that moves rows.
  func findings(_ move: Move) -> [TreeFinding] {
    func finding(_ kind: TreeFinding.Kind, moved: Int) -> TreeFinding {
      TreeFinding(kind: kind, tree: move.tree, moved: moved, inputs: baseline.rows.count)
    }
    guard let old = move.old else { return [finding(.added, moved: move.count)] }
    guard let new = move.new, let comparison = move.comparison else {
      return [finding(.missing, moved: move.count)]
    }
    guard comparison.isSameStructure else { return [finding(.structure, moved: move.count)] }
    let splits = comparison.splits.map { split in
      (kind: kind(of: split), moved: moved(by: split, old))
    }.filter { $0.moved > 0 }.sorted { $0.moved > $1.moved }
    let leaves = comparison.largestLeafChange.map {
      finding(.leaves(largest: $0), moved: leavesMoved(old, new))
    }
    return splits.prefix(3).map { finding($0.kind, moved: $0.moved) }
      + (leaves.map { $0.moved > 0 ? [$0] : [] } ?? [])
  }

  // Rows that reach a leaf of the baseline whose numbers are others at the same place of the candidate: rows
  // take the baseline's way in both.
  private func leavesMoved(_ old: Int, _ new: Int) -> Int {
    baseline.rows.count { row in
      var (node, other) = (baseline.ensemble.roots[old], candidate.ensemble.roots[new])
      while node >= 0 {
        let branch = Int(node)
        let goesLeft = baseline.ensemble.goesLeft(row, at: branch)
        node = goesLeft ? baseline.ensemble.left[branch] : baseline.ensemble.right[branch]
        other =
          goesLeft ? candidate.ensemble.left[Int(other)] : candidate.ensemble.right[Int(other)]
      }
      let width = baseline.ensemble.leafWidth
      let (first, second) = ((-1 - Int(node)) * width, (-1 - Int(other)) * width)
      return (0..<width).contains {
        baseline.ensemble.leaves[first + $0] != candidate.ensemble.leaves[second + $0]
      }
    }
  }

  // Rows that reach the node in the baseline, and that the candidate's sends elsewhere.
  private func moved(by split: TreeComparison.Split, _ tree: Int) -> Int {
    zip(baseline.rows, candidate.rows).count { row, other in
      var node = baseline.ensemble.roots[tree]
      while node >= 0, Int(node) != split.baseline {
        node =
          baseline.ensemble.goesLeft(row, at: Int(node))
          ? baseline.ensemble.left[Int(node)] : baseline.ensemble.right[Int(node)]
      }
      return node >= 0
        && baseline.ensemble.goesLeft(row, at: split.baseline)
          != candidate.ensemble.goesLeft(other, at: split.candidate)
    }
  }

  private func kind(of split: TreeComparison.Split) -> TreeFinding.Kind {
    let (old, new) = (baseline.ensemble, candidate.ensemble)
    let feature = features[Int(old.features[split.baseline])]
    let other = features[Int(new.features[split.candidate])]
    guard old.features[split.baseline] == new.features[split.candidate] else {
      return .feature(node: split.node, baseline: feature, candidate: other)
    }
    guard old.rules[split.baseline] == new.rules[split.candidate] else {
      return .rule(feature: feature, node: split.node)
    }
    if old.rules[split.baseline].contains(.isCategory) {
      let sets = (old.set(at: split.baseline), new.set(at: split.candidate))
      let moved = sets.0.codes(unlike: sets.1)
      return .categories(
        feature: feature, node: split.node,
        categories.words(moved, of: Int(old.features[split.baseline])))
    }
    return .threshold(
      feature: feature, node: split.node, baseline: old.thresholds[split.baseline],
      candidate: new.thresholds[split.candidate])
  }
}
