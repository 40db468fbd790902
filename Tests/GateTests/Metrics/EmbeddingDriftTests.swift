import ModelFixtures
import TestSupport
import Testing

@testable import Gate
@testable import Inputs

struct EmbeddingDriftTests {
  private func matrix(_ rows: [[Float]]) -> OutputMatrix {
    OutputMatrix(rowCount: rows.count, width: rows[0].count, values: rows.flatMap { $0 })
  }

  private func pair(_ a: Int, _ b: Int, _ similarity: Double? = nil) -> ReferenceSet.Pair {
    .init(a: [a], b: [b], similarity: similarity, expectation: nil, line: 1)
  }

  private func drift(
    baseline: OutputMatrix, candidate: OutputMatrix, pairs: [ReferenceSet.Pair],
    kinds: [InputKind]? = nil
  ) -> EmbeddingDrift {
    EmbeddingDrift(
      baseline: baseline, candidate: candidate, pairs: pairs,
      kinds: kinds ?? Array(repeating: .values, count: baseline.rowCount), jobs: 2)
  }

  @Test func valuesWorkedOutByHand() {
    // Similarities before: (0,1) 0, (0,2) 0.6, (1,2) 0.8; after: row 1 turned and made longer.
    let drift = self.drift(
      baseline: matrix([[1, 0], [0, 1], [3, 4]]), candidate: matrix([[1, 0], [6, 8], [3, 4]]),
      pairs: [pair(0, 1, 1), pair(0, 2, 2), pair(1, 2, 3)])
    let metrics = drift.metrics
    func isNear(_ value: Double, _ expected: Double) -> Bool {
      (value - expected).magnitude < 1e-12
    }
    #expect(isNear(metrics.cosine.mean, 2.8 / 3))
    #expect(isNear(metrics.cosine.min, 0.8))
    #expect(isNear(metrics.cosine.p1, 0.804))
    #expect(isNear(metrics.similarityDrift.mean, (0.6 + 0 + 0.2) / 3))
    #expect(isNear(metrics.similarityDrift.max, 0.6))
    #expect(metrics.normDrift == 9)
    // One neighbour each. Before: 0→2, 1→2, 2→1. After: 0→1 (0.6 ties, first wins), 1→2, 2→1.
    #expect(isNear(metrics.neighbourOverlap, 2.0 / 3))
    #expect(isNear(metrics.topOneAgreement, 2.0 / 3))
    #expect(metrics.spearman?.baseline == 1)
    // After: 0.6, 0.6, 1.
    #expect(isNear(metrics.spearman?.candidate ?? 0, 0.75.squareRoot()))
  }

  @Test func identicalEmbeddingsDoNotDrift() {
    var generator = SeededGenerator(seed: 1)
    for count in [2, 3, 11, 39, 40, 41, 90] {
      let rows = generator.matrix(count, 13)
      let drift = self.drift(
        baseline: matrix(rows), candidate: matrix(rows), pairs: (1..<count).map { pair(0, $0) })
      #expect(drift.metrics.cosine == .init(mean: 1, p1: 1, min: 1))
      #expect(drift.metrics.similarityDrift == .init(mean: 0, max: 0))
      #expect(drift.metrics.neighbourOverlap == 1)
      #expect(drift.metrics.topOneAgreement == 1)
      #expect(drift.metrics.normDrift == 0)
      #expect(drift.metrics.spearman == nil)
    }
  }

  @Test func extremeMagnitudesNeitherOverflowNorVanish() {
    let huge = Float.greatestFiniteMagnitude, tiny = Float.leastNonzeroMagnitude
    let drift = self.drift(
      baseline: matrix([[huge, huge], [tiny, tiny], [huge, tiny]]),
      candidate: matrix([[tiny, tiny], [huge, huge], [huge, tiny]]), pairs: [pair(0, 1)])
    #expect(drift.metrics.cosine.min == 1)
    #expect(drift.metrics.similarityDrift.max == 0)
    #expect(drift.metrics.normDrift.isFinite)
  }

  @Test(arguments: [(2, 1), (4, 1), (8, 2), (39, 9), (40, 10), (1000, 10)])
  func neighboursAreTenOrAQuarter(_ test: (inputs: Int, neighbours: Int)) {
    #expect(Neighbours.count(inputs: test.inputs) == test.neighbours)
  }

