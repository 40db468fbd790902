package import Graph

/// The cost of a package's lengths for expected texts, and the lengths that suit them.
package struct LengthAdvice: Sendable {
  /// Tokens of the texts, ascending.
  package let counts: [Int]
  /// Work of a package that pads each text to its length, as a multiple of the texts' own work.
  package let cost: Double
  /// Lengths that suit the texts, ascending.
  package let suggested: [Int]
  /// The greatest length of the package.
  package let length: Int

  /// Lengths are whole multiples of this.
  private static let step = 16

  /// - Parameters:
  ///   - lengths: of the package, ascending.
  ///   - counts: tokens of each text.
  /// - Returns: nil without texts, or if the model only has graphs of a few lengths.
  package init?(lengths: [Int], counts: [Int], of architecture: any Architecture) throws(GraphError)
  {
    guard case .any = architecture.shapes, let length = lengths.last, !counts.isEmpty,
      case .tokens(let maximum, _) = architecture.input
    else { return nil }
    self.counts = counts.sorted()
    self.length = length
    var work: [Int: Double] = [:]
    for count in Set(counts.map { min($0, length) } + lengths) {
      work[count] = try architecture.graph(batch: 1, length: count).productCount
    }
    var needed = 0.0, done = 0.0
    for count in counts.map({ min($0, length) }) {
      needed += work[count] ?? 0
      done += work[lengths.first { $0 >= count } ?? length] ?? 0
    }
    cost = needed > 0 ? done / needed : 1
    let places = [
      counts.sorted()[(counts.count - 1) / 2], LengthAdvice.percentile95(counts.sorted()),
    ]
    let steps = places.map { ($0 + LengthAdvice.step - 1) / LengthAdvice.step * LengthAdvice.step }
    suggested = Set(steps.map { min($0, maximum) } + [maximum]).sorted()
  }

  /// Tokens that 95 of 100 texts do not pass.
  package var percentile95: Int { LengthAdvice.percentile95(counts) }

  private static func percentile95(_ counts: [Int]) -> Int {
    counts[(counts.count * 95 + 99) / 100 - 1]
  }
}
