/// Cuts a sorted sequence into runs of least total squared error, by dynamic programming.
///
/// The last cut of the best partition of a prefix never moves left when the prefix grows, so that
/// each layer is filled by divide and conquer (Grønlund et al. 2017, "Fast exact k-means, k-medians
/// and Bregman divergence clustering in 1D", section 2.3): time O(k·n·log n), memory O(k·n).
struct ExactPartition {
  /// Moments at the places where a cut is allowed; the first is the start, the last the end.
  private let places: [Moments]
  private var previous: [Double]
  private var current: [Double]
  /// Best last cut of layer l and place i at l · places.count + i.
  private var choices: [Int32]

  /// Indices of the `parts` − 1 cuts among `places`, ascending.
  ///
  /// - Precondition: 1 ≤ parts < places.count.
  static func cuts(_ places: [Moments], parts: Int) -> [Int] {
    precondition(parts >= 1 && parts < places.count, "more parts than places")
    var partition = ExactPartition(places, parts: parts)
    return partition.solve(parts)
  }

  private init(_ places: [Moments], parts: Int) {
    self.places = places
    choices = [Int32](repeating: 0, count: parts * places.count)
    previous = places.map { $0.cost(since: places[0]) }
    current = [Double](repeating: .infinity, count: places.count)
  }

  private mutating func solve(_ parts: Int) -> [Int] {
    let count = places.count
    for layer in stride(from: 1, to: parts, by: 1) {
      add(layer)
    }
    var cuts: [Int] = []
    var place = count - 1
    for layer in stride(from: parts - 1, to: 0, by: -1) {
      place = Int(choices[layer * count + place])
      cuts.append(place)
    }
    return cuts.reversed()
  }

  /// Computes the costs of one more run from those of `layer` runs.
  private mutating func add(_ layer: Int) {
    fill(layer, places: layer + 1..<places.count, cuts: layer..<places.count - 1)
    swap(&previous, &current)
  }

  /// Fills `current` at `range`, knowing that the best last cuts lie in `candidates`.
  private mutating func fill(_ layer: Int, places range: Range<Int>, cuts candidates: Range<Int>) {
    guard !range.isEmpty else { return }
    let middle = (range.lowerBound + range.upperBound) / 2
    var best = Double.infinity
    var choice = candidates.lowerBound
    let place = places[middle]
    for cut in candidates.lowerBound..<min(candidates.upperBound, middle) {
      let cost = previous[cut] + place.cost(since: places[cut])
      if cost < best { (best, choice) = (cost, cut) }
    }
    current[middle] = best
    choices[layer * places.count + middle] = Int32(choice)
    fill(layer, places: range.lowerBound..<middle, cuts: candidates.lowerBound..<choice + 1)
    fill(layer, places: middle + 1..<range.upperBound, cuts: choice..<candidates.upperBound)
  }
}
