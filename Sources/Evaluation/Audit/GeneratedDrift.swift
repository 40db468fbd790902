/// What generated texts say of a candidate.
///
/// They are like nothing that an app sees, and compression is fitted to what it sees: they drift
/// more than the references, those of calibrated models up to 25 times as far. So they refuse only
/// what no compression does, and warn where they miss the limit of the worst input.
struct GeneratedDrift {
  /// The lowest cosine of a text to the baseline's; nil where the baseline gives none.
  private(set) var least: Double?
  /// Why the candidate is refused; nil where it is not.
  private(set) var reason: String?
  /// What a person should know; nil where there is nothing.
  private(set) var warning: String?

  /// How much farther than the references' worst input a text may drift.
  private static let factor = 50.0
  /// Drift (1 − cosine) that is never a refusal.
  private static let tolerated = 0.5

  /// - Parameters:
  ///   - before: outputs of the baseline, one row per text; `after` those of the candidate.
  ///   - worst: the lowest cosine of the references.
  ///   - whose: the candidate, or its encoder, in words.
  init(
    before: OutputMatrix, after: OutputMatrix, worst: Double, limits: Limits, whose: String
  ) {
    // A baseline that gives no numbers there is no measure.
    let rows = (0..<before.rowCount).filter { row in
      before[row].allSatisfy(\.isFinite) && before[row].contains { $0 != 0 }
    }
    guard !rows.isEmpty else { return }
    guard rows.allSatisfy({ after[$0].allSatisfy(\.isFinite) }) else {
      reason =
        "\(whose) gives outputs that are not finite for a generated text of tokens that no "
        + "reference holds"
      return
    }
    let old = Vectors(before), new = Vectors(after)
    let cosines = rows.map { old.cosine($0, of: new, $0) }
    let least = Statistics.min(cosines)
    self.least = least
    let most = max(Self.tolerated, Self.factor * (1 - worst))
    let limit = limits[.cosineMin]
    guard least >= limit || 1 - least <= most else {
      reason =
        "\(whose) drifts to cosine \(Figures.text(least, decimals: 3)) on a generated text of "
        + "tokens that no reference holds, where the worst reference keeps "
        + "\(Figures.text(worst, unlike: 1)): its rows are not those of the baseline"
      return
    }
    guard least >= limit else {
      warning =
        "\(whose) misses the limit of the worst input (\(Figures.plain(limit))) on generated "
        + "texts of tokens that no reference holds; add references with words like those of "
        + "the app"
      return
    }
  }
}
