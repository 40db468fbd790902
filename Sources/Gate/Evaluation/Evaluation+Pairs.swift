import Inputs
import StrictJSON

extension Evaluation {
  /// Measures embeddings over pairs.
  func judge(
    _ pairs: [ReferenceSet.Pair], _ baseline: OutputMatrix, _ candidate: OutputMatrix,
    _ findings: inout Findings, jobs: Int, _ progress: @Sendable (Int, Int) -> Void
  ) {
    let drift = EmbeddingDrift(
      baseline: baseline, candidate: candidate, pairs: pairs,
      kinds: references.inputs.map(\.kind), jobs: jobs, progress: progress)
    findings.flips = flips(pairs, drift)
    findings.details = .embeddings(details(pairs, drift))
    findings.metrics = DriftMetrics(
      drift: .embeddings(drift.metrics), flips: findings.flips.count,
      inputs: references.given.inputs, pairs: references.given.pairs,
      distinct: ReferenceSet.Counts(inputs: baseline.rowCount, pairs: pairs.count))
    findings.warnings += [
      labelWarning(pairs, drift), advice(pairs, drift).map(ReferenceWarning.threshold),
    ].compactMap { $0.map(GateWarning.references) }
    // Cosines do not see lengths, but an app that compares by distance does.
    if !(drift.metrics.normDrift <= 0.1) {
      findings.warnings.append(.lengthChange(drift.metrics.normDrift))
    }
    findings.warnings += mixWarning(pairs).map { [.references($0)] } ?? []
    let changes = drift.matches.map { ($0.after.similarity - $0.before.similarity).magnitude }
    // Pairs that hardly moved beside the worst one tell nothing.
    let worstPairs = Evaluation.largest(changes, maximum: 3).filter {
      changes[$0] > 0 && changes[$0] >= drift.metrics.similarityDrift.max / 10
    }
    findings.startsWithPair = !worstPairs.isEmpty
    let worstInputs = Evaluation.largest(drift.cosines.map { 1 - $0 }, maximum: 2)
    findings.worst = worstPairs.map { .pair(change(of: $0, pairs, drift)) }
    findings.worst += worstInputs.prefix(1).filter { drift.cosines[$0] < 1 }.map {
      .input(references.named($0), cosine: drift.cosines[$0])
    }
    let ofPairs = worstPairs.flatMap { [shown($0, drift).a, shown($0, drift).b] }
    for input in ofPairs + worstInputs where !findings.worstInputs.contains(input) {
      findings.worstInputs.append(input)
    }
  }

  // Of alternatives those that a person would see: of the match that was lost, or that was gained.
  func shown(_ index: Int, _ drift: EmbeddingDrift) -> Match {
    let (before, after) = drift.matches[index]
    return after.similarity > before.similarity ? after : before
  }

  private func change(
    of index: Int, _ pairs: [ReferenceSet.Pair], _ drift: EmbeddingDrift
  ) -> PairChange {
    let (before, after) = drift.matches[index]
    let match = shown(index, drift)
    return PairChange(
      a: label(match.a), b: label(match.b), line: pairs[index].line, before: before.similarity,
      after: after.similarity, cause: cause(pairs, index, drift))
  }

  // How far each of two encoders alone moves a pair that both have a part in, the one that moves it
  // more first; where the other is as it was, the one that moved it.
  private func cause(
    _ pairs: [ReferenceSet.Pair], _ index: Int, _ drift: EmbeddingDrift
  ) -> PairChange.Cause {
    let pair = pairs[index]
    let kinds = [pair.a, pair.b].map { references.inputs[$0[0]].kind }
    guard kinds[0] != kinds[1] else { return .unknown }
    let moved = kinds.filter(drift.moved.contains)
    guard moved.count == 2 else { return moved.first.map { .moved($0) } ?? .unknown }
    let before = drift.matches[index].before.similarity
    let alone = kinds.sorted().map {
      PairChange.Share(encoder: $0, similarity: drift.similarity(of: pair, moving: $0))
    }
    let order = Evaluation.largest(alone.map { ($0.similarity - before).magnitude }, maximum: 2)
    return .both(order.map { alone[$0] })
  }

  private func flips(_ pairs: [ReferenceSet.Pair], _ drift: EmbeddingDrift) -> [Flip] {
    guard let threshold else { return [] }
    return pairs.indices.compactMap { index in
      let (before, after) = drift.matches[index]
      guard (before.similarity >= threshold) != (after.similarity >= threshold) else { return nil }
      return Flip(
        line: pairs[index].line, before: before.similarity, after: after.similarity,
        margin: (before.similarity - threshold).magnitude,
        decision: .pair(
          change(of: index, pairs, drift), threshold: threshold,
          expectation: pairs[index].expectation))
    }
  }

  // Images judged against images and texts against texts say nothing of images against texts.
  private func mixWarning(_ pairs: [ReferenceSet.Pair]) -> ReferenceWarning? {
    let kinds = references.kinds
    guard kinds.count > 1 else { return nil }
    let isMixed = pairs.contains {
      references.inputs[$0.a[0]].kind != references.inputs[$0.b[0]].kind
    }
    return isMixed ? nil : .noMixedPairs(kinds)
  }

  private func labelWarning(
    _ pairs: [ReferenceSet.Pair], _ drift: EmbeddingDrift
  ) -> ReferenceWarning? {
    let labelled = pairs.filter { $0.similarity != nil }.count
    if labelled == 0 { return nil }
    if drift.metrics.spearman == nil { return .unrankedLabels(labelled) }
    return labelled == pairs.count ? nil : .someLabels(labelled, of: pairs.count)
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
  static func largest(_ values: [Double], maximum: Int) -> [Int] {
    Array(values.indices.sorted { (values[$1], $0) < (values[$0], $1) }.prefix(maximum))
  }
}
