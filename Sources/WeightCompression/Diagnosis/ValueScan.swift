/// Goes over a tensor's values once, channel by channel where channels lie together.
struct ValueScan {
  private(set) var finite = ValueRun()
  private(set) var nonFinite = NonFiniteValues()
  private(set) var large = LargeValues()
  private(set) var channels: ChannelStatistics?

  /// Shorter stretches of one channel are not worth a scan of their own.
  private static let leastRun = 16

  /// - Parameter layout: around the axis of the channels, or nil.
  init(_ values: UnsafeBufferPointer<Float>, _ layout: AxisLayout?) {
    guard let layout else {
      finite = run(values, 0..<values.count)
      return
    }
    if layout.inner >= ValueScan.leastRun {
      addRuns(values, layout)
    } else {
      finite = run(values, 0..<values.count)
      if nonFinite.count == 0 { channels = StridedChannels.scan(values, layout) }
    }
  }

  private mutating func addRuns(_ values: UnsafeBufferPointer<Float>, _ layout: AxisLayout) {
    var runs = [ValueRun](repeating: ValueRun(), count: layout.length)
    var start = 0
    for _ in 0..<layout.outer {
      for channel in 0..<layout.length {
        runs[channel].merge(run(values, start..<start + layout.inner))
        start += layout.inner
      }
    }
    var statistics = ChannelStatistics(count: layout.length)
    for (channel, run) in runs.enumerated() {
      finite.merge(run)
      statistics.add(channel, run, valuesPerChannel: layout.valuesPerPlace)
    }
    channels = statistics
  }

  // The finite values of a stretch; the others and the large ones are counted.
  private mutating func run(
    _ values: UnsafeBufferPointer<Float>, _ range: Range<Int>
  ) -> ValueRun {
    var run = ValueRun()
    var start = range.lowerBound
    while start < range.upperBound {
      let end = min(start + ValueRun.blockLength, range.upperBound)
      let block = UnsafeBufferPointer(rebasing: values[start..<end])
      let largest = ValueScan.largestMagnitude(block)
      if largest >= HalfLimits.overflow.bitPattern { large.add(block, from: start) }
      if largest < Float.infinity.bitPattern {
        run.merge(ValueRun(block))
      } else {
        let finite = nonFinite.sort(block, from: start)
        run.merge(finite.withUnsafeBufferPointer { ValueRun($0) })
      }
      start = end
    }
    return run
  }

  /// The bits of the largest magnitude; those of NaN are the largest of all.
  private static func largestMagnitude(_ values: UnsafeBufferPointer<Float>) -> UInt32 {
    let bytes = UnsafeRawBufferPointer(values)
    var lanes = SIMD8<Int32>.zero
    var index = 0
    while index + 8 <= values.count {
      let bits = bytes.loadUnaligned(fromByteOffset: 4 * index, as: SIMD8<Int32>.self)
      let magnitude = bits & 0x7fff_ffff
      lanes.replace(with: magnitude, where: magnitude .> lanes)
      index += 8
    }
    var largest = UInt32(lanes.max())
    for i in index..<values.count { largest = max(largest, values[i].bitPattern & 0x7fff_ffff) }
    return largest
  }
}
