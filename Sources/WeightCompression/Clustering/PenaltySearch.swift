/// Finds the penalty at which the cheapest path of a cut graph has a wanted number of clusters.
///
/// The least cost is a convex function of the number of clusters, so that for every number there is
/// such a penalty (Aggarwal, Schieber and Tokuyama 1994, "Finding a minimum-weight k-link path in
/// graphs with the concave Monge property").
struct PenaltySearch {
  /// A penalty for which a cheapest path has the wanted number of clusters.
  private(set) var penalty: Double
  /// Nodes of the path, start and end included.
  private(set) var path: [Int] = []

  private let graph: CutGraph
  private let parts: Int
  /// Penalties with too many and with too few clusters, and their paths.
  private var low: (penalty: Double, path: [Int])
  private var high: (penalty: Double, path: [Int])

  /// - Parameters:
  ///   - parts: at least 1, less than the number of nodes.
  ///   - guess: a positive penalty near the wanted one.
  init(_ graph: CutGraph, parts: Int, guess: Double) {
    self.graph = graph
    self.parts = parts
    penalty = guess
    low = (0, Array(0..<graph.count))
    high = (.infinity, [0, graph.count - 1])
    search()
  }

  private mutating func search() {
    for attempt in 0..<200 {
      let path = PenalizedPaths(graph, penalty: penalty).path
      let found = path.count - 1
      if found == parts {
        self.path = path
        return centre()
      }
      if found > parts { low = (penalty, path) } else { high = (penalty, path) }
      let next = next(found, attempt)
      // No penalty is left between: both are the one at which several numbers are cheapest.
      guard next > low.penalty, next < high.penalty else { break }
      penalty = next
    }
    path = Self.splice(low.path, high.path, parts: parts)
  }

  /// The penalty to try after one that gave `found` clusters.
  private func next(_ found: Int, _ attempt: Int) -> Double {
    // Cost falls about with the square of the number, hence its slope with the cube.
    let ratio = Double(found) / Double(parts)
    let guess = penalty * ratio * ratio * ratio
    if attempt < 6, guess > low.penalty, guess < high.penalty { return guess }
    let step = Double(sign: .plus, exponent: 3 * (attempt + 1), significand: 1)
    if high.penalty == .infinity { return penalty * step }
    if low.penalty == 0 { return penalty / step }
    return low.penalty.squareRoot() * high.penalty.squareRoot()
  }

  /// Moves the penalty away from the ends of the interval in which the number stays.
  private mutating func centre() {
    let inside = penalty
    let lower = edge(inside, low.penalty > 0 ? low.penalty : inside * (1 - 3 / Double(parts + 3)))
    let upper = edge(
      inside, high.penalty < .infinity ? high.penalty : inside * (1 + 3 / Double(parts)))
    penalty = (lower + upper) / 2
  }

  /// A penalty halfway to `outside`, if it keeps the number of clusters.
  private func edge(_ inside: Double, _ outside: Double) -> Double {
    let middle = (inside + outside) / 2
    let found = PenalizedPaths(graph, penalty: middle).path.count - 1
    return found == parts ? middle : inside
  }

  /// A path of `parts` clusters from the start of the one with fewer and the end of the one with
  /// more, or vice versa.
  ///
  /// Where a step of `few` spans one of `many`, exchanging the paths' ends does not raise their
  /// summed cost; by counting, some step gives the wanted number.
  static func splice(_ many: [Int], _ few: [Int], parts: Int) -> [Int] {
    let shift = parts - (few.count - 1)
    if shift == 0 { return few }
    for step in 0..<few.count - 1 {
      let other = step + shift
      guard other + 1 < many.count else { break }
      if few[step] <= many[other], many[other + 1] <= few[step + 1] {
        return Array(many[...other] + few[(step + 1)...])
      }
    }
    return many.count - 1 == parts ? many : few
  }
}
