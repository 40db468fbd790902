package import Gate
package import Inputs
import Proving
package import WeightCompression

/// A candidate that was made and judged.
package struct Trial: Sendable {
  /// The references that judged it.
  package let share: ReferenceSet.Share
  /// Bytes of its weights' numbers.
  package let weightBytes: Int
  /// The loss that was predicted, before weights are fitted.
  package let predictedLoss: Double
  package let verdict: Verdict
  /// The part of the allowed loss that it uses; infinite where nothing was measured.
  package let use: Double

  /// How each weight is stored.
  package var planned: [PlannedTensor] { compressed.planned }

  let allocation: Frontier.Allocation
  let compressed: Prover.Compressed

  init(
    _ compressed: Prover.Compressed, _ allocation: Frontier.Allocation, fixedBytes: Int,
    _ verdict: Verdict, on share: ReferenceSet.Share
  ) {
    self.share = share
    self.allocation = allocation
    self.compressed = compressed
    self.verdict = verdict
    weightBytes = allocation.bytes + fixedBytes
    predictedLoss = allocation.loss
    use = verdict.metrics.map { verdict.limits.use($0) } ?? .infinity
  }
}

/// The trials that a search goes between: the smallest that passed, and the largest that did not.
struct Bracket {
  private(set) var passed: Trial?
  private(set) var refused: Trial?

  /// The part of the allowed loss that a search aims at.
  private static let aim = 0.97

  mutating func take(_ trial: Trial) {
    if trial.verdict.isPassed {
      if trial.weightBytes < passed?.weightBytes ?? .max { passed = trial }
    } else if trial.weightBytes > refused?.weightBytes ?? -1 {
      refused = trial
    }
  }

  /// Whether nothing much smaller than what passed is left to try.
  var isNarrow: Bool {
    guard let passed else { return false }
    if passed.use >= 0.94, passed.use <= 1 { return true }
    guard let refused else { return false }
    return Double(passed.weightBytes - refused.weightBytes) < 0.01 * Double(passed.weightBytes)
  }

  /// The predicted loss to try after a trial.
  func next(after trial: Trial) -> Double {
    let loss = trial.allocation.loss
    let wanted =
      trial.use.isFinite && trial.use > 0 ? loss * Bracket.aim / trial.use : loss / 4
    let low = passed?.allocation.loss, high = refused?.allocation.loss
    switch (low, high) {
    case (let low?, let high?) where !(wanted > low && wanted < high):
      return (low * high).squareRoot()
    // Refused although it uses no limit up: for another reason, or by a flip.
    case (nil, let high?) where !(wanted < high): return high / 2
    case (let low?, nil) where !(wanted > low): return low * 1.5
    default: return wanted
    }
  }
}
