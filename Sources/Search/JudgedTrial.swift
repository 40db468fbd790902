package import Gate
package import Inputs

/// What is left of a trial once its weights are gone.
package struct JudgedTrial: Equatable, Sendable {
  /// The references that judged it.
  package let share: ReferenceSet.Share
  /// As those of the trial.
  package let weightBytes: Int
  package let predictedLoss: Double
  package let use: Double
  package let verdict: Verdict

  package init(_ trial: Trial) {
    (share, weightBytes) = (trial.share, trial.weightBytes)
    (predictedLoss, use, verdict) = (trial.predictedLoss, trial.use, trial.verdict)
  }
}
