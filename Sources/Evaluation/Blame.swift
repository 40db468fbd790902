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

/// One tower, with the weights that may have made a candidate drift.
struct BlamedTower {
  let tower: Tower
  let baseline: Model
  /// The candidate's weights as the baseline calls them.
  let replacements: CounterpartWeights
  let differences: [WeightDifference]

  /// How a weight of the tower is wrong, if it is wrong in a way that is known.
  func pattern(of name: String) throws -> WeightPattern? {
    guard let reference = try baseline.usedWeights().first(where: { $0.name == name }) else {
      return nil
    }
    // Fitting weights to inputs moves biases, which take up the mean of what the weights lost.
    if reference.role == .bias, tower.candidate?.calibration != nil { return nil }
    return WeightPattern.found(
      in: try replacements.floats(of: name), from: try baseline.weights.floats(of: name),
      shape: reference.shape)
  }
}

/// Finds the weights that make a candidate drift: the ones that differ most are swapped into the
/// baseline one at a time and run over the inputs that drifted most.
struct Blame {
  let towers: [BlamedTower]
  let trial: Trial
  let jobs: Int

  /// Weights of a tower that are tried alone, at most.
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
    let inputs = Array(findings.worstInputs.prefix(Blame.mostInputs))
    guard !inputs.isEmpty else { return [] }
    let before = before.picking(inputs)
    let whole = drift(before, after.picking(inputs))
    var named: [String] = []
    var suspects: [WeightDifference] = []
    for blamed in towers {
      // Places among the inputs of those that the tower takes.
      let places = inputs.indices.filter {
        trial.references.inputs[inputs[$0]].kind == blamed.tower.kind
      }
      if places.isEmpty { continue }
      let ours = blamed.differences.filter { $0.relativeError > 0 }
        .sorted { $0.relativeError > $1.relativeError }.prefix(Blame.mostSuspects)
      suspects += ours
      for suspect in ours {
        let outputs = try outputs(of: blamed, swapping: suspect.name, places.map { inputs[$0] })
        let alone = before.replacing(places, with: outputs)
        let trace = Trace(
          inputs: inputs, places: places, isPair: findings.startsWithPair, before: before,
          alone: alone, share: drift(before, alone) / whole)
        named += try sentence(on: suspect, of: blamed, trace).map { [$0] } ?? []
      }
    }
    if named.isEmpty && !suspects.isEmpty { return [nobody(suspects)] }
    return named
  }

  /// What one weight alone does to the inputs that drifted most.
  private struct Trace {
    /// Numbers of the inputs; the first two are the worst pair if `isPair`.
    let inputs: [Int]
    /// Places in `inputs` that the weight can move.
    let places: [Int]
    let isPair: Bool
    let before: OutputMatrix
    let alone: OutputMatrix
    /// Of all drift there.
    let share: Double
  }

  private func sentence(
    on suspect: WeightDifference, of blamed: BlamedTower, _ trace: Trace
  ) throws -> String? {
    let isCause =
      !trace.alone.values.allSatisfy(\.isFinite) || trace.share >= 0.5 || isZero(trace.alone)
    let pattern = try blamed.pattern(of: suspect.name)
    guard isCause || pattern != nil else { return nil }
    return "swapping in '\(suspect.name)' alone "
      + (isCause ? effect(trace) + percent(trace.share) : "moves little")
      + "; relative error " + Figures.text(suspect.relativeError, decimals: 3)
      + (pattern.map { "; \($0.text)" } ?? "")
  }

  /// Weights that look wrong although the outputs kept their limits, one sentence each.
  func warnings() throws -> [String] {
    try towers.flatMap { blamed in
      try blamed.differences.compactMap { difference in
        guard difference.relativeError > WeightPattern.leastError else { return nil }
        return try blamed.pattern(of: difference.name).map {
          "the candidate's weight '\(difference.name)' is no mere compression, "
            + "though the outputs keep their limits: \($0.text)"
        }
      }
    }
  }

  private func nobody(_ suspects: [WeightDifference]) -> String {
    let worst = suspects.sorted { $0.relativeError > $1.relativeError }.prefix(3).map {
      "'\($0.name)' \(Figures.text($0.relativeError, decimals: 3))"
    }
    return "no single weight makes most of the drift; the largest relative errors are "
      + worst.joined(separator: ", ")
  }

  private func outputs(
    of blamed: BlamedTower, swapping name: String, _ inputs: [Int]
  ) throws -> OutputMatrix {
    let weights = HybridWeights(
      baseline: blamed.baseline.weights, candidate: blamed.replacements, swapped: name)
    let encoder = try Encoder(model: blamed.baseline, weights: weights, jobs: jobs)
    return try trial.references.naming(inputs) {
      try encoder.outputs(for: $0, images: trial.references.images)
    }
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
  private func effect(_ trace: Trace) -> String {
    let (before, alone) = (trace.before, trace.alone)
    guard alone.values.allSatisfy(\.isFinite) else { return "gives outputs that are not finite" }
    if isZero(alone) { return "gives embeddings that are all zero" }
    let place = trace.places[0]
    let first = trial.label(trace.inputs[place])
    if case .embedding = trial.meaning {
      guard trace.isPair, place < 2 else {
        let cosine = Vectors(before).cosine(place, of: Vectors(alone), place)
        return "turns \(first) to cosine \(Figures.text(cosine, decimals: 3))"
      }
      let change = Figures.change(Vectors(before).cosine(0, 1), Vectors(alone).cosine(0, 1))
      return "moves \(trial.label(trace.inputs[0])) ↔ \(trial.label(trace.inputs[1])) \(change)"
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
