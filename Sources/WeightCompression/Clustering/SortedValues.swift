/// Finite values in ascending order, with moments of every prefix.
///
/// Values are measured from the middle one, in Double, and sums run outwards from it. Sums are kept
/// every `blockSize` values only; the rest is added up when asked for.
struct SortedValues {
  let values: [Float]
  /// Weight of each value, to be multiplied with `weightUnit`; empty if all weigh 1.
  private let weights: [Float]
  /// A power of two that makes the least weight 1 ..< 2.
  let weightUnit: Double
  /// Position of the middle value, where moments are zero.
  let centre: Int
  /// The middle value, the origin of moments.
  let offset: Double
  private let blockShift: Int
  /// Moments before position i << blockShift.
  private let blocks: [Moments]

  /// Sorts; −0 becomes 0.
  init(sorting values: [Float]) {
    self.init(
      ascending: values.count < BucketSort.minCount
        ? RadixSort.ascending(values) : BucketSort.ascending(values))
  }

  /// Sorts the values with a weight; all of them, unweighted, if every weight is 0.
  init(sorting values: [Float], weights: [Float]?) {
    if let weights, weights.contains(where: { $0 > 0 }) {
      let (values, weights) = RadixSort.ascending(values, weights)
      self.init(ascending: values, weights: weights)
    } else {
      self.init(sorting: values)
    }
  }

  /// Takes values that are in ascending order; weights, if any, are positive.
  init(ascending values: [Float], weights: [Float] = []) {
    self.values = values
    self.weights = weights
    blockShift = values.count <= 1 << 15 ? 0 : 6
    centre = ((values.count / 2) >> blockShift) << blockShift
    offset = values.isEmpty ? 0 : Double(values[centre])
    let lightest = weights.min() ?? 1
    weightUnit = Double(sign: .plus, exponent: -Int(lightest.exponent), significand: 1)
    blocks =
      weights.isEmpty
      ? Self.blockMoments(values, shift: blockShift, centre: centre, offset: offset)
      : Self.weightedBlocks(
        values, weights, unit: weightUnit, shift: blockShift, centre: centre, offset: offset)
  }

  var count: Int { values.count }
  var isWeighted: Bool { !weights.isEmpty }

  /// Moments of the values before `position`, 0 … count.
  func moments(before position: Int) -> Moments {
    let block = position >> blockShift
    var moments = blocks[block]
    let start = block << blockShift
    guard start < position else { return moments }
    if isWeighted {
      for i in start..<position { moments = moments.adding(weight(i), at: centred(i)) }
      return moments
    }
    var sum = 0.0
    var squares = 0.0
    for i in start..<position {
      let value = Double(values[i]) - offset
      sum += value
      squares += value * value
    }
    moments.weight += Double(position - start)
    moments.sum += sum
    moments.squares += squares
    return moments
  }

  /// The weight of the value at a position.
  func weight(_ position: Int) -> Double {
    weights.isEmpty ? 1 : Double(weights[position]) * weightUnit
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
    unsafe values.withUnsafeBufferPointer { values in
      var sum = CompensatedSum()
      var squares = CompensatedSum()
      func add(_ start: Int, _ sign: Double) {
        var partSum = 0.0
        var partSquares = 0.0
        for i in start..<start + size {
          let value = unsafe Double(values[i]) - offset
          partSum += value
          partSquares += value * value
        }
        sum.add(sign * partSum)
        squares.add(sign * partSquares)
      }
      func moments(_ block: Int) -> Moments {
        Moments(
          weight: Double((block << shift) - centre), sum: sum.value, squares: squares.value)
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

  private static func weightedBlocks(
    _ values: [Float], _ weights: [Float], unit: Double, shift: Int, centre: Int, offset: Double
  ) -> [Moments] {
    var blocks = [Moments](repeating: .zero, count: (values.count >> shift) + 1)
    var total = (weight: CompensatedSum(), sum: CompensatedSum(), squares: CompensatedSum())
    func add(_ block: Int, _ sign: Double) {
      var part = Moments.zero
      for i in block << shift..<(block + 1) << shift {
        part = part.adding(Double(weights[i]) * unit, at: Double(values[i]) - offset)
      }
      total.weight.add(sign * part.weight)
      total.sum.add(sign * part.sum)
      total.squares.add(sign * part.squares)
    }
    func moments() -> Moments {
      Moments(
        weight: total.weight.value, sum: total.sum.value, squares: total.squares.value)
    }
    let middle = centre >> shift
    for block in stride(from: middle + 1, to: blocks.count, by: 1) {
      add(block - 1, 1)
      blocks[block] = moments()
    }
    total = (CompensatedSum(), CompensatedSum(), CompensatedSum())
    for block in stride(from: middle - 1, through: 0, by: -1) {
      add(block, -1)
      blocks[block] = moments()
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
