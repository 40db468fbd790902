/// Settings for predicting what the loss of weights does to a model's outputs.
package struct LossSettings: Sendable {
  /// The most inputs to look at, chosen evenly over their lines.
  package var maxInputs = 512
  /// The most numbers that they may have in the widest layer; bounds the time.
  package var maxValues = 24 << 20
  /// The most products of a weight and a number that running them once may take; bounds the time of
  /// large models.
  package var maxProducts = 400_000_000_000
  /// Random directions in which the output of each input is looked at.
  package var probes = 4
  /// The most of these whose gradients are summed: inputs are worth more than directions.
  package var mostMomentProbes = 2
  /// Bytes of values and gradients that are kept at once.
  package var byteLimit = 64 << 20
  /// Losses are predicted for every so manieth stretch of inputs that are kept at once, at most: each
  /// candidate is multiplied with all of them. Moments are of all.
  package var mostLossStride = 8
  /// Where there are fewer stretches for the predictions, the stride is smaller.
  package var fewestLossStretches = 8
  /// Seed of the directions.
  package var seed: UInt64 = 1

  package init() {}

  /// Directions whose gradients are summed.
  var momentProbes: Int { min(mostMomentProbes, probes) }

  /// The inputs as they are, without noisy copies.
  ///
  /// - Parameters:
  ///   - weights: numbers that each row is multiplied with.
  ///   - width: of the widest layer.
  func sample(weights: Int, width: Int) -> CalibrationSettings {
    var settings = CalibrationSettings()
    let rows = max(1, maxProducts / max(1, weights))
    settings.maxValues = min(maxValues, rows * width)
    (settings.maxInputs, settings.noisyCopies) = (maxInputs, 0)
    return settings
  }
}
