/// A good first partition, from a coarse grid that is fine where values spread.
struct CoarsePartition {
  /// Positions of the cuts.
  let cuts: [Int]
  /// A penalty per cluster at which the grid's best partition has this number of clusters.
  let penalty: Double

  /// - Precondition: more than `parts` values are distinct.
  init(_ sorted: SortedValues, parts: Int) {
    let grid = Grid(sorted, cells: 6 * parts + 16, parts: parts)
    let moments = grid.edges.map { sorted.moments(before: $0) }
    let guess = max(2 * grid.costOfParts / Double(parts), .leastNormalMagnitude)
    let search = PenaltySearch(CutGraph(positions: moments), parts: parts, guess: guess)
    penalty = search.penalty
    cuts = search.path.dropFirst().dropLast().map { grid.edges[$0] }
  }

  /// Cuts the values into cells of similar squared error.
  private struct Grid {
    /// Positions where cells start, and the end; never between equal values.
    private(set) var edges: [Int] = []
    /// Summed squared error when there were as many cells as wanted clusters.
    private(set) var costOfParts = 0.0

    /// A heap of cells, that of the largest squared error first.
    private var heap: [(cost: Double, cell: Range<Int>)] = []
    private let sorted: SortedValues

    init(_ sorted: SortedValues, cells: Int, parts: Int) {
      self.sorted = sorted
      func cell(_ range: Range<Int>) -> (Double, Range<Int>) {
        let cost = sorted.moments(before: range.upperBound)
          .cost(since: sorted.moments(before: range.lowerBound))
        // Values can differ by so little that rounding leaves no cost.
        let isSingle = sorted.values[range.lowerBound] == sorted.values[range.upperBound - 1]
        return (isSingle ? -1 : cost, range)
      }
      heap = [cell(0..<sorted.count)]
      edges = [0, sorted.count]
      while edges.count <= cells, heap[0].cost >= 0 {
        if edges.count == parts + 1 { costOfParts = heap.reduce(0) { $0 + max($1.cost, 0) } }
        let top = heap[0]
        let middle = split(top.cell)
        heap[0] = cell(top.cell.lowerBound..<middle)
        sink(0)
        heap.append(cell(middle..<top.cell.upperBound))
        rise(heap.count - 1)
        edges.append(middle)
      }
      edges.sort()
    }

    /// The first position at or above the mean of a cell's values, which are not all equal.
    private func split(_ cell: Range<Int>) -> Int {
      let low = sorted.values[cell.lowerBound]
      let high = sorted.values[cell.upperBound - 1]
      let mean = sorted.moments(before: cell.upperBound)
        .mean(since: sorted.moments(before: cell.lowerBound))
      let middle = min(max(Float(mean + sorted.offset), low.nextUp), high)
      return sorted.firstPosition(notBelow: middle, in: cell)
    }

    private mutating func sink(_ index: Int) {
      var index = index
      while true {
        var child = 2 * index + 1
        guard child < heap.count else { return }
        if child + 1 < heap.count, heap[child + 1].cost > heap[child].cost { child += 1 }
        guard heap[child].cost > heap[index].cost else { return }
        heap.swapAt(index, child)
        index = child
      }
    }

    private mutating func rise(_ index: Int) {
      var index = index
      while index > 0, heap[index].cost > heap[(index - 1) / 2].cost {
        heap.swapAt(index, (index - 1) / 2)
        index = (index - 1) / 2
      }
    }
  }
}
