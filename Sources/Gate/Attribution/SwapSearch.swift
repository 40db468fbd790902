/// Finds the weights that move outputs most without trying each of them: groups of weights that
/// follow each other in the graph are swapped together, the worst groups are split, and the weights
/// of those that remain are swapped one at a time.
///
/// Every weight is part of a swap. Up to 16 weights are tried one by one. For more it takes at most
/// 8 swaps for the first split, 16 for each further one (up to 128 weights need one split, up to 1024
/// two), and 32 of single weights. Mostly one group is the worst by far: then it takes 21 swaps for
/// a hundred weights and 24 for five hundred.
struct SwapSearch {
  /// Into how many a group is split.
  static let groupCount = 8
  /// Weights of a group that are tried one by one.
  static let maxSingles = 16
  /// Groups that are followed at once.
  static let maxGroups = 2

  /// The result of swapping one weight, or several together.
  struct Swap {
    /// Numbers of the weights, in the order of the graph.
    let weights: Range<Int>
    let effect: SwapEffect
  }

  /// Weights that were swapped alone, in the order of the graph.
  private(set) var singles: [Swap] = []
  /// The worst groups that were followed; empty if every weight was tried alone.
  private(set) var groups: [Swap] = []
  /// Groups that were not followed, in the order of the graph.
  private var others: [Swap] = []

  /// Weights that are swapped alone at most where none of them makes most of the drift.
  static let maxWidened = 48

  /// - Parameters:
  ///   - count: how many weights there are.
  ///   - half: the drift from which a group is followed beside the worst one.
  ///   - measure: measures the effect of swapping these weights.
  init(count: Int, half: Double, measure: (Range<Int>) throws -> SwapEffect) rethrows {
    var open = [0..<count]
    while open.contains(where: { $0.count > SwapSearch.maxSingles }) {
      let swaps = try open.flatMap(SwapSearch.split).map {
        Swap(weights: $0, effect: try measure($0))
      }
      groups = SwapSearch.worst(swaps, half: half)
      others += swaps.filter { swap in !groups.contains { $0.weights == swap.weights } }
      open = groups.map(\.weights)
    }
    singles = try open.flatMap { range in range.map { $0..<$0 + 1 } }.map {
      Swap(weights: $0, effect: try measure($0))
    }
  }

  /// Swaps the weights of further groups alone, those of the worst ones first.
  mutating func widen(measure: (Range<Int>) throws -> SwapEffect) rethrows {
    let order = others.sorted {
      ($1.effect.drift, $0.weights.lowerBound) < ($0.effect.drift, $1.weights.lowerBound)
    }
    for group in order
    where singles.count + group.weights.count <= SwapSearch.maxWidened && group.effect.drift > 0 {
      for weight in group.weights {
        let range = weight..<weight + 1
        singles.append(Swap(weights: range, effect: try measure(range)))
      }
    }
    singles.sort { $0.weights.lowerBound < $1.weights.lowerBound }
  }

  /// The drift that each weight makes: of one that was not swapped alone an equal part of its group's.
  ///
  /// - Parameter count: how many weights there are.
  func drifts(of count: Int) -> [Double] {
    var drifts = [Double](repeating: 0, count: count)
    for group in others {
      for weight in group.weights {
        drifts[weight] = group.effect.drift / Double(group.weights.count)
      }
    }
    for single in singles { drifts[single.weights.lowerBound] = single.effect.drift }
    return drifts
  }

  /// Parts of nearly the same size; a group that is small enough stays whole.
  private static func split(_ range: Range<Int>) -> [Range<Int>] {
    guard range.count > maxSingles else { return [range] }
    return (0..<groupCount).map { part in
      let start = range.lowerBound + range.count * part / groupCount
      return start..<range.lowerBound + range.count * (part + 1) / groupCount
    }
  }

  /// The group with the largest effect, and another that makes half of the drift, too; in the order
  /// of the graph.
  private static func worst(_ swaps: [Swap], half: Double) -> [Swap] {
    let order = swaps.sorted {
      ($1.effect.drift, $0.weights.lowerBound) < ($0.effect.drift, $1.weights.lowerBound)
    }
    let others = order.dropFirst().filter { $0.effect.drift >= half }
    return (order.prefix(1) + others.prefix(maxGroups - 1)).sorted {
      $0.weights.lowerBound < $1.weights.lowerBound
    }
  }
}
