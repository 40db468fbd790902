import Graph
import Inputs
import StrictJSON
import Weights

/// Checks the weights of one encoder before anything runs.
struct EncoderAudit {
  let slot: EncoderSlot
  /// Which weights belong together; nil unless both sides are models.
  let matching: WeightMatching?
  /// One for each weight that was compared.
  let differences: [WeightDifference]
  /// Why the candidate must not even be run; empty when it may.
  let faults: [RefusalReason]
  /// Rows that are worse than compression explains, one for each weight.
  private(set) var rowFaults: [RowFinding]
  /// Rows that moved farther than most and may, one for each weight.
  private(set) var rowWarnings: [RowFinding]
  /// Tables whose typical row moved far.
  let farTables: [FarTable]
  /// Lines of its weights that no reference reaches and that pass because others moved far.
  let excusedLines: [ExcusedLines]
  /// Rows that were held to a bound.
  let comparedRows: Int
  /// Thresholds of trees that are coarser and may be.
  let coarseMoves: [CoarseMoves]
  /// The table rows that references reach, and texts that hold the rest; nil for an encoder of
  /// anything but texts, or if a side is not a model.
  let probe: TextProbe?

  /// - Parameters:
  ///   - digest: of the candidate's weights; chooses the generated texts.
  ///   - jobs: threads.
  ///   - progress: told how many weights were compared, of how many.
  /// - Throws: the weight source's own error when a weight cannot be read, and as
  ///   `ModelRunner.outputs(for:)` what is wrong with a reference.
  init(
    _ slot: EncoderSlot, _ references: ReferenceSet, digest: ContentDigest?, jobs: Int,
    progress: (Int, Int) -> Void = { _, _ in }
  ) throws {
    self.slot = slot
    guard let old = slot.counterpart, let new = slot.candidate else {
      matching = nil
      probe = nil
      (differences, rowFaults, rowWarnings, farTables, comparedRows) = ([], [], [], [], 0)
      (coarseMoves, excusedLines) = ([], [])
      let ofBaseline = try slot.baseline.map { try WeightAudit.faults(of: $0, side: .baseline) }
      let ofCandidate = try slot.candidate.map {
        try WeightAudit.faults(of: $0, side: .candidate)
      }
      faults = ((ofBaseline ?? []) + (ofCandidate ?? [])).map(RefusalReason.weights)
      return
    }
    let matching = try WeightMatching(baseline: old, candidate: new)
    probe = try TextProbe(
      slot, references, baseline: old, candidate: new, isSample: matching.haveTokenTables,
      seed: digest?.number ?? 0)
    let audit = try WeightAudit(
      baseline: old, candidate: new, matching, reached: probe?.reached,
      rows: slot.inputs.compactMap { place in
        if case .values(let row) = references.inputs[place] { row } else { nil }
      },
      lines: old.kind == .values
        ? ReachedLines(old, slot.inputs.map { references.inputs[$0] }, jobs: jobs) : nil,
      progress: progress)
    self.matching = matching
    differences = audit.differences
    faults =
      try audit.faults.map(RefusalReason.weights)
      + TokenPath.faults(of: new, against: old).map { .tokens($0, slot.encoder) }
    (rowFaults, rowWarnings) = (audit.rowFaults, audit.rowWarnings)
    (farTables, excusedLines) = (audit.farTables, audit.excusedLines)
    comparedRows = audit.comparedRows
    coarseMoves = audit.coarseMoves
  }

  /// Takes what outputs say of tables whose rows moved far, in the place of what their numbers said.
  mutating func take(_ hidden: [RowFinding]) {
    func isKnown(_ finding: RowFinding) -> Bool {
      hidden.contains { $0.weight == finding.weight }
    }
    rowFaults = rowFaults.filter { !isKnown($0) } + hidden
    rowWarnings = rowWarnings.filter { !isKnown($0) }
  }

  /// The candidate's weights as the baseline calls them; nil unless both sides are models.
  var replacements: MatchedWeights? {
    guard let matching, let old = slot.counterpart, let new = slot.candidate else { return nil }
    return MatchedWeights(matching, baseline: old, candidate: new)
  }

  /// Says where another tool gave the weights names of its own, or wrote other operations.
  var programWarnings: [GateWarning] {
    guard let matching else { return [] }
    let names: GateWarning? =
      matching.areUnrelated
      ? .otherNames(slot.encoder, tokensCompared: matching.haveTokenTables) : nil
    return [names, matching.areOtherOperations ? .otherOperations : nil].compactMap(\.self)
  }

  /// Whether the rows of the table of tokens were held to the baseline's.
  var comparesTokens: Bool { matching?.haveTokenTables == true }

  /// How much the references reach; nil if they reach all that there is.
  var coverage: CoverageRecord? {
    probe.map {
      CoverageRecord($0.reached, comparedRows: comparedRows, generatedInputs: $0.texts.count)
    }
  }

  /// The encoder for attributing drift to weights; nil if weights cannot be told apart.
  ///
  /// - Parameter runner: of the baseline.
  func attributed(_ runner: ModelRunner) -> AttributedEncoder? {
    guard let matching, !matching.areUnrelated, let new = slot.candidate else { return nil }
    return AttributedEncoder(slot, baseline: runner, candidate: new, matching, differences)
  }
}
