/// Statistics of a tensor's values, taken before anything is done with them.
///
/// The values come piece by piece (`StatisticsScan`); measurements that only odd tensors need
/// (masks, few distinct values, whole numbers) stop at the first value that speaks against them.
package struct TensorStatistics: Sendable {
  package let elementCount: Int
  package let nonFinite: NonFiniteValues
  package let large: LargeValues
  /// Nil unless channels were requested and the shape has them.
  package let channels: ChannelStatistics?
  /// Places of the input axis where every value is zero; nil as `channels`.
  package let deadInputs: ChannelStatistics.Kind?
  /// Length of the input axis, if channels were requested.
  package let inputCount: Int
  package let mask: MaskPattern?
  /// Number of distinct values; nil if a palette cannot hold them all, or not all are finite.
  package let distinctValues: Int?
  /// Whether all values are whole numbers below 2²⁴.
  package let areWhole: Bool
  package let hash: ContentHash
  private let finite: ValueRun

  /// - Parameters:
  ///   - values: row-major, as many as the shape says.
  ///   - axes: as for `StatisticsScan`.
  package init(_ values: [Float], shape: [Int], axes: (channels: Int, inputs: Int)? = nil) {
    var scan = StatisticsScan(elementCount: values.count, shape: shape, axes: axes)
    scan.add(values.span)
    self = scan.finish()
  }

  /// The result of a scan.
  init(
    elementCount: Int, _ scan: ValueScan, channels: ChannelStatistics?, deadInputs: DeadPlaces?,
    inputCount: Int, mask: MaskPattern?, distinctValues: Int?, areWhole: Bool, hash: ContentHash
  ) {
    let isFinite = scan.nonFinite.count == 0
    self.elementCount = elementCount
    (finite, nonFinite, large) = (scan.finite, scan.nonFinite, scan.large)
    self.channels = channels
    self.deadInputs = deadInputs?.found
    self.inputCount = inputCount
    self.mask = mask
    self.distinctValues = isFinite ? distinctValues : nil
    self.areWhole = isFinite && areWhole
    self.hash = hash
  }

  /// The least and greatest finite value; without any, +∞ and −∞ respectively.
  package var minimum: Float { finite.minimum }
  package var maximum: Float { finite.maximum }
  /// Moments of the finite values.
  package var moments: CentralMoments { finite.moments }
  /// Distance of the farthest finite value from the mean, in standard deviations; nil if all are
  /// equal.
  package var peak: Double? { finite.peak }
  /// Values that are zero, of either sign.
  package var zeros: Int { finite.zeros }
  /// Nonzero values that become zero in float16.
  package var vanishing: Int { finite.vanishing }
  /// Other values that become subnormal float16 values.
  package var subnormal: Int { finite.subnormal }
  /// Whether the tensor has at least two values, all finite and equal.
  package var isConstant: Bool {
    elementCount > 1 && nonFinite.count == 0 && minimum == maximum
  }
}
