import Graph

/// Gathers the statistics of a tensor whose values come piece by piece.
package struct StatisticsScan {
  private let elementCount: Int
  private var mask: MaskScan?
  private var hash = ContentHash.State()
  private var scan: ValueScan
  private var distinct = FewValues.Collector(.float32)
  private var areWhole = true
  private let inputCount: Int
  private var deadInputs: DeadPlaces?

  /// - Parameters:
  ///   - axes: of the channels, and of the inputs that each of them sums over; nil if the tensor
  ///     has none, or they are not needed.
  package init(elementCount: Int, shape: [Int], axes: (channels: Int, inputs: Int)?) {
    self.elementCount = elementCount
    mask = MaskScan(shape: shape)
    let layouts = Layouts(elementCount, shape, axes)
    scan = ValueScan(elementCount: elementCount, layouts.channels)
    inputCount = layouts.inputs?.groups ?? 0
    deadInputs = layouts.inputs.map(DeadPlaces.init)
  }

  /// Bytes that such a scan needs in addition to the pieces; a few for most shapes.
  package static func byteCount(
    elementCount: Int, shape: [Int], axes: (channels: Int, inputs: Int)?
  ) -> Int {
    let layouts = Layouts(elementCount, shape, axes)
    return (layouts.channels.map(ValueScan.byteCount) ?? 0) + 4 * (layouts.inputs?.groups ?? 0)
  }

  /// The layouts around both axes, if the shape has them.
  private struct Layouts {
    let channels: RunLayout?
    let inputs: RunLayout?

    init(_ elementCount: Int, _ shape: [Int], _ axes: (channels: Int, inputs: Int)?) {
      // Channels without values have no statistics, even if the shape has many of them.
      channels =
        elementCount == 0
        ? nil
        : axes.flatMap { RunLayout(shape: shape, axis: $0.channels) }
          .flatMap { $0.elementCount == elementCount ? $0 : nil }
      inputs = channels == nil ? nil : axes.flatMap { RunLayout(shape: shape, axis: $0.inputs) }
    }
  }

  /// Takes the next values; all calls but the last take a multiple of eight.
  package mutating func add(_ values: Span<Float>) {
    if mask?.add(values) == false { mask = nil }
    hash.add(values)
    _ = distinct.add(values)
    unsafe values.withUnsafeBufferPointer { values in
      unsafe scan.add(values)
      unsafe deadInputs?.add(values)
      areWhole = unsafe areWhole && StatisticsScan.areWhole(values)
    }
  }

  private static func areWhole(_ values: UnsafeBufferPointer<Float>) -> Bool {
    // From 2²⁴ on every float is whole, which says nothing.
    unsafe values.allSatisfy { $0.magnitude < 0x1p24 && $0 == $0.rounded(.towardZero) }
  }

  /// The statistics of all values.
  package consuming func finish() -> TensorStatistics {
    let channels = scan.finishChannels()
    return TensorStatistics(
      elementCount: elementCount, scan, channels: channels, deadInputs: deadInputs,
      inputCount: inputCount, mask: mask?.pattern, distinctValues: distinct.finish()?.values.count,
      areWhole: areWhole, hash: hash.finish())
  }
}
