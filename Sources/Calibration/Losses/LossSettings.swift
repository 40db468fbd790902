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
  /// Of these, the ones whose gradients are summed: inputs are worth more than directions.
  package var momentProbes = 2
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

  /// The inputs as they are, without noisy copies.
  var sample: CalibrationSettings {
    var settings = CalibrationSettings()
    (settings.maxInputs, settings.maxValues, settings.noisyCopies) = (maxInputs, maxValues, 0)
    return settings
  }
}
