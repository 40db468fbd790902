package import Inputs
import StrictJSON

/// The fault of the threshold of a set that says what it expects, and the way out.
package enum ThresholdAdvice: Equatable, Sendable {
  /// Pairs say what they expect, but the set has no threshold.
  case missing(expectations: Int)
  /// The baseline itself is on the other side of the threshold than expected.
  case misses(ThresholdFit)

  /// One sentence, the same on every machine: receipts hold it.
  package var warning: String {
    switch self {
    case .missing(let expectations):
      "\(Figures.count(expectations, "pair")) \(expectations == 1 ? "has" : "have") 'expect', but "
        + "there is no threshold; nothing was expected"
    case .misses(let fit):
      "the baseline itself misses \(fit.misses.count) of \(fit.count) expectations at the threshold "
        + Figures.plain(fit.threshold)
    }
  }

  /// Sentences with similarities, for people: the lines that are missed, up to ten, and the
  /// threshold that fits best, or why none can be told.
  package var details: [String] {
    guard case .misses(let fit) = self else { return [] }
    return fit.lines
  }
}

/// How well a threshold fits the expectations of pairs, by the baseline's similarities.
package struct ThresholdFit: Equatable, Sendable {
  /// A pair that says what it expects.
  package struct Expected: Equatable, Sendable {
    /// Line in the reference set, from 1.
    package let line: Int
    /// Its similarity in the baseline.
    package let similarity: Double
    package let expectation: ReferenceSet.Expectation

    func isMissed(at threshold: Double) -> Bool {
      (similarity >= threshold) != (expectation == .match)
    }
  }

  package let threshold: Double
  /// Pairs that say what they expect.
  package let count: Int
  /// Those that are missed, in the order of their lines.
  package let misses: [Expected]
  /// The threshold that fewest pairs miss, and how many do; nil if all pairs expect the same,
  /// which any threshold beyond them gives.
  package let best: (threshold: Double, misses: Int)?
  /// The expectation of the first pair; of all pairs if nothing fits best.
  private let first: ReferenceSet.Expectation?

  /// Lines that are listed at most.
  private static let maxLines = 10

  init(_ pairs: [Expected], threshold: Double) {
    self.threshold = threshold
    count = pairs.count
    misses = pairs.filter { $0.isMissed(at: threshold) }
    first = pairs.first?.expectation
    best = Set(pairs.map(\.expectation)).count > 1 ? ThresholdFit.best(pairs) : nil
  }

  package static func == (left: ThresholdFit, right: ThresholdFit) -> Bool {
    left.threshold == right.threshold && left.count == right.count && left.misses == right.misses
      && left.best?.threshold == right.best?.threshold && left.best?.misses == right.best?.misses
  }

  /// The middle of the widest gap between similarities of those where fewest pairs are missed.
  private static func best(_ pairs: [Expected]) -> (threshold: Double, misses: Int) {
    let sorted = pairs.sorted { $0.similarity < $1.similarity }
    // Below the first all are matches; each step up makes one more a mismatch.
    var missed = sorted.filter { $0.expectation == .mismatch }.count
    var best = (threshold: -1.0, misses: Int.max, gap: -1.0)
    for index in 0...sorted.count {
      let low = index == 0 ? -1 : sorted[index - 1].similarity
      let high = index == sorted.count ? 1 : sorted[index].similarity
      let isBetter = missed < best.misses || missed == best.misses && high - low > best.gap
      if high > low, isBetter { best = ((low + high) / 2, missed, high - low) }
      if index < sorted.count { missed += sorted[index].expectation == .match ? 1 : -1 }
    }
    return (best.threshold, best.misses)
  }

  fileprivate var lines: [String] {
    var lines = misses.prefix(ThresholdFit.maxLines).map { pair in
      "line \(pair.line) expects a \(pair.expectation.rawValue), its similarity is "
        + Figures.text(pair.similarity, unlike: threshold)
    }
    if misses.count > lines.count { lines.append("\(misses.count - lines.count) more") }
    return lines + [ending]
  }

  private var ending: String {
    if let best {
      return "the threshold that fits best is \(Figures.text(best.threshold, decimals: 3)): "
        + "\(best.misses) of \(Figures.count(count, "expectation")) missed"
    }
    let (own, other) = first == .match ? ("match", "mismatch") : ("mismatch", "match")
    return "every 'expect' is '\(own)'; which threshold fits best can be told where some pairs are "
      + "'\(other)'"
  }
}
