package import Gate
package import Inputs
import Proving
package import WeightCompression

/// A model with its parts compressed as allocated.
struct Candidate {
  /// Of the parts that have an allocation.
  let compressed: [Prover.Compressed]
  /// Of the same parts: what the choices were when it was made.
  let recipes: [Recipe]
  /// For each part of the search; nil for one that stays as trained.
  let allocations: [Frontier.Allocation?]

  /// Whether no part stays as trained.
  var isWhole: Bool { allocations.allSatisfy { $0 != nil } }

  /// Whether a table is stored in two parts.
  var isSplit: Bool {
    compressed.contains { $0.planned.contains { $0.scheme?.isSplit == true } }
  }

  /// Bytes of the weights there is a choice about.
  var bytes: Int { allocations.reduce(0) { $0 + ($1?.bytes ?? 0) } }
}

extension Candidate {
  /// Candidates of one part each, in their order, as one.
  init(joining candidates: [Candidate]) {
    self.init(
      compressed: candidates.flatMap(\.compressed), recipes: candidates.flatMap(\.recipes),
      allocations: candidates.flatMap { $0.allocations.compactMap { $0 } })
  }
}

/// A candidate that was made and judged.
package struct Trial: Sendable {
  /// The references that judged it.
  package let share: ReferenceSet.Share
  /// Bytes of its weights' numbers; of one encoder where the other stays as trained.
  package let weightBytes: Int
  /// The loss that was predicted, before weights are fitted.
  package let predictedLoss: Double
  package let verdict: Verdict
  /// The part of the allowed loss that it uses; infinite where nothing was measured.
  package let use: Double
  /// The part that other references are likely to show used; infinite where nothing was measured.
  let expectedUse: Double

  let candidate: Candidate

  /// What tells candidates of one size apart: of embeddings 1 − the mean cosine, else `use`.
  var loss: Double {
    guard case .embeddings(let drift) = verdict.metrics?.drift else { return use }
    return 1 - drift.cosine.mean
  }

  /// Whether no encoder stays as trained.
  package var isWhole: Bool { candidate.isWhole }

  /// Whether rows of a weight were refused: those of a table in two parts are held to the rows that
  /// references reach, and most of these may lie in the better part.
  var isRefusedForRows: Bool {
    verdict.refusals.contains { if case .rows = $0 { true } else { false } }
  }

  /// How each weight of the parts that were compressed is stored.
  package var planned: [PlannedTensor] { candidate.compressed.flatMap(\.planned) }

  init(
    _ candidate: Candidate, of parts: [SearchedPart], _ verdict: Verdict,
    on share: ReferenceSet.Share
  ) {
    self.share = share
    self.candidate = candidate
    self.verdict = verdict
    let fixed = zip(parts, candidate.allocations).map { $1 == nil ? 0 : $0.choices.fixedBytes }
    weightBytes = candidate.bytes + fixed.reduce(0, +)
    predictedLoss = candidate.allocations.reduce(0) { $0 + ($1?.loss ?? 0) }
    use = verdict.metrics.map { verdict.limits.use($0) } ?? .infinity
    expectedUse = verdict.metrics.map { verdict.limits.expectedUse($0) } ?? .infinity
  }
}
