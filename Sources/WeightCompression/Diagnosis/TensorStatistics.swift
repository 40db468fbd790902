/// What there is to know of a tensor's values before anything is made of them.
///
/// Takes the values once; what only odd tensors need (masks, few distinct values, whole numbers) is
/// given up at the first value that speaks against it.
package struct TensorStatistics: Sendable {
  package let elementCount: Int
  package private(set) var nonFinite = NonFiniteValues()
  package private(set) var large = LargeValues()
  /// Nil unless channels were asked for and the shape has them.
  package private(set) var channels: ChannelStatistics?
  /// Places of the input axis where every value is zero; nil as `channels`.
  package private(set) var deadInputs: ChannelStatistics.Kind?
  /// Length of the input axis, where channels were asked for.
  package private(set) var inputCount = 0
  package let mask: MaskPattern?
  /// How many distinct values there are; nil when there are more than a palette holds, or not all
  /// are finite.
  package let distinctValues: Int?
  /// Whether all values are whole numbers below 2²⁴.
  package let areWhole: Bool
  package let hash: ContentHash
  private var finite = ValueRun()

  /// - Parameters:
  ///   - values: row-major, as many as the shape says.
  ///   - axes: of the channels, and of the inputs that each of them sums over; nil where the tensor
  ///     has none, or nobody asks.
  package init(_ values: [Float], shape: [Int], axes: (channels: Int, inputs: Int)? = nil) {
    elementCount = values.count
    mask = MaskPattern.found(in: values, shape: shape)
    hash = ContentHash(values)
    // Channels without values have nothing to tell, however many the shape says there are.
    let layout =
      values.isEmpty
      ? nil
      : axes.flatMap { AxisLayout(shape, axis: $0.channels) }
        .flatMap { $0.length * $0.valuesPerPlace == values.count ? $0 : nil }
    let scan = values.withUnsafeBufferPointer { ValueScan($0, layout) }
    (finite, nonFinite, large) = (scan.finite, scan.nonFinite, scan.large)
    channels = scan.channels
    let isFinite = scan.nonFinite.count == 0
    distinctValues =
      isFinite ? Palettizer.distinctCount(values, .float32) : nil
    areWhole = isFinite && TensorStatistics.areWhole(values)
    if let axes, layout != nil, let inputs = AxisLayout(shape, axis: axes.inputs) {
      inputCount = inputs.length
      deadInputs = DeadPlaces.found(in: values, inputs)
    }
  }

  /// The least and greatest finite value; infinite, the wrong way round, where there is none.
  package var minimum: Float { finite.minimum }
  package var maximum: Float { finite.maximum }
  /// Moments of the finite values.
  package var moments: CentralMoments { finite.moments }
  /// Distance of the farthest finite value from the mean, in standard deviations; nil where all are
  /// equal.
  package var peak: Double? { finite.peak }
  /// Values that are zero, of either sign.
  package var zeros: Int { finite.zeros }
  /// Values that are not zero and become so in halves.
  package var vanishing: Int { finite.vanishing }
  /// Other values that become subnormal halves.
  package var subnormal: Int { finite.subnormal }
  /// Whether there are two values at least, all finite and equal.
  package var isConstant: Bool {
    elementCount > 1 && nonFinite.count == 0 && minimum == maximum
  }

  private static func areWhole(_ values: [Float]) -> Bool {
    // From 2²⁴ on every float is whole, which says nothing.
    values.allSatisfy { $0.magnitude < 0x1p24 && $0 == $0.rounded(.towardZero) }
  }
}

/// Looks for places of an axis where every value is zero.
enum DeadPlaces {
  static func found(in values: [Float], _ layout: AxisLayout) -> ChannelStatistics.Kind {
    var bits = [UInt32](repeating: 0, count: layout.length)
    values.withUnsafeBufferPointer { values in
      bits.withUnsafeMutableBufferPointer { collect(values, layout, into: $0) }
    }
    var dead = ChannelStatistics.Kind()
    guard layout.valuesPerPlace > 0 else { return dead }
    for place in bits.indices where bits[place] & 0x7fff_ffff == 0 { dead.add(place) }
    return dead
  }

  // A value is ±0 where no bit but the sign is set.
  private static func collect(
    _ values: UnsafeBufferPointer<Float>, _ layout: AxisLayout,
    into bits: UnsafeMutableBufferPointer<UInt32>
  ) {
    var start = 0
    for _ in 0..<layout.outer {
      if layout.inner == 1 {
        for place in 0..<layout.length { bits[place] |= values[start + place].bitPattern }
        start += layout.length
      } else {
        for place in 0..<layout.length {
          for index in start..<start + layout.inner { bits[place] |= values[index].bitPattern }
          start += layout.inner
        }
      }
    }
  }
}
