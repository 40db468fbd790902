/// How much of a typical error outputs show.
///
/// Compression error points nowhere in particular, so it moves outputs as much as noise of its
/// size does. Rows that moved along what references do not see move them far less, and explain
/// nothing about other rows.
struct ShownError {
  /// Drift that noise of the typical error makes.
  let noise: Double
  /// Drift that the candidate's rows make.
  let candidate: Double

  /// Typical errors up to here are never questioned: rows that lost little may move little.
  static let minimum = 0.04
  /// Errors from here on are always held to outputs.
  private static let always = 0.12
  /// Drift (1 − cosine) beside the square of the error below which a smaller error is questioned, too.
  private static let usual = 0.05
  /// How many times as much as the candidate's rows noise may move outputs before it tells anything.
  private static let margin = 4.0

  /// Whether outputs must be asked about a table, which costs a second run over a few inputs.
  ///
  /// - Parameter drift: 1 − cosine of the embeddings that the candidate's table gives in the
  ///   baseline, on average; nil if outputs are not embeddings.
  static func isQuestioned(typical: Double, drift: Double?) -> Bool {
    guard typical > minimum else { return false }
    return typical > always || drift.map { $0 < usual * typical * typical } == true
  }

  /// The part of a typical error that outputs show, at most all: drift grows with its square. An
  /// error of more than all of a row counts as all, which is what the noise moves.
  func part(of typical: Double) -> Double {
    // Outputs that no move changes, or that cannot be compared, say nothing.
    guard noise > 0, noise.isFinite, candidate.isFinite else { return typical }
    return min(typical, min(1, typical) * (ShownError.margin * candidate / noise).squareRoot())
  }
}
