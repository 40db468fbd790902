/// Improves a partition by moving all cuts together, first far, then near.
///
/// Around each cut a few positions are tried; dynamic programming finds the best choice of all cuts
/// at once. The result is a good partition, not certainly the best.
struct CutDescent {
  private let sorted: SortedValues
  private let start: Moments
  private let end: Moments
  /// Positions of the cuts, strictly ascending, 1 … count − 1.
  private(set) var cuts: [Int]
  private(set) var cost: Double

  /// Positions tried on each side of a cut.
  private static let reach = 3
  private static let width = 2 * reach + 1

  init(_ sorted: SortedValues, cuts: [Int]) {
    self.sorted = sorted
    self.cuts = cuts
    start = sorted.moments(before: 0)
    end = sorted.moments(before: sorted.count)
    cost = 0
    cost = Self.cost(sorted, cuts)
  }

  /// Squared error of a partition.
  static func cost(_ sorted: SortedValues, _ cuts: [Int]) -> Double {
    var cost = 0.0
    var left = sorted.moments(before: 0)
    for cut in cuts + [sorted.count] {
      let right = sorted.moments(before: cut)
      cost += right.cost(since: left)
      left = right
    }
    return cost
  }

  /// Moves cuts until no joint move of any size helps.
  mutating func run() {
    guard !cuts.isEmpty else { return }
    var shift = 2
    var isLast = false
    while !isLast {
      let steps = stepSizes(shift)
      isLast = steps.allSatisfy { $0 == 1 }
      for _ in 0..<32 where !improve(steps) { break }
      shift += 2
    }
  }

  /// The gap to the nearer neighbour of each cut, halved `shift` times; at least 1.
  private func stepSizes(_ shift: Int) -> [Int] {
    let edges = [0] + cuts + [sorted.count]
    return cuts.indices.map { index in
      let gap = min(edges[index + 1] - edges[index], edges[index + 2] - edges[index + 1])
      return max(1, gap >> shift)
    }
  }

  /// One joint move; false when staying is best.
  private mutating func improve(_ steps: [Int]) -> Bool {
    let width = Self.width
    var positions: [Int] = []
    var moments: [Moments] = []
    positions.reserveCapacity(cuts.count * width)
    moments.reserveCapacity(cuts.count * width)
    for (cut, step) in zip(cuts, steps) {
      for i in -Self.reach...Self.reach {
        let position = min(max(cut + i * step, 1), sorted.count - 1)
        positions.append(position)
        moments.append(sorted.moments(before: position))
      }
    }
    let (best, choice) = bestMove(positions, moments)
    guard best < cost * (1 - 1e-15) else { return false }
    cost = best
    cuts = choice
    return true
  }

  private func bestMove(_ positions: [Int], _ moments: [Moments]) -> (Double, [Int]) {
    let width = Self.width
    var costs = moments.prefix(width).map { $0.cost(since: start) }
    var previous = [UInt8](repeating: 0, count: positions.count)
    var next = [Double](repeating: 0, count: width)
    for base in stride(from: width, to: positions.count, by: width) {
      for place in base..<base + width {
        var best = Double.infinity
        var choice = 0
        for from in 0..<width where positions[base - width + from] < positions[place] {
          let cost = costs[from] + moments[place].cost(since: moments[base - width + from])
          if cost < best { (best, choice) = (cost, from) }
        }
        next[place - base] = best
        previous[place] = UInt8(truncatingIfNeeded: choice)
      }
      swap(&costs, &next)
    }
    return finish(positions, moments, costs, previous)
  }

  private func finish(
    _ positions: [Int], _ moments: [Moments], _ costs: [Double], _ previous: [UInt8]
  ) -> (Double, [Int]) {
    let width = Self.width
    var base = positions.count - width
    var best = Double.infinity
    var choice = 0
    for place in 0..<width {
      let cost = costs[place] + end.cost(since: moments[base + place])
      if cost < best { (best, choice) = (cost, place) }
    }
    var cuts: [Int] = []
    while base >= 0 {
      cuts.append(positions[base + choice])
      choice = Int(previous[base + choice])
      base -= width
    }
    return (best, cuts.reversed())
  }
}
