import Inputs

/// Finds the weights that make a candidate drift by what they do to the outputs: they are swapped
/// into the baseline and run over the inputs that drifted most.
///
/// A relative error says nothing of that: the bias of a key can move by its whole length and cancels
/// in the softmax. `SwapSearch` says how many swaps it takes.
struct DriftAttribution {
  let encoders: [AttributedEncoder]
  let evaluation: Evaluation

  /// Inputs that weights are tried on, at most.
  static let maxInputs = 8
  /// Weights that are named, at most.
  static let maxNamed = 6

  /// The weights that moved the outputs, the one that moved them most first; nil without drift.
  ///
  /// - Parameters:
  ///   - findings: tell which inputs drifted most.
  ///   - before: outputs of all distinct inputs.
  func causes(
    _ findings: Findings, before: OutputMatrix, after: OutputMatrix
  ) throws -> DriftCauses? {
    if findings.worstInputs.isEmpty { return nil }
    let drifted = DriftedInputs(
      findings, maximum: DriftAttribution.maxInputs, before: before, after: after, evaluation)
    // Without drift there is nothing to attribute.
    if drifted.whole == 0 { return nil }
    let runs = try encoders.compactMap { encoder in
      let places = drifted.places(of: encoder.slot)
      return places.isEmpty
        ? nil : try EncoderAttribution(encoder, drifted, at: places)
    }
    let all = runs.indices.flatMap { run in
      runs[run].attributed.map { RankedWeight(run: run, weight: $0) }
    }
    guard !runs.isEmpty else { return nil }
    let ranked = all.filter(\.weight.effect.changesOutputs).sorted {
      $0.weight.effect.drift > $1.weight.effect.drift
    }
    let named = ranked.filter(\.weight.isNamed).prefix(DriftAttribution.maxNamed)
    let missing = try missing(runs, drifted)
    let joint = try JointSwaps(ranked, of: runs, drifted, isAll: missing < DriftCauses.little)
    let others = named.filter { one in
      !joint.weights.contains {
        $0.run == one.run && $0.weight.unit.name == one.weight.unit.name
      }
    }
    return DriftCauses(
      named: named.map(\.weight.value),
      weights: (joint.weights + others).map(\.weight.value),
      together: joint.drift,
      singles: ranked.filter(\.weight.share.isFinite).prefix(3).map(\.share),
      groups: runs.flatMap(\.groups), kinds: DamageCount.all(runs.flatMap(\.kinds)),
      drifts: runs.flatMap(\.drifts), inputs: drifted.numbers, missing: missing)
  }

  /// Part of the drift that is missing where the baseline has all of the candidate's weights; not finite
  /// where those of an encoder cannot be told apart.
  private func missing(_ runs: [EncoderAttribution], _ drifted: DriftedInputs) throws -> Double {
    guard Set(runs.flatMap(\.bench.places)).count == drifted.numbers.count else { return .nan }
    var outputs = drifted.before
    for run in runs {
      defer { run.bench.encoder.runner.forgetWeights() }
      let moved = run.bench.encoder.differences.filter { $0.relativeError > 0 }
      outputs = outputs.replacing(
        run.bench.places, with: try run.bench.outputs(swapping: moved.map(\.name)))
    }
    return drifted.missing(from: outputs)
  }

  /// Weights that look wrong although the outputs kept their limits.
  func warnings() throws -> [GateWarning] {
    try encoders.flatMap { encoder in
      try encoder.differences.compactMap { difference in
        try encoder.damage(of: difference).pattern.map { .weight(difference.name, $0) }
      }
    }
  }
}

/// A weight that was swapped alone, and in which of the encoders it is.
struct RankedWeight {
  let run: Int
  let weight: AttributedWeight

  /// Its share, as a sentence lists it.
  var share: WeightShare {
    WeightShare(first: weight.unit.name, last: weight.unit.name, count: 1, share: weight.share)
  }
}

extension DriftCauses {
  /// That weights do not make all of the drift; empty where they do.
  var otherComputation: [RefusalReason] {
    isOfWeights ? [] : [.computation(.unknown(missing: missing), nil)]
  }

  /// The reasons that a refusal gives.
  var reasons: [RefusalReason] {
    let several = together.flatMap { $0.weights.count > 1 ? $0 : nil }
    return
      (named.isEmpty && !drifts.isEmpty
      ? [.manyWeights(singles + groups, kinds)] : named.map(RefusalReason.suspect))
      + (several.map { [.together($0)] } ?? [])
  }
}
