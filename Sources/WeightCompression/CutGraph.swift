/// Places where a sorted sequence may be cut, in order, with a start before and an end after them.
///
/// A node has two moments because a bound may count values differently as the end of one cluster
/// and as the start of the next; where a node is a plain position both are the same.
struct CutGraph {
  /// What a cluster that starts at each node is measured from.
  private(set) var leaving: [Moments]
  /// What a cluster that ends at each node is measured to.
  private(set) var entering: [Moments]
  /// Nodes per place: 1, or 2 for the two sides of a cell.
  let width: Int

  /// Plain positions; the first is the start, the last the end.
  init(positions: [Moments]) {
    leaving = positions
    entering = positions
    width = 1
  }

  /// Cells of a sequence, ascending, each with two nodes: "all of it lies right of the cut" and "all
  /// of it lies left of the cut".
  ///
  /// A cluster that gets all of a cut cell counts its values as if they were at that end of the cell
  /// that is nearer to the cluster, which can only lower its cost.
  init(cells: [Range<Int>], of sorted: SortedValues) {
    width = 2
    let start = sorted.moments(before: 0)
    let end = sorted.moments(before: sorted.count)
    leaving = [start]
    leaving.reserveCapacity(2 * cells.count + 2)
    entering = [start]
    entering.reserveCapacity(2 * cells.count + 2)
    var edge = -1
    var left = start
    for cell in cells {
      if cell.lowerBound != edge { left = sorted.moments(before: cell.lowerBound) }
      let right = sorted.moments(before: cell.upperBound)
      let count = Double(cell.count)
      entering.append(left)
      entering.append(left.adding(count, at: sorted.centred(cell.lowerBound)))
      leaving.append(right.adding(-count, at: sorted.centred(cell.upperBound - 1)))
      leaving.append(right)
      (edge, left) = (cell.upperBound, right)
    }
    leaving.append(end)
    entering.append(end)
  }

  private init(leaving: [Moments], entering: [Moments], width: Int) {
    self.leaving = leaving
    self.entering = entering
    self.width = width
  }

  /// Nodes, start and end included.
  var count: Int { leaving.count }

  /// The same problem for the negated sequence: node i becomes node count − 1 − i.
  var mirrored: CutGraph {
    func mirror(_ moments: [Moments]) -> [Moments] {
      moments.reversed().map { Moments(count: -$0.count, sum: $0.sum, squares: -$0.squares) }
    }
    return CutGraph(leaving: mirror(entering), entering: mirror(leaving), width: width)
  }
}
