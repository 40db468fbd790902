package import Gate
import Inputs
package import Search

/// A model that was made and judged: one point of a frontier.
package struct Candidate: Sendable {
  /// From 1.
  package let number: Int
  /// The references that judged it: `search` or `verdict`; nil if there is one set.
  package let share: String?
  /// Bytes of its weights' numbers.
  package let weightBytes: Int
  /// Nil without a search.
  package let predictedLoss: Double?
  /// Part of the allowed loss that it uses; nil where nothing was measured.
  package let use: Double?
  /// Nil where nothing was measured.
  package let metrics: DriftMetrics?
  package let isPassed: Bool
}

extension Candidate {
  /// The only candidate there is.
  package init(weightBytes: Int, _ verdict: Verdict) {
    (number, share, predictedLoss) = (1, nil, nil)
    self.weightBytes = weightBytes
    (use, metrics, isPassed) = Candidate.facts(verdict)
  }

  /// A candidate of a search.
  package init(_ trial: JudgedTrial, number: Int) {
    self.number = number
    (share, weightBytes) = (trial.share.rawValue, trial.weightBytes)
    predictedLoss = trial.predictedLoss
    (use, metrics, isPassed) = Candidate.facts(trial.verdict)
  }

  private static func facts(_ verdict: Verdict) -> (Double?, DriftMetrics?, Bool) {
    let use = verdict.metrics.map { verdict.limits.use($0) }
    return (use, verdict.metrics, verdict.isPassed)
  }
}
