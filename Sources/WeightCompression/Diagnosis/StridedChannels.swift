/// Channels whose values lie apart, as the columns of a matrix [in, out] do.
enum StridedChannels {
  /// Sums of every channel, kept side by side so that a row of values is added in one loop.
  private struct Sums {
    var origin: [Float]
    var low: [Float]
    var high: [Float]
    var s1: [Double]
    var s2: [Double]
    var s3: [Double]
    var s4: [Double]

    init(origin: [Float]) {
      self.origin = origin
      (low, high) = (origin, origin)
      s1 = [Double](repeating: 0, count: origin.count)
      (s2, s3, s4) = (s1, s1, s1)
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

  /// Statistics of the channels of finite values.
  static func scan(
    _ values: UnsafeBufferPointer<Float>, _ layout: AxisLayout
  ) -> ChannelStatistics {
    var statistics = ChannelStatistics(count: layout.length)
    guard layout.valuesPerPlace > 0 else { return statistics }
    var sums = Sums(origin: (0..<layout.length).map { values[$0 * layout.inner] })
    var index = 0
    for _ in 0..<layout.outer {
      for channel in 0..<layout.length {
        for _ in 0..<layout.inner {
          sums.add(channel, values[index])
          index += 1
        }
      }
    }
    for channel in 0..<layout.length {
      statistics.add(
        channel, sums.run(channel, count: layout.valuesPerPlace),
        valuesPerChannel: layout.valuesPerPlace)
    }
    return statistics
  }
}
