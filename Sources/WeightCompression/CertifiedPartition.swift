/// The partition of a sorted sequence into runs of least total squared error, found from coarse to
/// fine.
///
/// A good partition gives an upper bound U of the least cost. The sequence is then cut into cells,
/// and for every cell a lower bound is computed of all partitions that cut there: a cell that is cut
/// is given wholly to one side, and its values are moved to the end of the cell nearer to that side.
/// Moving them lowers the cost, because all distances within the cluster shrink; and with the values
/// fixed at two places, the cost is a concave function of how many go to either side, so that it is
/// least when all do. Cells whose bound exceeds U are dropped, the others are split, until each
/// holds a single value: then the bound is the least cost itself.
///
/// Bounds are computed for a penalty per cluster instead of a number of clusters (`PenalizedPaths`).
/// The least cost is a convex function of the number, hence nothing is lost by that at the end.
struct CertifiedPartition {
  private let sorted: SortedValues
  private let parts: Int
  private var best: CutDescent
  private var penalty: Double
  /// What rounding can do to a path's cost.
  let slack: Double

  /// The lower bounds of the least cost that were found, from coarse to fine.
  private(set) var lowerBounds: [Double] = []

  /// Positions of the cuts; none lies between equal values.
  private(set) var cuts: [Int] = []

  /// - Precondition: 2 ≤ parts, and more than `parts` values are distinct.
  init(_ sorted: SortedValues, parts: Int) {
    self.sorted = sorted
    self.parts = parts
    let coarse = CoarsePartition(sorted, parts: parts)
    penalty = coarse.penalty
    best = CutDescent(sorted, cuts: coarse.cuts)
    best.run()
    slack =
      Self.rounding(sorted, best.cuts) + (best.cost + penalty * Double(parts)) * 0x1p-44
    refine()
    cuts = Self.betweenDistinct(best.cuts, sorted)
  }

  /// What rounding can do to the cost of partitions like this one.
  ///
  /// A cluster's cost is a difference of sums, each rounded independently. Clusters of one value lose
  /// nothing.
  private static func rounding(_ sorted: SortedValues, _ cuts: [Int]) -> Double {
    var sum = 0.0
    var start = 0
    for end in cuts + [sorted.count] {
      if sorted.values[start] < sorted.values[end - 1] {
        let left = sorted.moments(before: start).squares.magnitude
        let right = sorted.moments(before: end).squares.magnitude
        let error = max(left, right) * 0x1p-49
        sum += error * error
      }
      start = end
    }
    return sum.squareRoot()
  }

  private mutating func refine() {
    var cells = firstCells()
    while true {
      let graph = CutGraph(cells: cells, of: sorted)
      let forward = PenalizedPaths(graph, penalty: penalty)
      let lowerBound = forward.total - penalty * Double(parts)
      lowerBounds.append(lowerBound)
      if lowerBound >= best.cost - slack { return }
      if cells.allSatisfy(isSingle) { return settle(graph, cells, forward) }
      tryPath(forward.path, cells)
      cells = survivors(graph, cells, forward).flatMap { split($0, into: 4) }
    }
  }

  /// Cells in which a partition that is no worse than the best known one may cut.
  private func survivors(
    _ graph: CutGraph, _ cells: [Range<Int>], _ forward: PenalizedPaths
  ) -> [Range<Int>] {
    let backward = PenalizedPaths(graph.mirrored, penalty: penalty)
    let limit = best.cost + penalty * Double(parts) + slack
    return cells.indices.compactMap { index in
      let node = 2 * index + 1
      let mirror = graph.count - 1 - node
      let bound = min(
        forward.costs[node] + backward.costs[mirror],
        forward.costs[node + 1] + backward.costs[mirror - 1])
      return bound <= limit ? cells[index] : nil
    }
  }

  /// Equal parts of the clusters of the best known partition.
  private func firstCells() -> [Range<Int>] {
    let edges = [0] + best.cuts + [sorted.count]
    let share = 16 + parts
    return (0..<parts).flatMap { split(edges[$0]..<edges[$0 + 1], into: share) }
  }

  /// Cuts a cell into about `count` cells of about equally many values, never between equal values;
  /// into two at least unless all are equal.
  private func split(_ cell: Range<Int>, into count: Int) -> [Range<Int>] {
    var cells: [Range<Int>] = []
    var start = cell.lowerBound
    for i in 1...count {
      var end = cell.lowerBound + cell.count * i / count
      if end <= start { continue }
      if end < cell.upperBound, sorted.values[end - 1] == sorted.values[end] {
        let value = sorted.values[end]
        let first = sorted.firstPosition(notBelow: value, in: start..<end)
        end =
          first > start
          ? first : sorted.firstPosition(notBelow: value.nextUp, in: end..<cell.upperBound)
      }
      cells.append(start..<end)
      start = end
    }
    return cells
  }

  private func isSingle(_ cell: Range<Int>) -> Bool {
    sorted.values[cell.lowerBound] == sorted.values[cell.upperBound - 1]
  }

  /// Takes a bound's path for the best partition if it is better.
  private mutating func tryPath(_ path: [Int], _ cells: [Range<Int>]) {
    guard let cuts = positions(path, cells) else { return }
    var candidate = CutDescent(sorted, cuts: cuts)
    if candidate.cost < best.cost * 1.5 { candidate.run() }
    if candidate.cost < best.cost { best = candidate }
  }

  /// The cuts of a path, if they make the wanted number of clusters.
  private func positions(_ path: [Int], _ cells: [Range<Int>]) -> [Int]? {
    var cuts: [Int] = []
    for node in path.dropFirst().dropLast() {
      let cell = cells[(node - 1) / 2]
      let cut = node % 2 == 1 ? cell.lowerBound : cell.upperBound
      if cut > cuts.last ?? 0, cut < sorted.count { cuts.append(cut) }
    }
    return cuts.count == parts - 1 ? cuts : nil
  }

  /// Every cell holds one value, so that paths cost what their partitions do.
  private mutating func settle(_ graph: CutGraph, _ cells: [Range<Int>], _ paths: PenalizedPaths) {
    var path = paths.path
    if path.count - 1 != parts {
      path = PenaltySearch(graph, parts: parts, guess: penalty).path
    }
    guard let cuts = positions(path, cells) else { return }
    let candidate = CutDescent(sorted, cuts: cuts)
    if candidate.cost < best.cost { best = candidate }
  }

  /// Moves cuts between equal values to that end of their run which costs less.
  static func betweenDistinct(_ cuts: [Int], _ sorted: SortedValues) -> [Int] {
    var cuts = cuts
    for index in cuts.indices {
      let cut = cuts[index]
      let value = sorted.values[cut]
      guard sorted.values[cut - 1] == value else { continue }
      let left = sorted.moments(before: index == 0 ? 0 : cuts[index - 1])
      let right = sorted.moments(before: index + 1 < cuts.count ? cuts[index + 1] : sorted.count)
      let first = sorted.firstPosition(notBelow: value, in: 0..<cut)
      let last = sorted.firstPosition(notBelow: value.nextUp, in: cut..<sorted.count)
      func cost(_ position: Int) -> Double {
        let middle = sorted.moments(before: position)
        return middle.cost(since: left) + right.cost(since: middle)
      }
      cuts[index] = cost(first) <= cost(last) ? first : last
    }
    return cuts.filter { $0 > 0 && $0 < sorted.count }
  }
}
