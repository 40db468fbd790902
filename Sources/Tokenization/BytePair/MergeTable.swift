/// The merges by their pair of neighbouring tokens: the resulting token and the rank.
///
/// An open-addressing table over pairs of ids.
struct MergeTable: Equatable, Sendable {
  /// One merge: its place in the file's list, and the id of the resulting token.
  struct Merge: Equatable {
    let rank: Int32
    let id: Int32
  }

  /// The id of the resulting token, by rank.
  private var results: [Int32] = []
  /// The pair of each rank, the left id in the high half.
  private var pairs: [UInt64] = []
  /// A rank plus 1; 0 is free. A power of two in number.
  private var slots: [Int32]
  private let mask: Int

  /// An empty table.
  ///
  /// - Parameter capacity: the most merges it will hold.
  init(capacity: Int) {
    var size = 16
    while size < capacity * 2 { size *= 2 }
    slots = Array(repeating: 0, count: size)
    mask = size - 1
    results.reserveCapacity(capacity)
    pairs.reserveCapacity(capacity)
  }

  /// Whether two tables hold the same merges in the same order.
  static func == (left: MergeTable, right: MergeTable) -> Bool {
    left.results == right.results && left.pairs == right.pairs
  }

  /// Adds the merge of the next rank; returns the rank of the pair if the table already has it.
  mutating func append(_ left: Int32, _ right: Int32, id: Int32) -> Int32? {
    precondition(results.count * 2 <= mask, "more merges than the capacity")
    let pair = MergeTable.pair(left, right)
    let slot = slot(of: pair)
    if slots[slot] != 0 { return slots[slot] - 1 }
    results.append(id)
    pairs.append(pair)
    slots[slot] = Int32(results.count)
    return nil
  }

  /// The id of the token that the merge of a rank gives.
  func id(ofRank rank: Int32) -> Int32 { results[Int(rank)] }

  /// The merge of two neighbours, if there is one.
  func merge(_ left: Int32, _ right: Int32) -> Merge? {
    let rank = slots[slot(of: MergeTable.pair(left, right))] - 1
    return rank < 0 ? nil : Merge(rank: rank, id: results[Int(rank)])
  }

  private static func pair(_ left: Int32, _ right: Int32) -> UInt64 {
    UInt64(UInt32(bitPattern: left)) << 32 | UInt64(UInt32(bitPattern: right))
  }

  /// The slot that holds a pair, or the free one where it belongs.
  private func slot(of pair: UInt64) -> Int {
    let hash = (pair ^ pair >> 29) &* 0x9E37_79B9_7F4A_7C15
    var slot = Int(truncatingIfNeeded: hash >> 32) & mask
    while slots[slot] != 0, pairs[Int(slots[slot]) - 1] != pair { slot = (slot + 1) & mask }
    return slot
  }
}

/// Pending merges in one word: the lowest rank first, equal ranks from left to right.
///
/// A binary heap of numbers that hold a rank above a place.
struct MergeQueue {
  private var heap: [UInt64] = []

  mutating func push(rank: Int32, place: Int) {
    let entry = UInt64(UInt32(bitPattern: rank)) << 32 | UInt64(UInt32(place))
    var index = heap.count
    heap.append(entry)
    while index > 0 {
      let parent = (index - 1) / 2
      if heap[parent] <= entry { break }
      heap[index] = heap[parent]
      index = parent
    }
    heap[index] = entry
  }

  mutating func pop() -> (rank: Int32, place: Int)? {
    guard let first = heap.first, let last = heap.popLast() else { return nil }
    if !heap.isEmpty { sink(last) }
    return (Int32(truncatingIfNeeded: first >> 32), Int(first & 0xFFFF_FFFF))
  }

  /// Puts an entry where the first one was taken from.
  private mutating func sink(_ entry: UInt64) {
    var index = 0
    while true {
      var child = index * 2 + 1
      guard child < heap.count else { break }
      if child + 1 < heap.count, heap[child + 1] < heap[child] { child += 1 }
      if entry <= heap[child] { break }
      heap[index] = heap[child]
      index = child
    }
    heap[index] = entry
  }
}
