import Graph
import IngotFeatures
import Trees
import Weights

/// Which thresholds of trees moved no farther than a candidate says it was asked for, or than the numbers allow
/// that its file has for them.
struct ThresholdAudit {
  /// What may become of thresholds.
  private enum Rule {
    /// They stay, bit for bit.
    case exact
    /// Those of 64 bits are in 32.
    case rounding
    /// What the candidate says.
    case coarse(CoarseThresholds)
  }

  /// The baseline's.
  private let ensemble: TreeEnsemble
  /// Names of its features; empty of trees inside a pipeline.
  private let features: [String]
  private let categories: CategoryWords
  private let rule: Rule
  private let references: ReferenceDecisions

  /// - Parameter rows: the references, as many numbers each as there are features.
  init(_ trees: PlacedTrees, of baseline: Model, _ candidate: Model, rows: [[Double]]) throws {
    let path = baseline.weights.files.first ?? baseline.origin
    ensemble = try trees.ensemble(path: path) { try baseline.weights.doubles(of: $0) }
    guard baseline.architecture is ForestModel,
      case .features(let schema) = baseline.architecture.input
    else {
      (features, categories, rule) = ([], CategoryWords(), .exact)
      references = ReferenceDecisions(ensemble, rows: [])
      return
    }
    features = schema.columnNames
    categories = CategoryWords(schema)
    let others = try PlacedTrees.all(of: candidate.architecture).first { $0.name == trees.name }
    if let coarse = candidate.coarseThresholds {
      rule = .coarse(coarse)
    } else if !trees.header.precision.roundsFeatures, trees.header.thresholdCount > 1,
      others?.header.thresholdCount == 1
    {
      rule = .rounding
    } else {
      rule = .exact
    }
    if case .exact = rule {
      references = ReferenceDecisions(ensemble, rows: [])
    } else {
      references = ReferenceDecisions(ensemble, rows: rows)
    }
  }

  /// What is left of the candidate's numbers when those that may be as they are become the baseline's.
  ///
  /// - Parameters:
  ///   - old: the baseline's, one, two or three for each threshold.
  ///   - new: the candidate's, as many.
  func remaining(old: [Float], new: [Float]) -> (numbers: [Float], moves: CoarseMoves?) {
    let count = ensemble.branchCount
    if case .exact = rule { return (new, nil) }
    guard count > 0, old.count == new.count, old.count % count == 0 else { return (new, nil) }
    let found = thresholds(new)
    var (numbers, moved, farthest) = (new, 0, 0.0)
    for branch in 0..<count where ensemble.thresholds[branch] != found[branch] {
      guard mayBe(found[branch], at: branch) else { continue }
      moved += 1
      let range = references.range(of: branch)
      if range > 0 {
        farthest = max(farthest, (found[branch] - ensemble.thresholds[branch]).magnitude / range)
      }
      for place in stride(from: branch, to: old.count, by: count) { numbers[place] = old[place] }
    }
    guard case .coarse(let coarse) = rule, moved > 0 else { return (numbers, nil) }
    return (
      numbers,
      CoarseMoves(coarse: coarse.words, count: moved, compared: count, farthest: farthest)
    )
  }

  private func mayBe(_ threshold: Double, at branch: Int) -> Bool {
    guard !ensemble.rules[branch].contains(.isCategory) else { return false }
    return switch rule {
    case .exact: false
    case .rounding: references.isRounding(threshold, at: branch)
    case .coarse(let coarse):
      ensemble.mayBeCoarser(branch)
        && references.allows(threshold, at: branch, moving: coarse.share)
    }
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
    var result = RowFinding(
      weight: finding.weight, line: finding.line, count: Set(faults.map { $0.row % count }).count,
      compared: count, first: finding.first, typical: finding.typical)
    result.threshold = ThresholdChange(
      tree: place.tree, node: place.node,
      feature: features.indices.contains(feature) ? features[feature] : "\(feature)",
      baseline: ensemble.thresholds[branch], candidate: found, allowed: allowed(at: branch),
      turned: turned(by: found, at: branch))
    result.threshold?.categories = categories(by: found, at: branch)
    return result
  }

  /// What a branch that asks for categories has, and would have by another number of a set; nil of any other.
  private func categories(by number: Double, at branch: Int) -> ThresholdChange.Categories? {
    guard ensemble.rules[branch].contains(.isCategory) else { return nil }
    func words(_ number: Double) -> [String]? {
      guard let set = Int(exactly: number), ensemble.categories.indices.contains(set) else {
        return nil
      }
      return categories.words(ensemble.categories[set].codes, of: Int(ensemble.features[branch]))
    }
    return .init(
      baseline: words(ensemble.thresholds[branch]) ?? [], candidate: words(number))
  }

  private func allowed(at branch: Int) -> ThresholdChange.Allowed {
    switch rule {
    case .exact: return .nothing
    case .rounding:
      let around = references.around(branch)
      return .rounding(below: Double(around.lowerBound), above: Double(around.upperBound))
    case .coarse(let coarse):
      return .coarse(coarse.words, reach: coarse.share * references.range(of: branch))
    }
  }

  private func turned(by threshold: Double, at branch: Int) -> Int {
    if case .exact = rule { return 0 }
    return references.turned(by: threshold, at: branch)
  }
}
