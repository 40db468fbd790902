import Files
import Inputs

/// Measures embeddings: one row per distinct input of a set of pairs, before and after.
///
/// In a set that mixes kinds of inputs, what one encoder did not change must not hide what another
/// changed; `specs/decisions/019-mixed-reference-sets.md` says how each figure sees to that.
struct EmbeddingDrift {
  let metrics: DriftMetrics.Embeddings
  /// Cosine of each distinct input, before with after.
  let cosines: [Double]
  /// The best match of each pair, before and after.
  let matches: [(before: Match, after: Match)]
  /// The kinds of inputs with an embedding that changed.
  let moved: Set<InputKind>
  /// The inputs that lost neighbours, in their order.
  let neighbourLosses: [Neighbours.Loss]

  private let before: Vectors
  private let after: Vectors
  private let kinds: [InputKind]

  /// - Parameters:
  ///   - baseline: outputs of the distinct inputs, finite and none of them all zero; `candidate`
  ///     as many.
  ///   - kinds: the kind of each distinct input.
  ///   - jobs: threads.
  ///   - progress: told how many inputs have their neighbours, of how many; from any thread.
  init(
    baseline: OutputMatrix, candidate: OutputMatrix, pairs: [ReferenceSet.Pair],
    kinds: [InputKind], jobs: Int, progress: @Sendable (Int, Int) -> Void = { _, _ in }
  ) {
    let vectors = Workers.map(2, jobs: jobs) { Vectors($0 == 0 ? baseline : candidate) }
    let (before, after) = (vectors[0], vectors[1])
    let rows = Dictionary(grouping: kinds.indices, by: { kinds[$0] })
    let moved = Set(kinds.indices.filter { baseline[$0] != candidate[$0] }.map { kinds[$0] })
    let cosines = (0..<before.count).map { before.cosine($0, of: after, $0) }
    let matches = pairs.map { (before: Match($0, before), after: Match($0, after)) }
    let changes = matches.map { ($0.after.similarity - $0.before.similarity).magnitude }
    let mayMove = pairs.indices.filter {
      moved.contains(kinds[pairs[$0].a[0]]) || moved.contains(kinds[pairs[$0].b[0]])
    }
    let neighbours = Neighbours(
      before: before, after: after, rows: rows, moved: moved, jobs: jobs, progress: progress)
    neighbourLosses = neighbours.losses
    let ofKinds = rows.values.map { $0.map { cosines[$0] } }
    (self.cosines, self.matches, self.moved) = (cosines, matches, moved)
    (self.before, self.after, self.kinds) = (before, after, kinds)
    metrics = DriftMetrics.Embeddings(
      cosine: DriftMetrics.Cosine(
        mean: Statistics.min(ofKinds.map(Statistics.mean)),
        p1: Statistics.min(ofKinds.map { Statistics.percentile($0, 0.01) }),
        min: Statistics.min(cosines)),
      similarityDrift: DriftMetrics.Spread(
        mean: Statistics.mean(mayMove.isEmpty ? changes : mayMove.map { changes[$0] }),
        max: Statistics.max(changes)),
      neighbourOverlap: neighbours.overlap, topOneAgreement: neighbours.topOne,
      spearman: EmbeddingDrift.spearman(pairs, matches),
      normDrift: Statistics.max(
        (0..<before.count).map {
          (after.length($0) - before.length($0)).magnitude / before.length($0)
        }))
  }

  /// Similarity of a pair with the embeddings of one kind as the candidate gives them, and all
  /// others as the baseline does.
  func similarity(of pair: ReferenceSet.Pair, moving kind: InputKind) -> Double {
    func side(_ rows: [Int]) -> Vectors { kinds[rows[0]] == kind ? after : before }
    return Match(pair, side(pair.a), side(pair.b)).similarity
  }

  // Over the pairs that have a label; nil if labels or similarities cannot be ranked.
  private static func spearman(
    _ pairs: [ReferenceSet.Pair], _ matches: [(before: Match, after: Match)]
  ) -> DriftMetrics.Spearman? {
    let labelled = pairs.indices.filter { pairs[$0].similarity != nil }
    let labels = labelled.compactMap { pairs[$0].similarity }
    guard
      let baseline = Statistics.spearman(
        labels, labelled.map { matches[$0].before.similarity }),
      let candidate = Statistics.spearman(
        labels, labelled.map { matches[$0].after.similarity })
    else { return nil }
    return DriftMetrics.Spearman(baseline: baseline, candidate: candidate)
  }
}

/// The two inputs of a pair that are most alike, of all alternatives on either side.
struct Match {
  /// Number of the input of side `a`, and of side `b`.
  let a: Int
  let b: Int
  /// Their cosine.
  let similarity: Double

