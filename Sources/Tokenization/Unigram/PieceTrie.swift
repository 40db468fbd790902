/// The pieces of a vocabulary by their beginnings: finds every piece that a place of a text begins
/// with, in one walk.
///
/// Nodes are in order of depth, and the children of each are neighbours in the order of their
/// scalars, so a node needs no list of children, only where they begin.
struct PieceTrie: Sendable {
  static let root = 0

  /// The scalar that leads to each node.
  private var labels: [UInt32] = [0]
  /// The piece that ends at each node, or -1.
  private var ids: [Int32] = []
  /// The first child of each node; the children end where those of the next node begin.
  private var firstChildren: [Int32] = []
  /// The child of the root by its scalar, for scalars below U+10000; 0 is none.
  private var roots: [Int32] = []

  /// - Parameter pieces: each once; the id of a piece is its place.
  init(_ pieces: [String]) {
    var flat = FlatPieces(pieces)
    flat.sort()
    grow(from: flat)
    roots = Array(repeating: 0, count: 0x10000)
    for node in children(of: PieceTrie.root) where labels[node] < 0x10000 {
      roots[Int(labels[node])] = Int32(node)
    }
  }

  /// The piece that ends at a node, or -1.
  func id(at node: Int) -> Int32 { ids[node] }

  /// The node that a scalar leads to, if any piece goes on with it.
  func child(of node: Int, _ scalar: UInt32) -> Int? {
    if node == PieceTrie.root, scalar < 0x10000 {
      let child = Int(roots[Int(scalar)])
      return child == 0 ? nil : child
    }
    let all = children(of: node)
    var low = all.lowerBound
    var high = all.upperBound
    while low < high {
      let middle = (low + high) / 2
      if labels[middle] < scalar { low = middle + 1 } else { high = middle }
    }
    return low < all.upperBound && labels[low] == scalar ? low : nil
  }

  private func children(of node: Int) -> Range<Int> {
    Int(firstChildren[node])..<Int(firstChildren[node + 1])
  }

  /// Adds node after node: the pieces of each are a range of the sorted ones.
  private mutating func grow(from pieces: FlatPieces) {
    var ranges: [(pieces: Range<Int32>, depth: Int32)] = [(0..<Int32(pieces.order.count), 0)]
    var node = 0
    while node < ranges.count {
      let (range, depth) = ranges[node]
      var place = Int(range.lowerBound)
      var id: Int32 = -1
      if place < range.upperBound, pieces.count(at: place) == depth {
        id = pieces.order[place]
        place += 1
      }
      ids.append(id)
      firstChildren.append(Int32(ranges.count))
      while place < range.upperBound {
        let label = pieces.scalar(at: place, Int(depth))
        let start = place
        while place < range.upperBound, pieces.scalar(at: place, Int(depth)) == label { place += 1 }
        labels.append(label)
        ranges.append((Int32(start)..<Int32(place), depth + 1))
      }
      node += 1
    }
    firstChildren.append(Int32(ranges.count))
  }
}

/// Pieces end to end, so that sorting them compares plain numbers.
private struct FlatPieces {
  private var scalars: [UInt32] = []
  private var starts: [Int32] = [0]
  /// The places of the pieces, in the order of their scalars once sorted.
  private(set) var order: [Int32]

  init(_ pieces: [String]) {
    starts.reserveCapacity(pieces.count + 1)
    for piece in pieces {
      for scalar in piece.unicodeScalars { scalars.append(scalar.value) }
      starts.append(Int32(scalars.count))
    }
    order = Array(0..<Int32(pieces.count))
  }

  mutating func sort() {
    let (scalars, starts) = (scalars, starts)
    order.sort { left, right in
      var (a, b) = (Int(starts[Int(left)]), Int(starts[Int(right)]))
      let (endOfA, endOfB) = (Int(starts[Int(left) + 1]), Int(starts[Int(right) + 1]))
      while a < endOfA, b < endOfB {
        if scalars[a] != scalars[b] { return scalars[a] < scalars[b] }
        a += 1
        b += 1
      }
      return b < endOfB
    }
  }

  /// The length of the sorted piece at a place.
  func count(at place: Int) -> Int32 {
    starts[Int(order[place]) + 1] - starts[Int(order[place])]
  }

  /// A scalar of the sorted piece at a place.
  func scalar(at place: Int, _ index: Int) -> UInt32 {
    scalars[Int(starts[Int(order[place])]) + index]
  }
}
