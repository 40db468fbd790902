import Files
import Graph
import StrictJSON
import Weights

/// Checks and compresses single tensors.
struct CompressionWork: Sendable {
  let source: any WeightSource
  /// Threads inside a tensor that is large.
  let jobs: Int
  /// How far palettes are searched for.
  var effort = ClusteringEffort.least

  /// The result for one tensor.
  enum Outcome: Sendable {
    case compressed(CompressedTensor)
    case refused(TensorRefusal)
    /// Sound, but not compressed because another tensor was refused.
    case checked
  }

  /// Compresses one tensor, or only looks for reasons to refuse it.
  func run(_ planned: PlannedTensor, checkOnly: Bool) throws -> Outcome {
    let reference = planned.reference
    if let fault = shapeFault(reference) { return refusal(reference, fault) }
    if !checkOnly { try requireMemory(for: planned) }
    let values = try source.floats(of: reference.name)
    if checkOnly {
      return valueFault(planned, values).map { refusal(reference, $0) } ?? .checked
    }
    return compress(planned, values)
  }

  /// Compresses values, or refuses them with a reason.
  func compress(_ planned: PlannedTensor, _ values: [Float]) -> Outcome {
    let reference = planned.reference
    if let fault = valueFault(planned, values) { return refusal(reference, fault) }
    return .compressed(
      CompressedTensor(
        made: content(planned, values), of: reference, floats: planned.floats, from: values))
  }

  private func refusal(_ reference: WeightReference, _ fault: TensorRefusal.Fault) -> Outcome {
    .refused(TensorRefusal(name: reference.name, fault: fault))
  }

  private func content(
    _ planned: PlannedTensor, _ values: [Float]
  ) -> CompressedTensor.Content {
    // Thresholds are chosen by what they decide, which is not known here.
    guard let scheme = planned.requested, planned.role != .threshold else {
      return .uncompressed(planned.floats.rounded(values))
    }
    let jobs = values.count < Self.largeCount ? 1 : jobs
    return content(scheme, planned.reference, planned.floats, values, jobs: jobs)
  }

  private func content(
    _ scheme: Scheme, _ reference: WeightReference, _ floats: FloatType, _ values: [Float],
    jobs: Int
  ) -> CompressedTensor.Content {
    switch scheme {
    case .palette(let palette):
      .palette(
        Palettizer.palettize(values, reference, palette, floats, effort: effort, jobs: jobs))
    case .split(let split):
      .split(
        split.codes(of: values, reference) { part, values in
          content(part.scheme, part.reference, floats, values, jobs: jobs)
        })
    case .linear, .unique, .narrow:
      scheme.own.compress(values, reference, floats, importance: nil, jobs: jobs)
    }
  }

  /// Elements from which a tensor is worth several threads; smaller ones share them.
  static let largeCount = 1 << 22

  /// A fault that shows without reading values.
  func shapeFault(_ reference: WeightReference) -> TensorRefusal.Fault? {
    guard let stored = source.shape(of: reference.name) else { return .missing }
    let needed = reference.shape
    guard Model.matches(stored: stored, needed: needed) else {
      return .shape(stored: stored, needed: needed)
    }
    return nil
  }

  private func valueFault(
    _ planned: PlannedTensor, _ values: [Float]
  ) -> TensorRefusal.Fault? {
    let reference = planned.reference
    guard values.count == reference.elementCount else {
      return .valueCount(values.count, needed: reference.elementCount)
    }
    let limit =
      planned.requested == .narrow(.float16) && reference.role != .threshold
      ? FloatType.float16.overflow
      : planned.floats.overflow
    guard !Magnitudes.all(of: values, below: limit) else { return nil }
    let faults = values.indices.filter { !values[$0].isFinite }
    if let first = faults.first { return .nonFinite(count: faults.count, firstIndex: first) }
    return tooLarge(values, limit)
  }

  /// The fault of finite values with magnitudes of `limit` or more.
  private func tooLarge(_ values: [Float], _ limit: Float) -> TensorRefusal.Fault {
    let places = values.indices.filter { values[$0].magnitude >= limit }
    let largest = places.reduce(places[0]) { best, place in
      values[place].magnitude > values[best].magnitude ? place : best
    }
    return .tooLarge(count: places.count, largest: values[largest], index: largest)
  }
}

/// Looks for values that are too large.
enum Magnitudes {
  /// Whether every magnitude is below a positive limit; that of NaN is not.
  static func all(of values: [Float], below limit: Float) -> Bool {
    // Without the sign bit, the bits of floats are in the order of their magnitudes, NaN the last.
    let limit = limit.bitPattern
    return unsafe values.withUnsafeBytes { bytes in
      var largest = SIMD16<UInt32>(repeating: 0)
      var offset = 0
      while offset + 64 <= bytes.count {
        let bits = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: SIMD16<UInt32>.self)
        largest = pointwiseMax(largest, bits & 0x7fff_ffff)
        offset += 64
      }
      var isBelow = largest.max() < limit
      while offset < bytes.count {
        let bits = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
        isBelow = isBelow && bits & 0x7fff_ffff < limit
        offset += 4
      }
      return isBelow
    }
  }
}

extension CompressionWork {
  /// Checks that there is memory to compress a weight.
  ///
  /// - Throws: `FileError.noMemory`.
  func requireMemory(for planned: PlannedTensor) throws {
    let count = planned.reference.elementCount
    try Memory.require(
      Self.peakBytes(of: planned, jobs: count < Self.largeCount ? 1 : jobs),
      for: "compressing tensor \(quoted(planned.name))",
      of: (source as? any WeightFile)?.files.first ?? "the weights")
  }

  /// Checks that there is memory for each of some weights, before work begins on any.
  func requireMemory(for planned: [PlannedTensor]) throws {
    let needs = planned.map { Self.peakBytes(of: $0, jobs: jobs) }
    guard let maximum = needs.indices.max(by: { needs[$0] < needs[$1] }) else { return }
    try requireMemory(for: planned[maximum])
  }

  /// Bytes at the peak of compressing one weight, estimated from its shape and scheme.
  ///
  /// - Parameter jobs: threads inside the weight.
  private static func peakBytes(of planned: PlannedTensor, jobs: Int) -> Int {
    planned.requested?.own.peakBytes(of: planned.reference, jobs: jobs)
      ?? 8 * planned.reference.elementCount
  }
}
