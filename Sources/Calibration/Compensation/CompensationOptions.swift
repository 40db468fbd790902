/// How much is made of what is known of a layer's inputs.
package struct CompensationOptions: Hashable, Sendable {
  /// What is added to the diagonal of the second moments, in units of its mean: keeps what few
  /// inputs have shown from being taken for the truth.
  package let damping: Double
  /// Weight of the ridge that holds the aim near the weights as trained, in units of the mean of the
  /// diagonal; nil takes the weights as trained for the aim.
  ///
  /// The aim is the matrix that makes the wanted outputs of the inputs as the compressed layers
  /// before leave them.
  package let pull: Double?
  /// Share of the squared mean that is added to the centred moments: a bias takes up the mean, though
  /// never all of it on other inputs.
  package let meanWeight: Double
  /// How often codes and then palettes or scales are improved.
  package let rounds: Int
  /// Passes of coordinate descent over the codes in each round, at most.
  package let sweeps: Int

  package init(
    damping: Double = 0.05, pull: Double? = 0.5, meanWeight: Double = 0.05, rounds: Int = 2,
    sweeps: Int = 3
  ) {
    precondition(damping >= 0 && pull ?? 0 >= 0 && meanWeight >= 0, "no negative shares")
    precondition(rounds >= 0 && sweeps >= 0, "no negative counts")
    self.damping = damping
    self.pull = pull
    self.meanWeight = meanWeight
    self.rounds = rounds
    self.sweeps = sweeps
  }
}
