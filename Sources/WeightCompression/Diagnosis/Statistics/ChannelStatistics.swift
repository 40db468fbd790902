/// Statistics of each channel of a matrix or table.
package struct ChannelStatistics: Hashable, Sendable {
  /// The number of channels of a kind, and the first of them.
  package struct Kind: Hashable, Sendable {
    package private(set) var count = 0
    package private(set) var first: Int?

    mutating func add(_ channel: Int) {
      count += 1
      first = first ?? channel
    }
  }

  /// The channel with the farthest value of all.
  package struct Worst: Hashable, Sendable {
    package let index: Int
    /// Distance of its farthest value from its mean, in its standard deviations.
    package let peak: Double
    package let excessKurtosis: Double
  }

  package let count: Int
  /// All zero.
  package private(set) var zero = Kind()
  /// All of one value that is not zero; not of channels of a single value.
  package private(set) var constant = Kind()
  /// With tails past `Thresholds.channelKurtosis` and `Thresholds.channelPeak`.
  package private(set) var heavy = Kind()
  /// Nil if all channels are constant.
  package private(set) var worst: Worst?

  init(count: Int) { self.count = count }

  /// Takes the next channel; one with values that are not finite is passed over.
  mutating func add(_ channel: Int, _ run: ValueRun, valuesPerChannel: Int) {
    guard run.moments.count == Double(valuesPerChannel), valuesPerChannel > 0 else { return }
    if run.minimum == run.maximum {
      if run.minimum == 0 {
        zero.add(channel)
      } else if valuesPerChannel > 1 {
        constant.add(channel)
      }
      return
    }
    guard let peak = run.peak, let kurtosis = run.moments.excessKurtosis else { return }
    if peak >= Thresholds.channelPeak, kurtosis >= Thresholds.channelKurtosis {
      heavy.add(channel)
    }
    guard peak > worst?.peak ?? 0 else { return }
    worst = Worst(index: channel, peak: peak, excessKurtosis: kurtosis)
  }
}
