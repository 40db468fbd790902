import Graph

/// Scans a tensor's values once, channel by channel if channels are contiguous; the values come
/// piece by piece.
///
/// Runs are cut into blocks at the same places for any pieces, so that no digit of the results
/// depends on those.
struct ValueScan {
  private(set) var finite = ValueRun()
  private(set) var nonFinite = NonFiniteValues()
  private(set) var large = LargeValues()
  private var channels: Channels

  /// The way channels are scanned.
  private enum Channels {
    /// Not at all.
    case none
    /// Short runs: apart from everything else.
    case strided(StridedChannels)
    /// Long runs of values, one after the other, of channels that come once each.
    case inOrder(ChannelStatistics)
    /// The same of channels that come several times.
    case inTurns([ValueRun])
  }

  private let layout: RunLayout?
  /// Values of a run: all of the tensor's, or the contiguous ones of a channel.
  private let runLength: Int
  /// The current run: its index, its statistics so far, and the number of its values seen.
  private var runIndex = 0
  private var run = ValueRun()
  private var offset = 0
  /// Values taken so far, except those that wait for the rest of their block.
  private var position = 0
  private var waiting: [Float] = []

  /// Shorter stretches of one channel are not worth a scan of their own.
  private static let minRun = 16

  /// - Parameter layout: around the axis of the channels, or nil.
  init(elementCount: Int, _ layout: RunLayout?) {
    self.layout = layout
    guard let layout else {
      (runLength, channels) = (elementCount, .none)
      return
    }
    guard layout.runLength >= ValueScan.minRun else {
      (runLength, channels) = (elementCount, .strided(StridedChannels(layout)))
      return
    }
    runLength = layout.runLength
    channels =
      layout.runsPerGroup == 1
      ? .inOrder(ChannelStatistics(count: layout.groups))
      : .inTurns([ValueRun](repeating: ValueRun(), count: layout.groups))
  }

  /// Bytes that a scan needs in addition to a piece.
  static func byteCount(_ layout: RunLayout) -> Int {
    guard layout.runLength >= minRun else { return StridedChannels.byteCount(layout) }
    return layout.runsPerGroup == 1 ? 0 : layout.groups * MemoryLayout<ValueRun>.stride
  }

  /// Takes the next values.
  mutating func add(_ values: UnsafeBufferPointer<Float>) {
    if case .strided(var strided) = channels {
      channels = .none
      unsafe strided.add(values)
      channels = .strided(strided)
    }
    var start = 0
    while start < values.count {
      let missing = blockCount - waiting.count
      let end = min(start + missing, values.count)
      let part = unsafe UnsafeBufferPointer(rebasing: values[start..<end])
      if part.count == blockCount {
        unsafe addBlock(part)
      } else {
        unsafe waiting.append(contentsOf: part)
        if part.count == missing { addWaiting() }
      }
      start = end
    }
  }

  /// Values of the block that the next value is of.
  private var blockCount: Int { min(ValueRun.blockLength, runLength - offset) }

  private mutating func addWaiting() {
    let block = waiting
    waiting.removeAll(keepingCapacity: true)
    unsafe block.withUnsafeBufferPointer { unsafe addBlock($0) }
  }

  // The finite values of a block; the others and the large ones are counted.
  private mutating func addBlock(_ block: UnsafeBufferPointer<Float>) {
    let largest = unsafe ValueScan.largestMagnitude(block)
    if largest >= Float16Limits.overflow.bitPattern { unsafe large.add(block, from: position) }
    if largest < Float.infinity.bitPattern {
      unsafe run.merge(ValueRun(block))
    } else {
      let finite = unsafe nonFinite.sort(block, from: position)
      unsafe run.merge(finite.withUnsafeBufferPointer { unsafe ValueRun($0) })
    }
    position += block.count
    offset += block.count
    if offset == runLength { endRun() }
  }

  private mutating func endRun() {
    switch channels {
    case .none, .strided: finite.merge(run)
    case .inOrder(var statistics):
      channels = .none
      finite.merge(run)
      statistics.add(runIndex, run, valuesPerChannel: runLength)
      channels = .inOrder(statistics)
    case .inTurns(var runs):
      channels = .none
      runs[runIndex % runs.count].merge(run)
      channels = .inTurns(runs)
    }
    (run, offset, runIndex) = (ValueRun(), 0, runIndex + 1)
  }

  /// Statistics of the channels, once all values came; nil if not asked for, or if channels are not
  /// contiguous and some value is not finite.
  mutating func finishChannels() -> ChannelStatistics? {
    switch channels {
    case .none: return nil
    case .strided(let strided): return nonFinite.count == 0 ? strided.finish() : nil
    case .inOrder(let statistics): return statistics
    case .inTurns(let runs):
      var statistics = ChannelStatistics(count: runs.count)
      for (channel, run) in runs.enumerated() {
        finite.merge(run)
        statistics.add(channel, run, valuesPerChannel: layout?.groupCount ?? 0)
      }
      return statistics
    }
  }

  /// The bits of the largest magnitude; those of NaN are the largest of all.
  private static func largestMagnitude(_ values: UnsafeBufferPointer<Float>) -> UInt32 {
    let bytes = UnsafeRawBufferPointer(values)
    var lanes = SIMD8<Int32>.zero
    var index = 0
    while index + 8 <= values.count {
      let bits = unsafe bytes.loadUnaligned(fromByteOffset: 4 * index, as: SIMD8<Int32>.self)
      let magnitude = bits & 0x7fff_ffff
      lanes.replace(with: magnitude, where: magnitude .> lanes)
      index += 8
    }
    var largest = UInt32(lanes.max())
    for i in index..<values.count {
      largest = unsafe max(largest, values[i].bitPattern & 0x7fff_ffff)
    }
    return largest
  }
}
