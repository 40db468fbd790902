package import Graph

/// What compression would lose, told from a sample of each tensor.
package enum ExpectedErrors {
  /// Values of a tensor that are compressed to tell what compressing all of them would lose.
  static let sampleCount = 1 << 16

  static func squares(_ values: [Float]) -> Double {
    values.reduce(0) { $0 + Double($1) * Double($1) }
  }

  /// ‖w − ŵ‖ / ‖w‖ of each planned tensor, in their order; nil for those that compression refuses.
  ///
  /// Channels evenly spread over a tensor are compressed as the whole would be. Where one scale is
  /// for all of them, the one with the largest value is among them.
  ///
  /// - Throws: what the source throws.
  package static func measure(
    _ planned: [PlannedTensor], from source: any WeightSource, jobs: Int
  ) throws -> [Double?] {
    let work = CompressionWork(source: source, jobs: 1)
    return try Parallel.map(planned.count, jobs: max(1, jobs)) { index in
      Result { try work.expectedError(planned[index]) }
    }.map { try $0.get() }
  }
}

extension CompressionWork {
  fileprivate func expectedError(_ planned: PlannedTensor) throws -> Double? {
    guard source.shape(of: planned.name) != nil else { return nil }
    if planned.asked == nil, planned.floats == .float32 { return 0 }
    let values = try source.floats(of: planned.name)
    guard values.count == planned.reference.elementCount else { return nil }
    let sample = ChannelSample(planned, values)
    guard case .compressed(let tensor) = compress(sample.planned, sample.values) else { return nil }
    // Channels that were left out lose as much; what all values amount to is known.
    let share = Double(values.count) / Double(max(1, sample.values.count))
    let total = ExpectedErrors.squares(values)
    guard total > 0 else { return tensor.relativeError }
    let part = ExpectedErrors.squares(sample.values) * share / total
    return tensor.relativeError * part.squareRoot()
  }
}

/// Some channels of a tensor as a tensor of their own.
struct ChannelSample {
  let planned: PlannedTensor
  let values: [Float]

  /// Takes whole groups of channels, evenly spread, until there are enough values.
  init(_ planned: PlannedTensor, _ values: [Float]) {
    let reference = planned.reference
    let unit = Self.unit(of: planned)
    let units = reference.channels / unit
    let most = max(1, ExpectedErrors.sampleCount * units / max(1, values.count))
    guard reference.hasChannels, units > most else {
      (self.planned, self.values) = (planned, values)
      return
    }
    var chosen = (0..<most).map { $0 * units / most }
    let inner = reference.shape.dropFirst(reference.role.channelAxis + 1).reduce(1, *)
    if Self.hasOneScale(planned), let largest = Self.largest(values) {
      let one = largest / inner % reference.channels / unit
      if !chosen.contains(one) { chosen = (chosen + [one]).sorted() }
    }
    let outer = values.count / (reference.channels * inner)
    let length = unit * inner
    self.values = (0..<outer).flatMap { block in
      chosen.flatMap { place -> ArraySlice<Float> in
        let start = block * reference.channels * inner + place * length
        return values[start..<start + length]
      }
    }
    var shape = reference.shape
    shape[reference.role.channelAxis] = chosen.count * unit
    self.planned = planned.resized(
      to: WeightReference(reference.name, shape, role: reference.role))
  }

  /// Channels that cannot be taken apart.
  private static func unit(of planned: PlannedTensor) -> Int {
    guard case .palette(let scheme) = planned.scheme else { return 1 }
    if case .perGroup(let size) = scheme.granularity { return size }
    return scheme.width
  }

  private static func hasOneScale(_ planned: PlannedTensor) -> Bool {
    guard case .linear(let scheme) = planned.scheme else { return false }
    return scheme.granularity == .perTensor
  }

  private static func largest(_ values: [Float]) -> Int? {
    values.indices.max { values[$0].magnitude < values[$1].magnitude }
  }
}
