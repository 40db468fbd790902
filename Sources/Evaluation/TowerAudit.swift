import Graph

/// What the weights of one tower say before anything runs.
struct TowerAudit {
  let tower: Tower
  /// Which weights belong together; nil unless both sides are models.
  let counterparts: Counterparts?
  /// One for each weight that was compared.
  let differences: [WeightDifference]
  /// Why the candidate must not even be run; empty when it may.
  let faults: [String]

  /// - Throws: the weight source's own error when a weight cannot be read.
  init(_ tower: Tower) throws {
    self.tower = tower
    guard let old = tower.baseline, let new = tower.candidate else {
      counterparts = nil
      differences = []
      let ofBaseline = try tower.baseline.map { try WeightAudit.faults(of: $0, side: "baseline") }
      let ofCandidate = try tower.candidate.map {
        try WeightAudit.faults(of: $0, side: "candidate")
      }
      faults = (ofBaseline ?? []) + (ofCandidate ?? [])
      return
    }
    let counterparts = try Counterparts(baseline: old, candidate: new)
    let audit = try WeightAudit(baseline: old, candidate: new, counterparts)
    self.counterparts = counterparts
    differences = audit.differences
    faults = audit.faults
  }

  /// Whether the weights were made by another tool, which gave names of its own.
  var areUnrelated: Bool { counterparts?.areUnrelated == true }

  /// What drift can be attributed to; nil where weights cannot be told apart.
  var attributed: AttributedTower? {
    guard let counterparts, !counterparts.areUnrelated, let old = tower.baseline,
      let new = tower.candidate
    else { return nil }
    return AttributedTower(tower, baseline: old, candidate: new, counterparts, differences)
  }
}