  @Test func metricsEqualANaiveComputation() {
    var generator = SeededGenerator(seed: 2)
    for (count, width) in [(5, 1), (12, 3), (45, 8), (60, 17)] {
      let before = generator.matrix(count, width)
      let after = before.map { row in
        row.map { $0 + Float.random(in: -0.3...0.3, using: &generator) }
      }
      let pairs = (0..<count).map { pair($0, ($0 * 7 + 1) % count) }
      let metrics = drift(
        baseline: matrix(before), candidate: matrix(after), pairs: pairs
      ).metrics
      let naive = Naive(before: before, after: after)
      #expect((metrics.cosine.mean - naive.cosineMean).magnitude < 1e-12)
      #expect(metrics.neighbourOverlap == naive.overlap)
      let drifts = pairs.map {
        (Naive.cosine(after[$0.a[0]], after[$0.b[0]])
          - Naive.cosine(before[$0.a[0]], before[$0.b[0]]))
          .magnitude
      }
      #expect((metrics.similarityDrift.mean - Statistics.mean(drifts)).magnitude < 1e-12)
      #expect((metrics.similarityDrift.max - Statistics.max(drifts)).magnitude < 1e-12)
    }
  }

  /// The definitions, written down once more and as plainly as can be.
  private struct Naive {
    let before: [[Float]]
    let after: [[Float]]

    static func cosine(_ x: [Float], _ y: [Float]) -> Double {
      var dot = 0.0, xx = 0.0, yy = 0.0
      for i in x.indices {
        dot += Double(x[i]) * Double(y[i])
        xx += Double(x[i]) * Double(x[i])
        yy += Double(y[i]) * Double(y[i])
      }
      return dot / (xx.squareRoot() * yy.squareRoot())
    }

    var cosineMean: Double {
      Statistics.mean(before.indices.map { Naive.cosine(before[$0], after[$0]) })
    }

    var overlap: Double {
      let maximum = before.count < 40 ? max(1, before.count / 4) : 10
      func nearest(_ rows: [[Float]], _ row: Int) -> Set<Int> {
        // Sums of another order differ in the last bits, which must not break ties.
        func key(_ other: Int) -> Double { -(Naive.cosine(rows[row], rows[other]) * 1e9).rounded() }
        let others = rows.indices.filter { $0 != row }.map { (key($0), $0) }.sorted { $0 < $1 }
        return Set(others.prefix(maximum).map(\.1))
      }
      let kept = before.indices.map { nearest(before, $0).intersection(nearest(after, $0)).count }
      return Double(kept.reduce(0, +)) / Double(maximum * before.count)
    }
  }

  @Test func tiesAreBrokenByOrder() {
    // All rows point the same way: every other row is equally near.
    let same = matrix([[1, 1], [2, 2], [4, 4], [8, 8]])
    func nearest(_ row: Int, _ matrix: OutputMatrix, maximum: Int) -> [Int] {
      Vectors(matrix).nearest(to: [row], among: [0, 1, 2, 3], maximum: maximum, jobs: 1)[0]
    }
    #expect(nearest(0, same, maximum: 2) == [1, 2])
    #expect(nearest(2, same, maximum: 2) == [0, 1])
    #expect(nearest(3, matrix([[1, 0], [0, 1], [1, 0], [0, 2]]), maximum: 3) == [1, 0, 2])
  }

  @Test func theOrderOfInputsDoesNotMatter() {
    var generator = SeededGenerator(seed: 4)
    let before = generator.matrix(20, 6)
    let after = before.map { $0.map { $0 * 0.9 + Float.random(in: -0.1...0.1, using: &generator) } }
    let pairs = (0..<10).map { pair(2 * $0, 2 * $0 + 1) }
    let order = (0..<20).shuffled(using: &generator)
    var place = [Int](repeating: 0, count: 20)
    for (index, row) in order.enumerated() { place[row] = index }
    let one = drift(baseline: matrix(before), candidate: matrix(after), pairs: pairs)
    let other = drift(
      baseline: matrix(order.map { before[$0] }), candidate: matrix(order.map { after[$0] }),
      pairs: pairs.reversed().map { pair(place[$0.a[0]], place[$0.b[0]]) })
    #expect((one.metrics.cosine.mean - other.metrics.cosine.mean).magnitude < 1e-14)
    #expect(one.metrics.cosine.min == other.metrics.cosine.min)
    #expect(one.metrics.neighbourOverlap == other.metrics.neighbourOverlap)
    #expect(one.metrics.similarityDrift.max == other.metrics.similarityDrift.max)
  }

  // MARK: - Sets of several kinds

