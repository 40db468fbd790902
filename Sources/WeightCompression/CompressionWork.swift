import Graph

/// Checks and compresses single tensors.
struct CompressionWork: Sendable {
  let source: any WeightSource
  let scheme: Scheme
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
    let bare = CompressedTensor(unchecked: reference, content, relativeError: 0)
    let error = bare.relativeError(of: values)
    return .compressed(CompressedTensor(unchecked: reference, content, relativeError: error))
  }

  private func refusal(_ reference: WeightReference, _ fault: TensorRefusal.Fault) -> Outcome {
    .refused(TensorRefusal(name: reference.name, fault: fault))
  }

  private func content(_ reference: WeightReference, _ values: [Float]) -> CompressedTensor.Content
  {
    guard reference.role.isCompressible else { return .kept(values) }
    let layout = layout(reference)
    switch scheme {
    case .int8:
      let (codes, scales) = Int8Linear.quantize(values, layout)
      return .int8(codes: codes, scales: scales)
    case .palette(let bits, _):
      let (indices, palettes) = Palettes.palettize(values, layout, bits: bits, jobs: jobs)
      return .palette(indices: indices, bits: bits, palettes: palettes, groups: layout.groups)
    }
  }

  private func layout(_ reference: WeightReference) -> RunLayout {
    let size: Int
    switch scheme {
    case .int8(.perTensor), .palette(_, .perTensor): return .whole(reference.elementCount)
    case .int8(.perChannel): size = 1
    case .palette(_, .perGroup(let groupSize)): size = groupSize
    }
    return .grouped(shape: reference.shape, axis: reference.role.channelAxis, size: size)
  }

  /// What can be said without reading values.
  private func shapeFault(_ reference: WeightReference) -> TensorRefusal.Fault? {
    guard let stored = source.shape(of: reference.name) else { return .missing }
    let needed = reference.shape
    guard Model.matches(stored: stored, needed: needed) else {
      return .shape(stored: stored, needed: needed)
    }
    if reference.role.isCompressible, let size = scheme.groupSize,
      needed.indices.contains(reference.role.channelAxis)
    {
      let channels = needed[reference.role.channelAxis]
      if channels % size != 0 { return .groups(size: size, channels: channels) }
    }
    return nil
  }

  private func valueFault(
    _ reference: WeightReference, _ values: [Float]
  ) -> TensorRefusal.Fault? {
    guard values.count == reference.elementCount else {
      return .valueCount(values.count, needed: reference.elementCount)
    }
    guard !FiniteCheck.allFinite(values) else { return nil }
    let faults = values.indices.filter { !values[$0].isFinite }
    return .nonFinite(count: faults.count, firstIndex: faults[0])
  }
}

/// Looks for NaN and infinities.
enum FiniteCheck {
  /// Whether every value is finite.
  static func allFinite(_ values: [Float]) -> Bool {
    values.withUnsafeBytes { bytes in
      var largest = SIMD16<UInt32>(repeating: 0)
      var offset = 0
      while offset + 64 <= bytes.count {
        let bits = bytes.loadUnaligned(fromByteOffset: offset, as: SIMD16<UInt32>.self)
        largest = pointwiseMax(largest, bits & 0x7fff_ffff)
        offset += 64
      }
      var isFinite = largest.max() < 0x7f80_0000
      while offset < bytes.count {
        let bits = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
        isFinite = isFinite && bits & 0x7fff_ffff < 0x7f80_0000
        offset += 4
      }
      return isFinite
    }
  }
}
