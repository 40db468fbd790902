package import Gate
package import Graph
package import Inputs

/// The limits and references of candidates, and how the gate is run on them: the judging half of
/// `Prover`, which `check` and a replay do alone.
package struct Judging {
  private let references: ReferenceSet
  private let limits: Limits
  private let threshold: Double?
  private let agreements: [SourceAgreement]
  private let allowsOtherPreparation: Bool
  private let jobs: Int

  /// - Parameters:
  ///   - threshold: the similarity, or the number of an output, at which the app decides.
  ///   - agreements: what source checks found of the models as trained, for the receipts.
  ///   - allowsOtherPreparation: whether a candidate may prepare its inputs otherwise.
  ///   - jobs: threads.
  package init(
    on references: ReferenceSet, _ limits: Limits, threshold: Double?,
    agreements: [SourceAgreement] = [], allowsOtherPreparation: Bool = false, jobs: Int
  ) {
    self.references = references
    self.limits = limits
    self.threshold = threshold
    self.agreements = agreements
    self.allowsOtherPreparation = allowsOtherPreparation
    self.jobs = jobs
  }

  /// Runs both sides and decides.
  ///
  /// - Parameter progress: told how many inputs are done, of how many; called from any thread.
  /// - Throws: as `Gate.judge`. A candidate that drifted is a refusal, not an error.
  package func judge(
    _ candidate: GateSide, against baseline: GateSide,
    progress: @escaping @Sendable (Int, Int) -> Void = { _, _ in }
  ) throws -> Verdict {
    try Gate.judge(
      baseline: baseline, candidate: candidate, references: references, limits: limits,
      threshold: threshold, agreements: agreements,
      allowsOtherPreparation: allowsOtherPreparation, jobs: jobs, progress: progress)
  }

  /// The same of models that were staged together.
  package func judge(_ candidates: [Model], against trained: [Model]) throws -> Verdict {
    try judge(.models(candidates), against: .models(trained))
  }
}
