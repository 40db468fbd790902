/// The partition of a sorted sequence into runs of least total squared error, found from coarse to
/// fine.
///
/// A good partition gives an upper bound U of the least cost. The sequence is then cut into cells,
/// narrow ones near the cuts of that partition (`CutPlaces`), and a lower bound is computed over
/// all partitions, which often equals U. If it does not, one is computed for every cell, over the
/// partitions that cut there: a cut cell is given wholly to one side, and its values are moved to
/// the end of the cell nearer to that side. Moving them lowers the cost, because all distances
/// within the cluster shrink; and with the values fixed at two places, the cost is a concave
/// function of how many belong to either side, so that it is least when all do. Cells whose bound
/// exceeds U are dropped, the others are split, until each is a single position: then the bound is
/// the least cost.
///
/// Bounds are computed for a penalty per cluster instead of a number of clusters (`PenalizedPaths`).
/// The least cost is a convex function of the number, hence this loses nothing in the end.
struct CertifiedPartition {
  private let sorted: SortedValues
  private let parts: Int
  private var best: CutDescent
  private var penalty: Double
  /// The most that rounding can change a path's cost.
  let slack: Double

  /// The lower bounds of the least cost that were found, from coarse to fine.
  private(set) var lowerBounds: [Double] = []

  /// Positions of the cuts, never between equal values.
  private(set) var cuts: [Int] = []

  /// - Precondition: 2 ≤ parts, and more than `parts` values are distinct.
  init(_ sorted: SortedValues, parts: Int, effort: ClusteringEffort = .least) {
    self.sorted = sorted
    self.parts = parts
    let coarse = CoarsePartition(sorted, parts: parts)
    penalty = coarse.penalty
    best = CutDescent(sorted, cuts: coarse.cuts)
    if effort == .least { best.run() }
    slack =
      Self.rounding(sorted, best.cuts) + (best.cost + penalty * Double(parts)) * 0x1p-44
    if effort == .least { refine() }
    cuts = Self.betweenDistinct(best.cuts, sorted)
  }

  /// The most that rounding can change the cost of partitions like this one.
  ///
  /// A cluster's cost is a difference of sums, each rounded independently. Clusters of one value lose
  /// nothing, unless it weighs more than 1.
  private static func rounding(_ sorted: SortedValues, _ cuts: [Int]) -> Double {
    var sum = 0.0
    var start = 0
    for end in cuts + [sorted.count] {
      if sorted.isWeighted || sorted.values[start] < sorted.values[end - 1] {
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
    var places = CutPlaces(around: best.cuts, of: sorted)
    while true {
      let graph = CutGraph(places: places.ranges, of: sorted)
      let forward = cheapestPaths(graph)
      if isProven { return }
      if places.areSingle { return settle(graph, places, forward) }
      tryPath(places.positions(forward.path, graph))
      if isProven { return }
      places = places.split(where: survivors(graph, forward), into: 4)
    }
  }

  /// Whether the last lower bound is the cost of the best known partition.
  private var isProven: Bool {
    lowerBounds.last.map { $0 >= best.cost - slack } ?? false
  }

  /// The cheapest paths through a graph, whose lower bound is added to the others.
  private mutating func cheapestPaths(_ graph: CutGraph) -> PenalizedPaths {
    var paths = PenalizedPaths(graph, penalty: penalty)
    var attempts = 3
    while attempts > 0, let next = betterPenalty(paths) {
      let candidate = PenalizedPaths(graph, penalty: next)
      guard candidate.total - next * Double(parts) > paths.total - penalty * Double(parts) else {
        break
      }
      (paths, penalty) = (candidate, next)
      attempts -= 1
    }
    lowerBounds.append(paths.total - penalty * Double(parts))
    return paths
  }

  /// The penalty to try if another number of clusters is cheaper at the present one.
  ///
  /// The costs of that number and of the best known one are equal at some penalty; beyond it the
  /// bound is likely to be better.
  private func betterPenalty(_ paths: PenalizedPaths) -> Double? {
    let found = paths.path.count - 1
    if found == parts { return nil }
    let equal =
      (best.cost - paths.total + penalty * Double(found)) / Double(found - parts)
    // The slope of the cost falls with the cube of the number: this is half a cluster further on.
    let next = equal * (1 + (found > parts ? 1.5 : -1.5) / Double(parts + 3))
    return next > 0 ? next : nil
  }

  /// The places where a partition at least as good as the best known one may cut.
  private func survivors(_ graph: CutGraph, _ forward: PenalizedPaths) -> [Bool] {
    let backward = PenalizedPaths(graph.mirrored, penalty: penalty)
    let limit = best.cost + penalty * Double(parts) + slack
    var survivors = [Bool](repeating: false, count: Int(graph.places[graph.count - 1]) - 1)
    for node in 1..<graph.count - 1
    where forward.costs[node] + backward.costs[graph.count - 1 - node] <= limit {
      survivors[Int(graph.places[node]) - 1] = true
    }
    return survivors
  }

  /// Takes a bound's path for the best partition if it is better.
  private mutating func tryPath(_ cuts: [Int]) {
    guard cuts.count == parts - 1 else { return }
    var candidate = CutDescent(sorted, cuts: cuts)
    if candidate.cost < best.cost * 1.5 { candidate.run() }
    if candidate.cost < best.cost { best = candidate }
  }

  /// Every place is a position, so that paths cost the same as their partitions.
  private mutating func settle(_ graph: CutGraph, _ places: CutPlaces, _ paths: PenalizedPaths) {
    var path = paths.path
    if path.count - 1 != parts {
      let search = PenaltySearch(graph, parts: parts, guess: penalty)
      (path, penalty) = (search.path, search.penalty)
      lowerBounds.append(
        PenalizedPaths(graph, penalty: penalty).total - penalty * Double(parts))
    }
    let cuts = places.positions(path, graph)
    guard cuts.count == parts - 1 else { return }
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
