import Inputs
import StrictJSON

extension Trial {
  /// Measures embeddings over pairs.
  func judge(
    _ pairs: [ReferenceSet.Pair], _ baseline: OutputMatrix, _ candidate: OutputMatrix,
    _ findings: inout Findings
  ) {
    let drift = EmbeddingDrift(
      baseline: baseline, candidate: candidate, pairs: pairs,
      kinds: references.inputs.map(\.kind))
    findings.flips = flips(pairs, drift)
    findings.metrics = DriftMetrics(
      drift: .embeddings(drift.metrics), flips: findings.flips.count,
      inputs: references.given.inputs, pairs: references.given.pairs,
      distinct: ReferenceSet.Counts(inputs: baseline.rowCount, pairs: pairs.count))
    findings.thresholdAdvice = advice(pairs, drift)
    findings.warnings += labelWarnings(pairs, drift)
    findings.warnings += findings.thresholdAdvice.map { [$0.warning] } ?? []
    findings.warnings += lengthWarnings(drift.metrics.normDrift) + mixWarnings(pairs)
    let changes = drift.matches.map { ($0.after.similarity - $0.before.similarity).magnitude }
    // Pairs that hardly moved beside the worst one tell nothing.
    let worstPairs = Trial.largest(changes, most: 3).filter {
      changes[$0] > 0 && changes[$0] >= drift.metrics.similarityDrift.max / 10
    }
    findings.startsWithPair = !worstPairs.isEmpty
    let worstInputs = Trial.largest(drift.cosines.map { 1 - $0 }, most: 2)
    findings.worst = worstPairs.map { index in
      "\(change(of: index, drift)) (line \(pairs[index].line))" + cause(pairs, index, drift)
    }
    findings.worst += worstInputs.prefix(1).filter { drift.cosines[$0] < 1 }.map { input in
      "\(label(input)): cosine \(Figures.text(drift.cosines[input], unlike: 1)) to the baseline "
        + "(line \(references.lines[input]))"
    }
    let ofPairs = worstPairs.flatMap { [shown($0, drift).a, shown($0, drift).b] }
    for input in ofPairs + worstInputs where !findings.worstInputs.contains(input) {
      findings.worstInputs.append(input)
    }
  }

  // Of alternatives those that a person would see: of the match that was lost, or that was gained.
  private func shown(_ index: Int, _ drift: EmbeddingDrift) -> Match {
    let (before, after) = drift.matches[index]
    return after.similarity > before.similarity ? after : before
  }

  private func name(_ index: Int, _ drift: EmbeddingDrift) -> String {
    let match = shown(index, drift)
    return "\(label(match.a)) ↔ \(label(match.b))"
  }

  private func change(of index: Int, _ drift: EmbeddingDrift) -> String {
    let (before, after) = drift.matches[index]
    return "\(name(index, drift)): \(Figures.change(before.similarity, after.similarity))"
  }

  // What each of two encoders alone makes of a pair that both have a part in, the one that moves it
  // more first; where the other is as it was, the one that moved it.
  private func cause(
    _ pairs: [ReferenceSet.Pair], _ index: Int, _ drift: EmbeddingDrift
  ) -> String {
    let pair = pairs[index]
    let kinds = [pair.a, pair.b].map { references.inputs[$0[0]].kind }
    guard kinds[0] != kinds[1] else { return "" }
    let moved = kinds.filter(drift.moved.contains)
    guard moved.count == 2 else {
      return moved.first.map { "; the \($0.encoderWords) moved it" } ?? ""
    }
    let (before, after) = drift.matches[index]
    let decimals = Figures.decimals(before.similarity, after.similarity)
    let alone = kinds.sorted().map {
      (kind: $0, similarity: drift.similarity(of: pair, moving: $0))
    }
    let order = Trial.largest(
      alone.map { ($0.similarity - before.similarity).magnitude }, most: 2)
    return "; "
      + order.map {
        "the \(alone[$0].kind.encoderWords) alone: "
          + Figures.text(alone[$0].similarity, decimals: decimals)
      }.joined(separator: ", ")
  }

  private func flips(_ pairs: [ReferenceSet.Pair], _ drift: EmbeddingDrift) -> [Flip] {
    guard let threshold else { return [] }
    return pairs.indices.compactMap { index in
      let (before, after) = drift.matches[index]
      guard (before.similarity >= threshold) != (after.similarity >= threshold) else { return nil }
      let pair = pairs[index]
      let expected = pair.expectation.map { ", expected a \($0.rawValue)" } ?? ""
      return Flip(
        line: pair.line, before: before.similarity, after: after.similarity,
        margin: (before.similarity - threshold).magnitude,
        text: "\(name(index, drift)) crosses the threshold \(Figures.plain(threshold)): "
          + "\(Figures.change(before.similarity, after.similarity)) (line \(pair.line)\(expected))",
        cause: cause(pairs, index, drift))
    }
  }

  // Images judged against images and texts against texts say nothing of images against texts.
  private func mixWarnings(_ pairs: [ReferenceSet.Pair]) -> [String] {
    let kinds = references.kinds
    guard kinds.count > 1 else { return [] }
    let isMixed = pairs.contains {
      references.inputs[$0.a[0]].kind != references.inputs[$0.b[0]].kind
    }
    if isMixed { return [] }
    return [
      "the set holds \(kinds.map { "\($0)s" }.joined(separator: " and ")), "
        + "but no pair of one with another"
    ]
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

  private func advice(
    _ pairs: [ReferenceSet.Pair], _ drift: EmbeddingDrift
  ) -> ThresholdAdvice? {
    let expecting = pairs.indices.compactMap { index in
      pairs[index].expectation.map {
        ThresholdFit.Expected(
          line: pairs[index].line, similarity: drift.matches[index].before.similarity,
          expectation: $0)
      }
    }
    guard !expecting.isEmpty else { return nil }
    guard let threshold else { return .missing(expectations: expecting.count) }
    let fit = ThresholdFit(expecting, threshold: threshold)
    return fit.misses.isEmpty ? nil : .misses(fit)
  }

  /// Places of the largest values, largest first; of equal ones the first.
  static func largest(_ values: [Double], most: Int) -> [Int] {
    Array(values.indices.sorted { (values[$1], $0) < (values[$0], $1) }.prefix(most))
  }
}
