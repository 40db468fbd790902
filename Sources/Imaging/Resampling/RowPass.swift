/// Resamples an image down its rows, which come one after the other.
///
/// A row is added, with its weights, to the sums of the resampled rows it belongs to; only the sums
/// of rows that are not finished are held. Sums are taken in the order of the rows.
struct RowPass<Sum, Level> {
  /// The arithmetic of summing rows.
  struct Arithmetic {
    /// The start of a sum.
    let start: Sum
    /// Adds a row with the weight of a number, as `ResamplingTaps` numbers them; the sums are as
    /// many as are wanted, the row may be longer.
    let add: (_ row: [Level], _ weight: Int, _ sums: inout [Sum]) -> Void
    /// A finished row.
    let levels: ([Sum]) -> [Level]
  }

  private let taps: ResamplingTaps
  /// Samples of a row.
  private let count: Int
  private let arithmetic: Arithmetic
  /// The first resampled row that is not finished, and the sums from there on.
  private var first = 0
  private var sums: [[Sum]] = []

  init(_ taps: ResamplingTaps, count: Int, _ arithmetic: Arithmetic) {
    (self.taps, self.count, self.arithmetic) = (taps, count, arithmetic)
  }

  /// Takes source row `y`; rows come in order from 0, those that count nowhere may be left out.
  ///
  /// - Parameter finish: takes the number and the samples of each resampled row that is complete,
  ///   in order.
  mutating func add(_ row: [Level], at y: Int, finish: (Int, [Level]) -> Void) {
    precondition(row.count >= count)
    var index = first
    while index < taps.count, taps.starts[index] <= y {
      if index - first == sums.count {
        sums.append([Sum](repeating: arithmetic.start, count: count))
      }
      if taps.sources(of: index).contains(y) {
        arithmetic.add(row, taps.offsets[index] + y - taps.starts[index], &sums[index - first])
      }
      index += 1
    }
    while first < taps.count, taps.sources(of: first).upperBound <= y + 1, !sums.isEmpty {
      finish(first, arithmetic.levels(sums.removeFirst()))
      first += 1
    }
  }
}

extension RowPass where Sum == Int32, Level == UInt8 {
  /// Sums of 8-bit levels in fixed point.
  init(_ taps: ResamplingTaps, count: Int) {
    let weights = taps.fixedWeights
    self.init(
      taps, count: count,
      Arithmetic(
        start: FixedPoint.half,
        add: { row, weight, sums in FixedPoint.add(row, weights[weight], to: &sums) },
        levels: { $0.map(FixedPoint.level) }))
  }
}
