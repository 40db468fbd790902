/// Finite values in ascending order, with moments of every prefix.
///
/// Values are measured from the middle one, in Double, and sums run outwards from it. Sums are kept
/// every `blockSize` values only; the rest is added up when asked for.
struct SortedValues {
  let values: [Float]
  /// Position of the middle value, where moments are zero.
  let centre: Int
  /// The middle value: what moments are measured from.
  let offset: Double
  private let blockShift: Int
  /// Moments before position i << blockShift.
  private let blocks: [Moments]

  /// Sorts; −0 becomes 0.
  init(sorting values: [Float]) {
    self.init(ascending: RadixSort.ascending(values))
  }

  /// Takes values that are in ascending order.
  init(ascending values: [Float]) {
    self.values = values
    blockShift = values.count <= 1 << 15 ? 0 : 6
    centre = ((values.count / 2) >> blockShift) << blockShift
    offset = values.isEmpty ? 0 : Double(values[centre])
    blocks = Self.blockMoments(values, shift: blockShift, centre: centre, offset: offset)
  }

  var count: Int { values.count }

  /// Moments of the values before `position`, 0 … count.
  func moments(before position: Int) -> Moments {
    let block = position >> blockShift
    var moments = blocks[block]
    let start = block << blockShift
    guard start < position else { return moments }
    var sum = 0.0
    var squares = 0.0
    for i in start..<position {
      let value = Double(values[i]) - offset
      sum += value
      squares += value * value
    }
    moments.count += Double(position - start)
    moments.sum += sum
    moments.squares += squares
    return moments
  }

  /// The value at a position, measured from the middle one.
  func centred(_ position: Int) -> Double { Double(values[position]) - offset }

  /// First position in `range` whose value is not below `value`, or the range's end.
  func firstPosition(notBelow value: Float, in range: Range<Int>) -> Int {
    var low = range.lowerBound
    var high = range.upperBound
    while low < high {
      let middle = (low + high) / 2
      if values[middle] < value { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private static func blockMoments(
    _ values: [Float], shift: Int, centre: Int, offset: Double
  ) -> [Moments] {
    let size = 1 << shift
    var blocks = [Moments](repeating: .zero, count: (values.count >> shift) + 1)
    let middle = centre >> shift
    values.withUnsafeBufferPointer { values in
      var sum = CompensatedSum()
      var squares = CompensatedSum()
      func add(_ start: Int, _ sign: Double) {
        var partSum = 0.0
        var partSquares = 0.0
        for i in start..<start + size {
          let value = Double(values[i]) - offset
          partSum += value
          partSquares += value * value
        }
        sum.add(sign * partSum)
        squares.add(sign * partSquares)
      }
      func moments(_ block: Int) -> Moments {
        Moments(
          count: Double((block << shift) - centre), sum: sum.value, squares: squares.value)
      }
      for block in stride(from: middle + 1, to: blocks.count, by: 1) {
        add((block - 1) << shift, 1)
        blocks[block] = moments(block)
      }
      sum = CompensatedSum()
      squares = CompensatedSum()
      for block in stride(from: middle - 1, through: 0, by: -1) {
        add(block << shift, -1)
        blocks[block] = moments(block)
      }
    }
    return blocks
  }
}

/// A running sum whose error does not grow with its length (Neumaier 1974).
private struct CompensatedSum {
  private var sum = 0.0
  private var correction = 0.0

  var value: Double { sum + correction }

  mutating func add(_ term: Double) {
    let next = sum + term
    correction += sum.magnitude >= term.magnitude ? (sum - next) + term : (term - next) + sum
    sum = next
  }
}
