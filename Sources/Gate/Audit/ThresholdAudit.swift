import Graph
import IngotFeatures
import Trees
import Weights

/// Which thresholds of trees moved no farther than a candidate says it was asked for.
struct ThresholdAudit {
  /// The baseline's.
  private let ensemble: TreeEnsemble
  /// Names of its features; empty of trees inside a pipeline.
  private let features: [String]
  /// What the candidate says; nil if it says nothing.
  private let coarse: CoarseThresholds?
  private let references: ReferenceDecisions

  /// - Parameter rows: the references, as many numbers each as there are features.
  init(_ trees: PlacedTrees, of baseline: Model, _ candidate: Model, rows: [[Double]]) throws {
    let path = baseline.weights.files.first ?? baseline.origin
    ensemble = try trees.ensemble(path: path) { try baseline.weights.doubles(of: $0) }
    if baseline.architecture is ForestModel,
      case .features(let schema) = baseline.architecture.input
    {
      features = schema.columnNames
      coarse = candidate.coarseThresholds
    } else {
      (features, coarse) = ([], nil)
    }
    references = ReferenceDecisions(ensemble, rows: coarse == nil ? [] : rows)
  }

  /// What is left of the candidate's numbers when those that may be as they are become the baseline's.
  ///
  /// - Parameters:
  ///   - old: the baseline's, one, two or three for each threshold.
  ///   - new: the candidate's, as many.
  func remaining(old: [Float], new: [Float]) -> (numbers: [Float], moves: CoarseMoves?) {
    let count = ensemble.branchCount
    guard let coarse, count > 0, old.count == new.count, old.count % count == 0 else {
      return (new, nil)
    }
    let found = thresholds(new)
    var (numbers, moved, farthest) = (new, 0, 0.0)
    for branch in 0..<count where ensemble.thresholds[branch] != found[branch] {
      guard !ensemble.rules[branch].contains(.isCategory),
        references.allows(found[branch], at: branch, moving: coarse.share)
      else { continue }
      moved += 1
      let range = references.range(of: branch)
      if range > 0 {
        farthest = max(farthest, (found[branch] - ensemble.thresholds[branch]).magnitude / range)
      }
      for place in stride(from: branch, to: old.count, by: count) { numbers[place] = old[place] }
    }
    let moves =
      moved == 0
      ? nil : CoarseMoves(coarse: coarse.words, count: moved, compared: count, farthest: farthest)
    return (numbers, moves)
  }

  private func thresholds(_ stored: [Float]) -> [Double] {
    TreeEnsemble.thresholds(
      stored.map(Double.init), rows: max(1, stored.count / max(1, ensemble.branchCount)))
  }

  /// Says of rows of their array which thresholds they are.
  func finding(_ finding: RowFinding, _ faults: [RowDistance], new: [Float]) -> RowFinding {
    let count = ensemble.branchCount
    guard count > 0, let branch = faults.map({ $0.row % count }).min(),
      let place = ensemble.place(ofBranch: branch)
    else { return finding }
    let found = thresholds(new)[branch]
    let feature = Int(ensemble.features[branch])
    let allowed = coarse.map { coarse in
      ThresholdChange.Allowed(
        coarse: coarse.words, reach: coarse.share * references.range(of: branch),
        turned: references.turned(by: found, at: branch))
    }
    var result = RowFinding(
      weight: finding.weight, line: finding.line, count: Set(faults.map { $0.row % count }).count,
      compared: count, first: finding.first, typical: finding.typical)
    result.threshold = ThresholdChange(
      tree: place.tree, node: place.node,
      feature: features.indices.contains(feature) ? features[feature] : "\(feature)",
      baseline: ensemble.thresholds[branch], candidate: found, allowed: allowed)
    return result
  }
}