  /// Images at 0°, 10°, …, texts at 90°, 95°, …; the texts turned by some degrees.
  private func mixed(
    images: Int, texts: Int, imagesTurned: Double = 0, textsTurned: Double = 0
  ) -> EmbeddingDrift {
    func row(_ degrees: Double) -> [Float] {
      // A turn by small steps: (cos, sin) without a library.
      let (cosine, sine) = (0.9998476951563913, 0.01745240643728351)
      var (x, y) = (1.0, 0.0)
      for _ in 0..<Int(degrees.magnitude) {
        (x, y) = (x * cosine - y * sine, y * cosine + x * sine)
      }
      return [Float(x), Float(y)]
    }
    let before =
      (0..<images).map { row(Double(10 * $0)) } + (0..<texts).map { row(Double(90 + 5 * $0)) }
    let after =
      (0..<images).map { row(Double(10 * $0) + imagesTurned) }
      + (0..<texts).map { row(Double(90 + 5 * $0) + textsTurned) }
    return drift(
      baseline: matrix(before), candidate: matrix(after),
      pairs: (0..<images).map { pair($0, ($0 + 1) % images) } + [pair(0, images)],
      kinds: Array(repeating: .image, count: images) + Array(repeating: .text, count: texts))
  }

  @Test func whatOneEncoderLeftAloneDoesNotHideWhatAnotherChanged() {
    // Turned by 30°: cosine 0.866, whatever the number of images that did not move.
    for images in [2, 8, 200] {
      let metrics = mixed(images: images, texts: 3, textsTurned: 30).metrics
      #expect((metrics.cosine.mean - 0.8660254).magnitude < 1e-6)
      #expect((metrics.cosine.p1 - 0.8660254).magnitude < 1e-6)
      // The one pair that could move went from 90° to 120°.
      #expect((metrics.similarityDrift.mean - 0.5).magnitude < 1e-6)
      #expect((metrics.similarityDrift.max - 0.5).magnitude < 1e-6)
    }
    // Both turned alike: every pair is as it was.
    let both = mixed(images: 8, texts: 3, imagesTurned: 30, textsTurned: 30)
    #expect(both.metrics.similarityDrift.max < 1e-6)
    #expect(both.moved == [.image, .text])
    #expect(mixed(images: 8, texts: 3).moved == [])
    #expect(mixed(images: 8, texts: 3).metrics.cosine == .init(mean: 1, p1: 1, min: 1))
    #expect(mixed(images: 8, texts: 3).metrics.neighbourOverlap == 1)
  }

  @Test func neighboursAreLookedForInEachKind() {
    let before: [[Float]] = [
      [1, 0], [0.98, 0.2], [0.9, 0.44], [0, 1], [0.2, 0.98], [0.4, 0.92],
    ]
    var after = before
    after[3] = [1, 0.1]  // The first text moves among the images.
    let kinds: [InputKind] = [.image, .image, .image, .text, .text, .text]
    let moved = self.drift(
      baseline: matrix(before), candidate: matrix(after), pairs: [pair(0, 3)], kinds: kinds)
    // One neighbour each. Images among texts: all three had the last text, now the first: 0.
    // Texts among images: the first had the last image, now the first or second: 2 of 3 kept.
    // Texts among texts: 0 had 1, now 2; 1 had 0 or 2; 2 had 1. Images among images: untouched.
    let texts = [before, after].map { rows in
      Vectors(self.matrix(rows)).nearest(to: [3, 4, 5], among: [3, 4, 5], maximum: 1, jobs: 1)
    }
    let sameTexts = Double(zip(texts[0], texts[1]).filter { $0 == $1 }.count) / 3
    let expected = (0 + 2.0 / 3 + sameTexts) / 3
    #expect((moved.metrics.neighbourOverlap - expected).magnitude < 1e-12)
    #expect((moved.metrics.topOneAgreement - expected).magnitude < 1e-12)
  }

  @Test func similarityWithOneEncoderAlone() {
    let drift = self.drift(
      baseline: matrix([[1, 0], [0.6, 0.8]]), candidate: matrix([[0, 1], [0.8, 0.6]]),
      pairs: [pair(0, 1)], kinds: [.image, .text])
    #expect((drift.similarity(of: pair(0, 1), moving: .image) - 0.8).magnitude < 1e-7)
    #expect((drift.similarity(of: pair(0, 1), moving: .text) - 0.8).magnitude < 1e-7)
    #expect((drift.similarity(of: pair(1, 0), moving: .text) - 0.8).magnitude < 1e-7)
    #expect((drift.matches[0].after.similarity - 0.6).magnitude < 1e-7)
  }
}
