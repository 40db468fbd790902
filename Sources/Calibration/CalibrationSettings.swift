/// Settings for calibrating a model.
package struct CalibrationSettings: Sendable {
  /// The most inputs of a set to use, chosen evenly over its lines; noisy copies count.
  package var maxInputs = 1152
  /// The most numbers that all of them may have in the widest layer, whose rows are tokens or
  /// patches; bounds memory and time. About five times as many are in memory at once.
  package var maxValues = 48 << 20
  /// Further copies of each text with some tokens replaced, as far as there is room for all.
  package var noisyCopies = 2
  /// Part of the tokens that are replaced in them.
  package var noiseShare = 0.2
  /// Seed of the random replacements.
  package var seed: UInt64 = 1
  /// How the gradients are taken that say what errors of a table's rows cost.
  package var losses = LossSettings()
  /// Share of an input's weight that its first row gets on top of its part of the rest, in layers
  /// where only that row is used; the others keep the fit from trusting its few numbers too much.
  package var firstRowShare = 0.5
  /// Options for rounding weights.
  package var compensation = GPTQOptions()

  package init() {}

  /// How the weights of one layer are rounded: without a bias there is nothing that takes up the
  /// mean of its inputs, so that they count whole and not from their mean.
  func compensation(of layer: CalibratedLayer) -> GPTQOptions {
    guard layer.bias == nil else { return compensation }
    return GPTQOptions(
      damping: compensation.damping, ridge: compensation.ridge, meanWeight: 1,
      rounds: compensation.rounds, sweeps: compensation.sweeps)
  }
}
