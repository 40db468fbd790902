/// The thresholds of findings. `specs/formats/inspect.md` has them with reasons.
package enum Thresholds {
  /// Tails of a tensor: both must be reached. A normal distribution has 0, and some 5 for a million
  /// values; a matrix of a trained encoder rarely has more than 2 and 10.
  package static let tensorKurtosis = 10.0
  package static let tensorPeak = 20.0
  /// Tails of a channel: both must be reached. At 12 standard deviations, integers of four bits
  /// with a scale per channel round everything below 0.86 of one to zero, six in ten values.
  package static let channelKurtosis = 10.0
  package static let channelPeak = 12.0
  /// Share of the nonzero values that become zero in float16.
  package static let vanishingShare = 0.01
  /// Share of the values that become subnormal float16 values.
  package static let subnormalShare = 0.25
  /// Fewer values are not worth a palette of their own.
  package static let paletteElements = 2048
  /// Fewer whole numbers may be so by chance.
  package static let wholeNumbers = 16
  /// This number and all below it mean "minus infinity" in a mask.
  package static let maskValue: Float = -1e4
  /// Side of the smallest mask of ones and zeros; smaller matrices may look like one by chance.
  package static let maskOfOnes = 4
}