  /// Of equally good alternatives the first; a cosine that is not a number is never passed over.
  init(_ pair: ReferenceSet.Pair, _ vectors: Vectors) { self.init(pair, vectors, vectors) }

  /// - Parameters:
  ///   - left: embeddings to take side `a` from.
  ///   - right: embeddings to take side `b` from.
  init(_ pair: ReferenceSet.Pair, _ left: Vectors, _ right: Vectors) {
    var best = (a: pair.a[0], b: pair.b[0], left.cosine(pair.a[0], of: right, pair.b[0]))
    for a in pair.a {
      for b in pair.b {
        let cosine = left.cosine(a, of: right, b)
        if cosine > best.2 || cosine.isNaN && !best.2.isNaN { best = (a, b, cosine) }
      }
    }
    (a, b, similarity) = best
  }
}

/// Which inputs are nearest to an input, before and after.
///
/// Each input asks among the inputs of each kind: an image looks for images, and for texts. Among
/// all at once it would only ever find its own kind, because the embeddings of an image encoder and
/// of a text encoder are far apart (Liang et al. 2022, "Mind the Gap").
struct Neighbours {
  /// Mean share of the nearest neighbours kept.
  private(set) var overlap = 1.0
  /// Share of nearest neighbours that stay the same.
  private(set) var topOne = 1.0
  /// The inputs that lost some, in their order; among inputs of several kinds all together.
  private(set) var losses: [Loss] = []

  /// The neighbours that an input lost, of those that were compared.
  struct Loss {
    let row: Int
    private(set) var lost = 0
    private(set) var count = 0

    init(row: Int) { self.row = row }

    mutating func add(_ lost: Int, of count: Int) {
      self.lost += lost
      self.count += count
    }
  }

  /// Neighbours that are compared: ten, or a quarter of the inputs where there are fewer than
  /// forty, one at least.
  static func count(inputs: Int) -> Int { inputs < 40 ? max(1, inputs / 4) : 10 }

  /// - Parameters:
  ///   - rows: the rows of each kind.
  ///   - moved: kinds with a row that changed.
  ///   - jobs: threads.
  ///   - progress: told how many inputs have their neighbours, of how many; from any thread.
  init(
    before: Vectors, after: Vectors, rows: [InputKind: [Int]], moved: Set<InputKind>, jobs: Int,
    progress: @Sendable (Int, Int) -> Void
  ) {
    let questions = Neighbours.questions(rows, moved)
    let total = questions.reduce(0) { $0 + 2 * $1.askers.count }
    var overlaps: [Double] = [], topOnes: [Double] = []
    var losses: [Int: Loss] = [:]
    var done = 0
    for (askers, all) in questions {
      let maximum = Neighbours.count(inputs: all.count)
      func nearest(_ vectors: Vectors, _ guesses: [[Int]]) -> [[Int]] {
        defer { done += askers.count }
        return vectors.nearest(
          to: askers, among: all, maximum: maximum, guesses: guesses, jobs: jobs
        ) { [done] in
          progress(done + Int($0 * Double(askers.count)), total)
        }
      }
      let old = nearest(before, [])
      let new = nearest(after, old)
      var kept = 0, sameFirst = 0
      for (asker, (old, new)) in zip(askers, zip(old, new)) {
        let common = Set(old).intersection(new).count
        kept += common
        losses[asker, default: Loss(row: asker)].add(maximum - common, of: maximum)
        if old.first == new.first { sameFirst += 1 }
      }
      overlaps.append(Double(kept) / Double(maximum * askers.count))
      topOnes.append(Double(sameFirst) / Double(askers.count))
    }
    self.losses = losses.values.filter { $0.lost > 0 }.sorted { $0.row < $1.row }
    guard !overlaps.isEmpty else { return }
    overlap = Statistics.mean(overlaps)
    topOne = Statistics.mean(topOnes)
  }

  /// The inputs of one kind that ask, and those among which they do, where one of both moved.
  private static func questions(
    _ rows: [InputKind: [Int]], _ moved: Set<InputKind>
  ) -> [(askers: [Int], all: [Int])] {
    rows.keys.sorted().flatMap { asking in
      rows.keys.sorted().compactMap { asked in
        guard moved.contains(asking) || moved.contains(asked), let all = rows[asked],
          let askers = rows[asking],
          // Where all there are must be named there is nothing to choose.
          all.count - (asking == asked ? 1 : 0) > count(inputs: all.count)
        else { return nil }
        return (askers, all)
      }
    }
  }
}
