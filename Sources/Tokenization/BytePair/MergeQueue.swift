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
