/// The places where a partition of a sorted sequence may cut: positions, and cells of several.
struct CutPlaces {
  /// Positions of each place, ascending and disjoint; a place of one position is never between
  /// equal values.
  private(set) var ranges: [ClosedRange<Int>] = []

  private let sorted: SortedValues

  private init(of sorted: SortedValues) {
    self.sorted = sorted
  }

  /// Every position, alone near a cut and in wider cells away from it.
  ///
  /// Moving a cut by d values costs about as much as d² of them, and a cell of w values hides about
  /// as much as w² of them: cells that grow with their distance hide less than cutting there costs.
  init(around cuts: [Int], of sorted: SortedValues) {
    self.init(of: sorted)
    ranges.reserveCapacity(64 * (cuts.count + 1))
    let edges = [0] + cuts + [sorted.count]
    for (index, start) in edges.dropLast().enumerated() {
      let end = edges[index + 1]
      // Cells widen from the start up to the middle; an outer cluster has a cut at one end only.
      let middle = index == 0 ? start : index == cuts.count ? end : (start + end) / 2
      var position = max(start, 1)
      while position < middle {
        let width = Self.width(position - start)
        add(position, min(position + width, middle) - 1)
        position += width
      }
      addBack(from: end, to: max(middle, 1))
    }
  }

  /// Adds the places from `end` back to `start`, the narrow ones last.
  private mutating func addBack(from end: Int, to start: Int) {
    var backward: [(Int, Int)] = []
    var position = end
    while position > start {
      let width = Self.width(end - position)
      backward.append((max(position - width, start), position - 1))
      position -= width
    }
    for (low, high) in backward.reversed() { add(low, high) }
  }

  /// Number of positions in a cell at a distance from a cut.
  private static func width(_ distance: Int) -> Int {
    distance < nearby ? 1 : distance / ratio
  }

  /// Within this distance cells would have at most two positions, and no fewer nodes than those.
  private static let nearby = 3 * ratio
  /// Of a cell's distance to its width: where it is smaller more partitions pass the first bound,
  /// where it is larger that takes longer.
  private static let ratio = 8

  /// Whether every place is one position.
  var areSingle: Bool { ranges.allSatisfy { $0.lowerBound == $0.upperBound } }

  /// The distinct cuts of a path through the graph of these places.
  func positions(_ path: [Int], _ graph: CutGraph) -> [Int] {
    var cuts: [Int] = []
    for node in path.dropFirst().dropLast() {
      let place = graph.places[node]
      let range = ranges[Int(place) - 1]
      let cut = place == graph.places[node + 1] ? range.lowerBound : range.upperBound
      if cut > cuts.last ?? 0 { cuts.append(cut) }
    }
    return cuts
  }

  /// The marked places, each cut into `count` parts.
  func split(where isKept: [Bool], into count: Int) -> CutPlaces {
    var places = CutPlaces(of: sorted)
    for (range, isKept) in zip(ranges, isKept) where isKept {
      var start = range.lowerBound
      for i in 1...count {
        let end = range.lowerBound + range.count * i / count
        if end > start { places.add(start, end - 1) }
        start = end
      }
    }
    return places
  }

  /// Adds a place, trimmed at its ends of positions between equal values.
  private mutating func add(_ low: Int, _ high: Int) {
    var (low, high) = (low, high)
    if sorted.values[low - 1] == sorted.values[low] {
      low = sorted.firstPosition(notBelow: sorted.values[low].nextUp, in: low..<sorted.count)
    }
    if high > low, sorted.values[high - 1] == sorted.values[high] {
      high = sorted.firstPosition(notBelow: sorted.values[high], in: 0..<high)
    }
    if low <= high { ranges.append(low...high) }
  }
}
