/// Measures embeddings: one row per distinct input of a set of pairs, before and after.
struct EmbeddingDrift {
  let metrics: DriftMetrics.Embeddings
  /// Cosine of each distinct input, before with after.
  let cosines: [Double]
  /// Similarity of each pair, before and after.
  let similarities: [(before: Double, after: Double)]

  /// - Parameters: outputs of the distinct inputs, finite and none of them all zero.
  init(baseline: OutputMatrix, candidate: OutputMatrix, pairs: [ReferenceSet.Pair]) {
    let before = Vectors(baseline), after = Vectors(candidate)
    let cosines = (0..<before.count).map { before.cosine($0, of: after, $0) }
    let similarities = pairs.map {
      (before: before.cosine($0.a, $0.b), after: after.cosine($0.a, $0.b))
    }
    let neighbours = EmbeddingDrift.neighbours(before, after)
    self.cosines = cosines
    self.similarities = similarities
    metrics = DriftMetrics.Embeddings(
      cosine: DriftMetrics.Cosine(
        mean: Statistics.mean(cosines), p1: Statistics.percentile(cosines, 0.01),
        min: Statistics.min(cosines)),
      similarityDrift: Statistics.spread(similarities.map { ($0.after - $0.before).magnitude }),
      neighbourOverlap: neighbours.overlap, topOneAgreement: neighbours.topOne,
      spearman: EmbeddingDrift.spearman(pairs, similarities),
      normDrift: Statistics.max(
        (0..<before.count).map {
          (after.length($0) - before.length($0)).magnitude / before.length($0)
        }))
  }

  /// Neighbours that are compared: ten, or a quarter of the inputs where there are fewer than
  /// forty, one at least.
  static func neighbourCount(inputs: Int) -> Int { inputs < 40 ? max(1, inputs / 4) : 10 }

  private static func neighbours(
    _ before: Vectors, _ after: Vectors
  ) -> (overlap: Double, topOne: Double) {
    let most = neighbourCount(inputs: before.count)
    var kept = 0, sameFirst = 0
    for row in 0..<before.count {
      let old = before.nearest(to: row, most: most), new = after.nearest(to: row, most: most)
      kept += Set(old).intersection(new).count
      if old.first == new.first { sameFirst += 1 }
    }
    return (
      Double(kept) / Double(most * before.count), Double(sameFirst) / Double(before.count)
    )
  }

  // Over the pairs that have a label; nil where labels or similarities cannot be ranked.
  private static func spearman(
    _ pairs: [ReferenceSet.Pair], _ similarities: [(before: Double, after: Double)]
  ) -> DriftMetrics.Spearman? {
    let labelled = pairs.indices.filter { pairs[$0].similarity != nil }
    let labels = labelled.compactMap { pairs[$0].similarity }
    guard
      let baseline = Statistics.spearman(labels, labelled.map { similarities[$0].before }),
      let candidate = Statistics.spearman(labels, labelled.map { similarities[$0].after })
    else { return nil }
    return DriftMetrics.Spearman(baseline: baseline, candidate: candidate)
  }
}
