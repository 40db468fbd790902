import Inputs
import StrictJSON

/// Finds the weights that make a candidate drift by what they do to the outputs: they are swapped
/// into the baseline and run over the inputs that drifted most.
///
/// A relative error says nothing of that: the bias of a key can move by its whole length and cancels
/// in the softmax. `SwapSearch` says how many swaps it takes.
struct DriftAttribution {
  let encoders: [AttributedEncoder]
  let evaluation: Evaluation

  /// Inputs that weights are tried on, at most.
  private static let maxInputs = 8
  /// Weights that are named, at most.
  private static let maxNamed = 6

  /// The weights that moved the outputs, the one that moved them most first.
  ///
  /// - Parameters:
  ///   - findings: tell which inputs drifted most.
  ///   - before: outputs of all distinct inputs.
  func reasons(
    _ findings: Findings, before: OutputMatrix, after: OutputMatrix
  ) throws -> [RefusalReason] {
    if findings.worstInputs.isEmpty { return [] }
    let drifted = DriftedInputs(
      findings, maximum: DriftAttribution.maxInputs, before: before, after: after, evaluation)
    // Without drift there is nothing to attribute.
    if drifted.whole == 0 { return [] }
    let runs = try encoders.compactMap { encoder in
      let places = drifted.places(of: encoder.slot)
      return places.isEmpty
        ? nil : try EncoderAttribution(encoder, drifted, at: places)
    }
    let named = runs.flatMap(\.attributed).filter(\.isNamed).sorted { $0.share > $1.share }
    if named.isEmpty { return nobody(runs) }
    return named.prefix(DriftAttribution.maxNamed).map { .suspect($0.value) }
  }

  /// The reasons to give if no single weight makes most of the drift.
  private func nobody(_ runs: [EncoderAttribution]) -> [RefusalReason] {
    if runs.flatMap(\.attributed).isEmpty { return [] }
    let moving = runs.flatMap(\.attributed).filter { $0.effect.changesOutputs && $0.share.isFinite }
      .sorted { $0.share > $1.share }
    let single = moving.prefix(3).map {
      WeightShare(first: $0.unit.name, last: $0.unit.name, count: 1, share: $0.share)
    }
    return [.manyWeights(single + runs.flatMap(\.groups))]
  }

  /// Weights that look wrong although the outputs kept their limits.
  func warnings() throws -> [GateWarning] {
    try encoders.flatMap { encoder in
      try encoder.differences.compactMap { difference in
        try encoder.pattern(of: difference).map { .weight(difference.name, $0) }
      }
    }
  }
}
