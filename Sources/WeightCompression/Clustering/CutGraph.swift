/// Places where a sorted sequence may be cut, in order, with a start before and an end after them.
///
/// A node has two moments because a bound may count values differently as the end of one cluster
/// and as the start of the next; where a node is a plain position both are the same.
struct CutGraph {
  /// The moments from which a cluster that starts at each node is measured.
  private(set) var leaving: [Moments]
  /// The moments to which a cluster that ends at each node is measured.
  private(set) var entering: [Moments]
  /// The place of each node, ascending; a cell has two nodes.
  private(set) var places: [Int32]

  /// Plain positions; the first is the start, the last the end.
  init(positions: [Moments]) {
    leaving = positions
    entering = positions
    places = positions.indices.map { Int32(truncatingIfNeeded: $0) }
  }

  /// Places of a sequence, ascending and disjoint: positions, which have one node each, and cells
  /// of several positions with two nodes, "all of it is right of the cut" and "all of it is left of
  /// the cut".
  ///
  /// A cluster that gets all of a cut cell counts its values as if they were at that end of the cell
  /// that is nearer to the cluster, which can only lower its cost.
  init(places cells: [ClosedRange<Int>], of sorted: SortedValues) {
    (leaving, entering, places) = ([], [], [])
    let capacity = 2 * cells.count + 2
    leaving.reserveCapacity(capacity)
    entering.reserveCapacity(capacity)
    places.reserveCapacity(capacity)
    add(0, sorted.moments(before: 0))
    var place: Int32 = 1
    for cell in cells {
      let left = sorted.moments(before: cell.lowerBound)
      if cell.lowerBound == cell.upperBound {
        add(place, left)
      } else {
        let right = sorted.moments(before: cell.upperBound)
        let weight = right.weight - left.weight
        entering.append(left)
        entering.append(left.adding(weight, at: sorted.centred(cell.lowerBound)))
        leaving.append(right.adding(-weight, at: sorted.centred(cell.upperBound - 1)))
        leaving.append(right)
        places.append(place)
        places.append(place)
      }
      place += 1
    }
    add(place, sorted.moments(before: sorted.count))
  }

  /// Adds a node that is a plain position.
  private mutating func add(_ place: Int32, _ moments: Moments) {
    leaving.append(moments)
    entering.append(moments)
    places.append(place)
  }

  private init(leaving: [Moments], entering: [Moments], places: [Int32]) {
    self.leaving = leaving
    self.entering = entering
    self.places = places
  }

  /// Nodes, start and end included.
  var count: Int { leaving.count }

  /// The same problem for the negated sequence: node i becomes node count − 1 − i.
  var mirrored: CutGraph {
    func mirror(_ moments: [Moments]) -> [Moments] {
      moments.reversed().map { Moments(weight: -$0.weight, sum: $0.sum, squares: -$0.squares) }
    }
    let last = places[count - 1]
    return CutGraph(
      leaving: mirror(entering), entering: mirror(leaving),
      places: places.reversed().map { last - $0 })
  }
}
