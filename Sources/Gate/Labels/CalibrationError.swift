/// How far the probabilities of decisions are from how often these are right: the expected calibration error
/// (Guo et al. 2017, "On calibration of modern neural networks").
package enum CalibrationError {
  /// Bins of equal width over 0 to 1.
  package static let binCount = 15

  /// Σ over bins of (decisions in the bin ÷ all) · |share of them that are right − mean of their
  /// probabilities|. A bin holds its upper bound and not its lower one; the first holds 0, too.
  ///
  /// - Parameters:
  ///   - confidences: the probability of each decision, 0 to 1.
  ///   - isRight: whether each is the true label; as many.
  /// - Returns: 0 for no decisions.
  package static func expected(_ confidences: [Double], isRight: [Bool]) -> Double {
    var sums = [Double](repeating: 0, count: binCount)
    var rights = [Double](repeating: 0, count: binCount)
    for (confidence, isRight) in zip(confidences, isRight) {
      let place = (confidence * Double(binCount)).rounded(.up) - 1
      let bin = Int(min(max(place, 0), Double(binCount - 1)))
      sums[bin] += confidence
      if isRight { rights[bin] += 1 }
    }
    let gaps = zip(sums, rights).reduce(0) { $0 + ($1.1 - $1.0).magnitude }
    return confidences.isEmpty ? 0 : gaps / Double(confidences.count)
  }
}
