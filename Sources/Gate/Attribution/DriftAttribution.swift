import Inputs
import StrictJSON

/// Finds the weights that make a candidate drift by what they do to the outputs: they are swapped
/// into the baseline and run over the inputs that drifted most.
///
/// A relative error says nothing of that: the bias of a key can move by its whole length and cancels
/// in the softmax. `SwapSearch` says how many swaps it takes.
struct DriftAttribution {
  let towers: [AttributedTower]
  let trial: Trial
  let jobs: Int

  /// Inputs that weights are tried on, at most.
  private static let maxInputs = 8
  /// Weights that are named, at most.
  private static let maxNamed = 6

  /// Sentences that name the weights that moved the outputs, the one that moved them most first.
  ///
  /// - Parameters:
  ///   - findings: tell which inputs drifted most.
  ///   - before: outputs of all distinct inputs.
  func reasons(
    _ findings: Findings, before: OutputMatrix, after: OutputMatrix
  ) throws -> [String] {
    if findings.worstInputs.isEmpty { return [] }
    let drifted = DriftedInputs(
      findings, most: DriftAttribution.maxInputs, before: before, after: after, trial)
    // Without drift there is nothing to attribute.
    if drifted.whole == 0 { return [] }
    let runs = try towers.compactMap { tower in
      let places = drifted.places(of: tower.tower)
      return places.isEmpty
        ? nil : try TowerAttribution(tower, drifted, at: places, jobs: jobs)
    }
    let named = runs.flatMap(\.suspects).filter(\.isNamed).sorted { $0.share > $1.share }
    if named.isEmpty { return nobody(runs) }
    return named.prefix(DriftAttribution.maxNamed).map(\.sentence)
  }

  /// What there is to say where no weight alone makes most of the drift.
  private func nobody(_ runs: [TowerAttribution]) -> [String] {
    let moving = runs.flatMap(\.suspects).filter { $0.effect.changesOutputs && $0.share.isFinite }
      .sorted { $0.share > $1.share }
    let parts =
      moving.prefix(3).map {
        "'\($0.unit.name)' \(Figures.text($0.share * 100, decimals: 0)) %"
      } + runs.flatMap(\.groups)
    if runs.flatMap(\.suspects).isEmpty { return [] }
    let fact = "no single weight makes most of the drift"
    return [parts.isEmpty ? fact : "\(fact); swapped in alone, " + parts.joined(separator: ", ")]
  }

  /// Weights that look wrong although the outputs kept their limits, one sentence each.
  func warnings() throws -> [String] {
    try towers.flatMap { tower in
      try tower.differences.compactMap { difference in
        try tower.pattern(of: difference).map {
          "the candidate's weight '\(difference.name)' is no mere compression, "
            + "though the outputs keep their limits: \($0.text)"
        }
      }
    }
  }
}
