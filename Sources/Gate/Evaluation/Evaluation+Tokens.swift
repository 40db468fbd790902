import Graph
import Inputs
import StrictJSON

extension Evaluation {
  /// A candidate's outputs, with zeros for the tokens of a text that it cuts off and the baseline
  /// sees; as they are for any other model.
  func filledUp(_ candidate: OutputMatrix, like baseline: OutputMatrix) -> OutputMatrix {
    guard case .tokenClasses = meaning, candidate.width < baseline.width else { return candidate }
    return candidate.widened(to: baseline.width)
  }

  /// Measures the probabilities of labels of tokens: a flip is a token whose label changes, or that
  /// one side does not see.
  func judge(_ tokens: TokenRows, _ findings: inout Findings) {
    let drift = SampleDrift(
      baseline: tokens.before, candidate: tokens.after, unit: DriftUnit(meaning))
    findings.flips = flips(tokens)
    findings.metrics = DriftMetrics(
      drift: .outputs(drift.spread), flips: findings.flips.count,
      inputs: references.given.inputs, pairs: 0,
      distinct: ReferenceSet.Counts(inputs: references.inputs.count, pairs: 0))
    if threshold != nil {
      findings.warnings.append(.references(.unusedThreshold(.largestOutput)))
    }
    let worst = Evaluation.largest(drift.changes, maximum: drift.changes.count)
    var seen: Set<Int> = []
    findings.worstInputs = Array(
      worst.map { tokens.places[$0].input }.filter { seen.insert($0).inserted }.prefix(4))
    let changed = worst.prefix(DriftDetails.longest).filter { drift.changes[$0] > 0 }.map { row in
      (input: tokens.places[row].input, change: change(of: row, tokens))
    }
    findings.worst = changed.prefix(3).map { .output($0.change) }
    findings.details = .outputs(
      DriftDetails.Outputs(
        changes: drift.changes, worst: changed.map { output($0.change, of: $0.input) }))
  }

  private func flips(_ tokens: TokenRows) -> [Flip] {
    tokens.places.indices.compactMap { row in
      let old = tokens.decision(tokens.before[row]), new = tokens.decision(tokens.after[row])
      guard let known = old ?? new, old?.label != new?.label else { return nil }
      let (input, token) = tokens.places[row]
      let column = row * tokens.labels.count + known.label
      let before = Double(tokens.before.values[column]), after = Double(tokens.after.values[column])
      return Flip(
        line: references.lines[input], before: before, after: after,
        // Of a token that one side does not see, the other's whole probability.
        margin: old == nil || new == nil ? max(before, after) : known.margin,
        decision: .label(
          input: "\(label(input)), token \(token)", from: tokens.word(old), to: tokens.word(new)))
    }
  }

  // The number of a token that changed most.
  private func change(of row: Int, _ tokens: TokenRows) -> OutputChange {
    let changes = zip(tokens.before[row], tokens.after[row]).map {
      (Double($1) - Double($0)).magnitude
    }
    let column = Evaluation.largest(changes, maximum: 1)[0]
    let (input, token) = tokens.places[row]
    let place = row * tokens.labels.count + column
    return OutputChange(
      input: references.named(input),
      output: "token \(token), \(tokens.labels.words[column])",
      before: Double(tokens.before.values[place]), after: Double(tokens.after.values[place]))
  }
}
