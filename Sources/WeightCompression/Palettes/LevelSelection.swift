/// The best palette of a group whose entries are multiples −127 … 127 of a given scale, exactly.
///
/// Each value takes the nearer of its two neighbouring entries, so that the squared error is a sum
/// over pairs of neighbours, each known from moments at multiples of half the scale. The least sum
/// is found by dynamic programming over the levels; the best entry before another never moves left
/// when that one moves right, so that divide and conquer fills each layer.
struct LevelSelection {
  /// Chosen levels, ascending.
  private(set) var codes: [Int] = []

  /// The sums over the chosen levels: Σ weight · value · code, Σ weight · code².
  private(set) var projection = 0.0
  private(set) var squares = 0.0
  /// Weighted squared error, products not rounded.
  private(set) var error = 0.0

  private let step: Double
  private let offset: Double
  /// The lowest level that entries may take.
  private let first: Int
  private let levels: Int
  /// Moments before (first + i / 2) steps.
  private let halves: [Moments]
  private let start: Moments
  private let end: Moments
  private var previous: [Double] = []
  private var current: [Double] = []
  private var choices: [Int16] = []

  private static let limit = 127

  /// - Precondition: there are values, at least 2 entries, and the scale is positive.
  init(_ sorted: SortedValues, entries: Int, scale: Float) {
    step = Double(scale)
    offset = sorted.offset
    let low = (Double(sorted.values[0]) / step).rounded(.down)
    let high = (Double(sorted.values[sorted.count - 1]) / step).rounded(.up)
    let limit = Double(Self.limit)
    first = Int(max(-limit, min(limit, low)))
    levels = Int(max(-limit, min(limit, high))) - first + 1
    var position = 0
    let (step, first) = (step, first)
    halves = (0...2 * (levels - 1)).map { half in
      let bound = (Double(first) + Double(half) / 2) * step
      let nearest = Float(bound)
      let value = Double(nearest) < bound ? nearest.nextUp : nearest
      position = sorted.firstPosition(notBelow: value, in: position..<sorted.count)
      return sorted.moments(before: position)
    }
    start = sorted.moments(before: 0)
    end = sorted.moments(before: sorted.count)
    choose(min(entries, levels))
    measure(unit: sorted.weightUnit)
  }

  /// Squared error of the values between two moments at a level.
  @inline(__always)
  private func cost(_ from: Moments, _ to: Moments, _ level: Int) -> Double {
    let place = Double(first + level) * step - offset
    let squares = to.squares - from.squares
    let sum = to.sum - from.sum
    return max(squares - place * (2 * sum - place * (to.weight - from.weight)), 0)
  }

  /// Squared error of the values between two neighbouring entries.
  @inline(__always)
  private func cost(between low: Int, _ high: Int) -> Double {
    let middle = halves[low + high]
    return cost(halves[2 * low], middle, low) + cost(middle, halves[2 * high], high)
  }

  private mutating func choose(_ entries: Int) {
    previous = (0..<levels).map { cost(start, halves[2 * $0], $0) }
    current = [Double](repeating: .infinity, count: levels)
    choices = [Int16](repeating: 0, count: entries * levels)
    for layer in stride(from: 1, to: entries, by: 1) {
      fill(layer, layer..<levels, layer - 1..<levels - 1)
      swap(&previous, &current)
    }
    var level = 0
    var minimum = Double.infinity
    for last in entries - 1..<levels {
      let cost = previous[last] + cost(halves[2 * last], end, last)
      if cost < minimum { (level, minimum) = (last, cost) }
    }
    codes = [first + level]
    for layer in stride(from: entries - 1, to: 0, by: -1) {
      level = Int(choices[layer * levels + level])
      codes.append(first + level)
    }
    codes.reverse()
  }

  /// Fills `current` at `range`, knowing that the best entries before lie in `candidates`.
  private mutating func fill(_ layer: Int, _ range: Range<Int>, _ candidates: Range<Int>) {
    guard !range.isEmpty else { return }
    let middle = (range.lowerBound + range.upperBound) / 2
    var minimum = Double.infinity
    var choice = candidates.lowerBound
    for level in candidates.lowerBound..<min(candidates.upperBound, middle) {
      let cost = previous[level] + cost(between: level, middle)
      if cost < minimum { (choice, minimum) = (level, cost) }
    }
    current[middle] = minimum
    choices[layer * levels + middle] = Int16(choice)
    fill(layer, range.lowerBound..<middle, candidates.lowerBound..<choice + 1)
    fill(layer, middle + 1..<range.upperBound, choice..<candidates.upperBound)
  }

  private mutating func measure(unit: Double) {
    var from = start
    for (index, code) in codes.enumerated() {
      let level = code - first
      let to = index + 1 < codes.count ? halves[level + codes[index + 1] - first] : end
      let weight = to.weight - from.weight
      let sum = to.sum - from.sum + weight * offset
      projection += sum * Double(code) / unit
      squares += weight * Double(code * code) / unit
      error += cost(from, to, level) / unit
      from = to
    }
  }
}
