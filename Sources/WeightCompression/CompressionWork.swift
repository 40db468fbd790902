import Graph

/// Checks and compresses single tensors.
struct CompressionWork: Sendable {
  let source: any WeightSource
  let options: CompressionOptions
  let jobs: Int

  /// What came of one tensor.
  enum Outcome: Sendable {
    case compressed(CompressedTensor)
    case refused(TensorRefusal)
    /// Found sound, and left at that because another tensor was refused.
    case checked
  }

  /// Compresses one tensor, or only looks for reasons to refuse it.
  func run(_ reference: WeightReference, checkOnly: Bool) throws -> Outcome {
    if let fault = shapeFault(reference) { return refusal(reference, fault) }
    let values = try source.floats(of: reference.name)
    if let fault = valueFault(reference, values) { return refusal(reference, fault) }
    if checkOnly { return .checked }
    let content = content(reference, values)
    let floats = options.floats(of: reference.role)
    let bare = CompressedTensor(unchecked: reference, content, floats, relativeError: 0)
    let error = bare.relativeError(of: values)
    return .compressed(
      CompressedTensor(unchecked: reference, content, floats, relativeError: error))
  }

  private func refusal(_ reference: WeightReference, _ fault: TensorRefusal.Fault) -> Outcome {
    .refused(TensorRefusal(name: reference.name, fault: fault))
  }

  private func content(_ reference: WeightReference, _ values: [Float]) -> CompressedTensor.Content
  {
    let floats = options.floats(of: reference.role)
    guard let scheme = options.scheme(of: reference.role) else {
      return .kept(floats.rounded(values))
    }
    let layout = scheme.layout(of: reference)
    switch scheme {
    case .int8:
      let (codes, scales) = Int8Linear.quantize(values, layout, floats: floats)
      return .int8(codes: codes, scales: scales)
    case .palette(let bits, _):
      let (indices, palettes) = Palettes.palettize(
        values, layout, bits: bits, jobs: jobs, floats: floats)
      return .palette(indices: indices, bits: bits, palettes: palettes, groups: layout.groups)
    }
  }

  /// What can be said without reading values.
  private func shapeFault(_ reference: WeightReference) -> TensorRefusal.Fault? {
    guard let stored = source.shape(of: reference.name) else { return .missing }
    let needed = reference.shape
    guard Model.matches(stored: stored, needed: needed) else {
      return .shape(stored: stored, needed: needed)
    }
    return options.scheme(of: reference.role)?.fault(of: reference)
  }

  private func valueFault(
    _ reference: WeightReference, _ values: [Float]
  ) -> TensorRefusal.Fault? {
    guard values.count == reference.elementCount else {
      return .valueCount(values.count, needed: reference.elementCount)
    }
    let limit = options.floats(of: reference.role).overflow
    guard !Magnitudes.all(of: values, below: limit) else { return nil }
    let faults = values.indices.filter { !values[$0].isFinite }
    if let first = faults.first { return .nonFinite(count: faults.count, firstIndex: first) }
    return tooLarge(values, limit)
  }

  /// The fault of finite values, some of which reach `limit`.
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
    return values.withUnsafeBytes { bytes in
      var largest = SIMD16<UInt32>(repeating: 0)
      var offset = 0
      while offset + 64 <= bytes.count {
        let bits = bytes.loadUnaligned(fromByteOffset: offset, as: SIMD16<UInt32>.self)
        largest = pointwiseMax(largest, bits & 0x7fff_ffff)
        offset += 64
      }
      var isBelow = largest.max() < limit
      while offset < bytes.count {
        let bits = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
        isBelow = isBelow && bits & 0x7fff_ffff < limit
        offset += 4
      }
      return isBelow
    }
  }
}
