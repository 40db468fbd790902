import Graph

/// Statistics of channels whose values are not contiguous, such as the columns of a matrix [in,
/// out], or form runs too short for a scan each; the values come piece by piece.
struct StridedChannels {
  /// Sums of every channel, kept side by side so that a row of values is added in one loop.
  private struct Sums {
    var origin: [Float]
    var low: [Float]
    var high: [Float]
    var s1: [Double]
    var s2: [Double]
    var s3: [Double]
    var s4: [Double]

    init(count: Int) {
      origin = [Float](repeating: 0, count: count)
      (low, high) = (origin, origin)
      s1 = [Double](repeating: 0, count: count)
      (s2, s3, s4) = (s1, s1, s1)
    }

    /// Takes the first value of a channel, which its sums are about.
    mutating func begin(_ channel: Int, _ value: Float) {
      origin[channel] = value
      (low[channel], high[channel]) = (value, value)
      (s1[channel], s2[channel], s3[channel], s4[channel]) = (0, 0, 0, 0)
    }

    @inline(__always)
    mutating func add(_ channel: Int, _ value: Float) {
      low[channel] = min(low[channel], value)
      high[channel] = max(high[channel], value)
      let d = Double(value) - Double(origin[channel])
      let square = d * d
      s1[channel] += d
      s2[channel] += square
      s3[channel] += square * d
      s4[channel] += square * square
    }

    func run(_ channel: Int, count: Int) -> ValueRun {
      ValueRun(
        minimum: low[channel], maximum: high[channel],
        moments: CentralMoments(
          count: Double(count), origin: Double(origin[channel]), s1[channel], s2[channel],
          s3[channel], s4[channel]))
    }
  }

  private let layout: RunLayout
  /// Of all channels; where each is done before the next one begins, of one.
  private var sums: Sums
  private var statistics: ChannelStatistics
  /// The channel that the next value is of, how many it has had in this turn, and the turn.
  private var channel = 0
  private var offset = 0
  private var turn = 0

  init(_ layout: RunLayout) {
    self.layout = layout
    statistics = ChannelStatistics(count: layout.groups)
    sums = Sums(count: layout.runsPerGroup == 1 ? 1 : layout.groups)
  }

  /// Bytes for the sums of all channels.
  static func byteCount(_ layout: RunLayout) -> Int {
    layout.runsPerGroup == 1 ? 0 : 44 * layout.groups
  }

  /// Takes the next values, all of them finite; without that, no statistics are given.
  mutating func add(_ values: UnsafeBufferPointer<Float>) {
    if layout.runsPerGroup == 1 {
      for i in values.indices { unsafe addInOrder(values[i]) }
    } else if layout.runLength == 1, turn > 0 {
      unsafe addRows(values)
    } else {
      for i in values.indices { unsafe addInTurns(values[i]) }
    }
  }

  // One value of each channel, repeatedly, in loops of their own: most such tensors are like this.
  private mutating func addRows(_ values: UnsafeBufferPointer<Float>) {
    var start = 0
    while start < values.count {
      let count = min(layout.groups - channel, values.count - start)
      for i in 0..<count { unsafe sums.add(channel + i, values[start + i]) }
      start += count
      channel = (channel + count) % layout.groups
    }
  }

  private mutating func addInOrder(_ value: Float) {
    if offset == 0 { sums.begin(0, value) }
    sums.add(0, value)
    offset += 1
    guard offset == layout.runLength else { return }
    statistics.add(
      channel, sums.run(0, count: layout.runLength), valuesPerChannel: layout.groupCount)
    (channel, offset) = (channel + 1, 0)
  }

  private mutating func addInTurns(_ value: Float) {
    if turn == 0, offset == 0 { sums.begin(channel, value) }
    sums.add(channel, value)
    offset += 1
    guard offset == layout.runLength else { return }
    (channel, offset) = (channel + 1, 0)
    if channel == layout.groups { (channel, turn) = (0, turn + 1) }
  }

  /// Statistics of all channels.
  func finish() -> ChannelStatistics {
    guard layout.runsPerGroup > 1, layout.groupCount > 0 else { return statistics }
    var statistics = statistics
    for channel in 0..<layout.groups {
      statistics.add(
        channel, sums.run(channel, count: layout.groupCount),
        valuesPerChannel: layout.groupCount)
    }
    return statistics
  }
}
