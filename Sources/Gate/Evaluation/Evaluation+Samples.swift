import Graph
import Inputs
import StrictJSON

extension Evaluation {
  /// Measures scores, probabilities or numbers over single inputs.
  func judge(
    _ samples: [ReferenceSet.Sample], _ baseline: OutputMatrix, _ candidate: OutputMatrix,
    _ findings: inout Findings
  ) {
    let drift = SampleDrift(baseline: baseline, candidate: candidate, unit: DriftUnit(meaning))
    findings.flips = flips(baseline, candidate)
    findings.metrics = DriftMetrics(
      drift: .outputs(drift.spread), flips: findings.flips.count,
      inputs: references.given.inputs, pairs: 0,
      distinct: ReferenceSet.Counts(inputs: baseline.rowCount, pairs: 0))
    findings.metrics?.rankCorrelation = drift.rankCorrelation
    findings.warnings += decisionWarnings(samples, baseline).map(GateWarning.references)
    findings.worstInputs = Evaluation.largest(drift.changes, maximum: 4)
    let worst = Evaluation.largest(drift.changes, maximum: DriftDetails.longest).filter {
      drift.changes[$0] > 0
    }.map { input in
      let column = Evaluation.largest(
        zip(baseline[input], candidate[input]).map { (Double($1) - Double($0)).magnitude },
        maximum: 1)[
          0]
      return (
        input: input,
        change: OutputChange(
          input: references.named(input), output: outputName(column),
          before: Double(baseline.values[input * baseline.width + column]),
          after: Double(candidate.values[input * baseline.width + column]))
      )
    }
    findings.worst = worst.prefix(3).map { .output($0.change) }
    findings.details = .outputs(
      DriftDetails.Outputs(
        changes: drift.changes, worst: worst.map { output($0.change, of: $0.input) }))
  }

  /// Samples with a known output that the gate looks at.
  var knownSamples: Int {
    guard case .samples(let samples) = references.content, meaning != nil else { return 0 }
    return samples.filter { $0.output != nil }.count
  }

  // Names the output where there are several.
  private func outputName(_ column: Int) -> String? {
    switch meaning {
    case .classes(let labels, let width, _) where width > 1: labels.words[column]
    case .classes(_, 1, _), .numbers(1): nil
    default: "output \(column)"
    }
  }

  /// The least output of a classifier with one that means its second label; nil if the label is the largest
  /// output. Without a threshold that is the next number above ½, for a score above 0, as libraries decide.
  var singleThreshold: Double? {
    guard case .classes(_, 1, let scale) = meaning else { return nil }
    return threshold ?? (scale == .probabilities ? 0.5 : 0).nextUp
  }

  private func flips(_ baseline: OutputMatrix, _ candidate: OutputMatrix) -> [Flip] {
    guard case .classes(let labels, let width, _) = meaning, width > 0 else { return [] }
    let limit = singleThreshold ?? 0
    let unit = DriftUnit(meaning).sizes(of: baseline)[0]
    return (0..<baseline.rowCount).compactMap { row in
      let old = Decision(baseline[row], threshold: limit)
      let new = Decision(candidate[row], threshold: limit)
      guard old.label != new.label else { return nil }
      let column = row * width + (width == 1 ? 0 : old.label)
      let before = Double(baseline.values[column]), after = Double(candidate.values[column])
      return Flip(
        line: references.lines[row], before: before, after: after,
        margin: DriftUnit.measure(old.margin, unit: unit, size: before),
        decision: .label(input: label(row), from: word(old, labels), to: word(new, labels)))
    }
  }

  private func word(_ decision: Decision, _ labels: ClassLabels) -> String {
    let words = labels.words
    return words.indices.contains(decision.label) ? words[decision.label] : "\(decision.label)"
  }

  private func decisionWarnings(
    _ samples: [ReferenceSet.Sample], _ baseline: OutputMatrix
  ) -> [ReferenceWarning] {
    guard case .classes = meaning else {
      let unknown: [ReferenceWarning] = meaning == nil ? [.unknownOutputs] : []
      return threshold == nil ? unknown : unknown + [.unusedThreshold(.noLabels)]
    }
    var warnings: [ReferenceWarning] = []
    if threshold != nil && singleThreshold == nil {
      warnings.append(.unusedThreshold(.largestOutput))
    }
    let limit = singleThreshold ?? 0
    let known = samples.filter { $0.output != nil }
    let wrong = known.filter { sample in
      Decision((sample.output ?? [])[...], threshold: limit).label
        != Decision(baseline[sample.input], threshold: limit).label
    }
    // A model is not always right; one that is wrong at every other sample was not loaded as it
    // was trained, or is useless.
    if !wrong.isEmpty, wrong.count * 2 >= known.count {
      warnings.append(.wrongBaseline(wrong.count, of: known.count))
    }
    return warnings
  }
}
