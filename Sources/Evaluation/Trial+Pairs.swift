extension Trial {
  /// Measures embeddings over pairs.
  func judge(
    _ pairs: [ReferenceSet.Pair], _ baseline: OutputMatrix, _ candidate: OutputMatrix,
    _ findings: inout Findings
  ) {
    let drift = EmbeddingDrift(baseline: baseline, candidate: candidate, pairs: pairs)
    findings.flips = flips(pairs, drift)
    findings.metrics = DriftMetrics(
      drift: .embeddings(drift.metrics), flips: findings.flips.count, inputs: baseline.rowCount,
      pairs: pairs.count)
    findings.warnings += labelWarnings(pairs, drift) + expectationWarnings(pairs, drift)
    findings.warnings += lengthWarnings(drift.metrics.normDrift)
    let changes = drift.similarities.map { ($0.after - $0.before).magnitude }
    // Pairs that hardly moved beside the worst one tell nothing.
    let worstPairs = Trial.largest(changes, most: 3).filter {
      changes[$0] > 0 && changes[$0] >= drift.metrics.similarityDrift.max / 10
    }
    findings.startsWithPair = !worstPairs.isEmpty
    let worstInputs = Trial.largest(drift.cosines.map { 1 - $0 }, most: 2)
    findings.worst = worstPairs.map { index in
      let change = drift.similarities[index]
      return "\(name(pairs[index])): \(Figures.change(change.before, change.after)) "
        + "(line \(pairs[index].line))"
    }
    findings.worst += worstInputs.prefix(1).filter { drift.cosines[$0] < 1 }.map { input in
      "\(label(input)): cosine \(Figures.text(drift.cosines[input], unlike: 1)) to the baseline "
        + "(line \(references.lines[input]))"
    }
    for input in worstPairs.flatMap({ [pairs[$0].a, pairs[$0].b] }) + worstInputs
    where !findings.worstInputs.contains(input) { findings.worstInputs.append(input) }
  }

  private func name(_ pair: ReferenceSet.Pair) -> String { "\(label(pair.a)) ↔ \(label(pair.b))" }

  private func flips(_ pairs: [ReferenceSet.Pair], _ drift: EmbeddingDrift) -> [Flip] {
    guard let threshold else { return [] }
    return zip(pairs, drift.similarities).compactMap { pair, similarity in
      guard (similarity.before >= threshold) != (similarity.after >= threshold) else { return nil }
      let expected = pair.expectation.map { ", expected a \($0.rawValue)" } ?? ""
      return Flip(
        line: pair.line, before: similarity.before, after: similarity.after,
        margin: (similarity.before - threshold).magnitude,
        text: "\(name(pair)) crosses the threshold \(Figures.plain(threshold)): "
          + "\(Figures.change(similarity.before, similarity.after)) (line \(pair.line)\(expected))")
    }
  }

  // Cosines do not see lengths, but an app that compares by distance does.
  private func lengthWarnings(_ normDrift: Double) -> [String] {
    if normDrift <= 0.1 { return [] }
    return [
      "the length of an embedding changed by \(Figures.text(normDrift * 100, decimals: 0)) %, "
        + "which cosines do not see"
    ]
  }

  private func labelWarnings(
    _ pairs: [ReferenceSet.Pair], _ drift: EmbeddingDrift
  ) -> [String] {
    let labelled = pairs.filter { $0.similarity != nil }.count
    if labelled == 0 { return [] }
    let has = "\(Figures.count(labelled, "pair")) \(labelled == 1 ? "has" : "have") a label"
    if drift.metrics.spearman == nil {
      return ["\(has), but they cannot be ranked; there is no rank correlation"]
    }
    return labelled == pairs.count ? [] : ["\(has), of \(pairs.count); the others are not ranked"]
  }

  private func expectationWarnings(
    _ pairs: [ReferenceSet.Pair], _ drift: EmbeddingDrift
  ) -> [String] {
    let expecting = pairs.indices.filter { pairs[$0].expectation != nil }
    guard !expecting.isEmpty else { return [] }
    guard let threshold else {
      return [
        "'expect' stands on \(Figures.count(expecting.count, "pair")), but there is no threshold; "
          + "nothing was expected"
      ]
    }
    let missed = expecting.filter {
      (drift.similarities[$0].before >= threshold) != (pairs[$0].expectation == .match)
    }
    if missed.isEmpty { return [] }
    return [
      "the baseline itself misses \(missed.count) of \(expecting.count) expectations at the "
        + "threshold \(Figures.plain(threshold))"
    ]
  }

  /// Places of the largest values, largest first; of equal ones the first.
  static func largest(_ values: [Double], most: Int) -> [Int] {
    Array(values.indices.sorted { (values[$1], $0) < (values[$0], $1) }.prefix(most))
  }
}
