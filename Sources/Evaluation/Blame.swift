import Graph

/// The baseline's weights with one tensor taken from the candidate.
struct HybridWeights: WeightSource {
  let baseline: any WeightSource
  let candidate: any WeightSource
  /// Name of the tensor that is the candidate's.
  let swapped: String

  var names: [String] { baseline.names }

  func shape(of name: String) -> [Int]? {
    name == swapped ? candidate.shape(of: name) : baseline.shape(of: name)
  }

  func floats(of name: String) throws -> [Float] {
    try name == swapped ? candidate.floats(of: name) : baseline.floats(of: name)
  }
}

/// Finds the weights that make a candidate drift: the ones that differ most are swapped into the
/// baseline one at a time and run over the inputs that drifted most.
struct Blame {
  let baseline: Model
  let candidate: Model
  /// The candidate's weights as the baseline calls them.
  let replacements: CounterpartWeights
  let differences: [WeightDifference]
  let trial: Trial
  let jobs: Int

  /// Weights that are tried alone, at most.
  private static let mostSuspects = 6
  /// Inputs they are tried on, at most.
  private static let mostInputs = 8

  /// Sentences that name the weights to blame.
  ///
  /// - Parameters:
  ///   - findings: tell which inputs drifted most.
  ///   - before: outputs of all distinct inputs.
  func reasons(
    _ findings: Findings, before: OutputMatrix, after: OutputMatrix
  ) throws -> [String] {
    let suspects = differences.filter { $0.relativeError > 0 }
      .sorted { $0.relativeError > $1.relativeError }.prefix(Blame.mostSuspects)
    let inputs = Array(findings.worstInputs.prefix(Blame.mostInputs))
    guard !suspects.isEmpty, !inputs.isEmpty else { return [] }
    let before = before.picking(inputs), after = after.picking(inputs)
    let whole = drift(before, after)
    var named: [String] = []
    for suspect in suspects {
      let alone = try outputs(swapping: suspect.name, inputs)
      let share = drift(before, alone) / whole
      let isCause =
        !alone.values.allSatisfy(\.isFinite) || share >= 0.5 || isZero(alone)
      let pattern = try pattern(of: suspect.name)
      guard isCause || pattern != nil else { continue }
      let effect =
        isCause
        ? self.effect(inputs, isPair: findings.startsWithPair, before, alone) + percent(share)
        : "moves little"
      named.append(
        "swapping in '\(suspect.name)' alone \(effect); relative error "
          + Figures.text(suspect.relativeError, decimals: 3)
          + (pattern.map { "; \($0.text)" } ?? ""))
    }
    return named.isEmpty ? [nobody(Array(suspects))] : named
  }

  /// Weights that look wrong although the outputs kept their limits, one sentence each.
  func warnings() throws -> [String] {
    try differences.compactMap { difference in
      guard difference.relativeError > WeightPattern.leastError else { return nil }
      return try pattern(of: difference.name).map {
        "the candidate's weight '\(difference.name)' is no mere compression, "
          + "though the outputs keep their limits: \($0.text)"
      }
    }
  }

  private func nobody(_ suspects: [WeightDifference]) -> String {
    let worst = suspects.prefix(3).map {
      "'\($0.name)' \(Figures.text($0.relativeError, decimals: 3))"
    }
    return "no single weight makes most of the drift; the largest relative errors are "
      + worst.joined(separator: ", ")
  }

  private func outputs(swapping name: String, _ inputs: [Int]) throws -> OutputMatrix {
    let weights = HybridWeights(
      baseline: baseline.weights, candidate: replacements, swapped: name)
    let encoder = try Encoder(model: baseline, weights: weights, jobs: jobs)
    return try encoder.outputs(for: inputs.map { trial.references.inputs[$0] })
  }

  private func pattern(of name: String) throws -> WeightPattern? {
    guard let reference = try baseline.usedWeights().first(where: { $0.name == name }) else {
      return nil
    }
    return WeightPattern.found(
      in: try replacements.floats(of: name), from: try baseline.weights.floats(of: name),
      shape: reference.shape)
  }

  // How far outputs moved, summed over all rows: 1 − cosine of embeddings, change of other outputs.
  private func drift(_ before: OutputMatrix, _ after: OutputMatrix) -> Double {
    if case .embedding = trial.meaning {
      let old = Vectors(before), new = Vectors(after)
      return (0..<before.rowCount).reduce(0) { $0 + 1 - old.cosine($1, of: new, $1) }
    }
    return zip(before.values, after.values).reduce(0) {
      $0 + (Double($1.1) - Double($1.0)).magnitude
    }
  }

  // What the swap does to the worst pair or input.
  private func effect(
    _ inputs: [Int], isPair: Bool, _ before: OutputMatrix, _ alone: OutputMatrix
  ) -> String {
    guard alone.values.allSatisfy(\.isFinite) else { return "gives outputs that are not finite" }
    if isZero(alone) { return "gives embeddings that are all zero" }
    let first = trial.label(inputs[0])
    if case .embedding = trial.meaning {
      guard isPair else {
        let cosine = Vectors(before).cosine(0, of: Vectors(alone), 0)
        return "turns \(first) to cosine \(Figures.text(cosine, decimals: 3))"
      }
      let change = Figures.change(Vectors(before).cosine(0, 1), Vectors(alone).cosine(0, 1))
      return "moves \(first) ↔ \(trial.label(inputs[1])) \(change)"
    }
    let column = Trial.largest(
      zip(before[0], alone[0]).map { (Double($1) - Double($0)).magnitude }, most: 1)[0]
    let change = Figures.change(Double(before.values[column]), Double(alone.values[column]))
    return "moves \(first) \(change)"
  }

  // Whether an embedding is all zero, and so has no cosine.
  private func isZero(_ outputs: OutputMatrix) -> Bool {
    guard case .embedding = trial.meaning else { return false }
    return (0..<outputs.rowCount).contains { outputs[$0].allSatisfy { $0 == 0 } }
  }

  private func percent(_ share: Double) -> String {
    guard share.isFinite else { return "" }
    return ", \(Figures.text(share * 100, decimals: 0)) % of the drift"
  }
}
