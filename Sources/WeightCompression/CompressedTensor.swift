package import Graph

/// A weight as it will be stored, and what storing it so costs.
package struct CompressedTensor: Sendable {
  /// The stored numbers; elements are row-major.
  package enum Content: Equatable, Sendable {
    /// As they were, but for their float type.
    case kept([Float])
    /// One scale for all, or one per channel of the role's channel axis.
    case int8(codes: [Int8], scales: [Float])
    /// Indices of `bits` bits packed by `BitPacking`; `groups` tables of 2^bits floats, ascending,
    /// whose unused last entries repeat the last used one. Groups are equally many consecutive
    /// channels.
    case palette(indices: [UInt8], bits: Int, palettes: [Float], groups: Int)
  }

  package let reference: WeightReference
  package let content: Content
  /// Type of the stored floats: scales, palette entries, kept values.
  package let floats: FloatWidth
  /// ‖w − ŵ‖ / ‖w‖ in Double, ŵ being what `dequantized` gives; 0 where nothing was lost or all
  /// values are zero.
  package let relativeError: Double

  package var name: String { reference.name }
  package var shape: [Int] { reference.shape }
  package var role: WeightRole { reference.role }

  /// Puts a tensor together from stored parts, whose floats have the type `floats` already.
  ///
  /// - Throws: `CompressionError.inconsistent` when the parts' sizes do not fit the shape.
  package init(
    _ reference: WeightReference, _ content: Content, floats: FloatWidth = .float32,
    relativeError: Double
  ) throws(CompressionError) {
    self.init(unchecked: reference, content, floats, relativeError: relativeError)
    try check()
  }

  init(
    unchecked reference: WeightReference, _ content: Content, _ floats: FloatWidth,
    relativeError: Double
  ) {
    self.reference = reference
    self.content = content
    self.floats = floats
    self.relativeError = relativeError
  }

  /// How it is stored; nil where it is kept as it was.
  package var scheme: Scheme? {
    switch content {
    case .kept: nil
    case .int8(_, let scales): .int8(groups: scales.count)
    case .palette(_, let bits, _, let groups):
      .palette(bits: bits, groups: groups, channels: reference.channels)
    }
  }

  /// A phrase for listings: the scheme's, or "kept".
  package var schemeLabel: String { scheme?.label ?? "kept" }

  /// Bits per stored element, without scales and palettes.
  package var bits: Int { scheme?.bits ?? 8 * floats.byteCount }

  /// Bytes as stored, scales and palettes included.
  package var byteCount: Int {
    switch content {
    case .kept(let values): floats.byteCount * values.count
    case .int8(let codes, let scales): codes.count + floats.byteCount * scales.count
    case .palette(let indices, _, let palettes, _):
      indices.count + floats.byteCount * palettes.count
    }
  }

  private func check() throws(CompressionError) {
    let count = reference.elementCount
    let channels = reference.channels
    switch content {
    case .kept(let values): try expect("values", values.count, count)
    case .int8(let codes, let scales):
      try expect("codes", codes.count, count)
      if scales.count != 1 { try expect("scales", scales.count, channels) }
    case .palette(let indices, let bits, let palettes, let groups):
      guard Scheme.paletteBits.contains(bits) else { throw .unknownPaletteBits(bits) }
      let isDivisor = groups == 0 ? channels == 0 : groups > 0 && channels % groups == 0
      guard groups == 1 || isDivisor else {
        throw .groupCount(tensor: name, groups: groups, channels: channels)
      }
      try expect("bytes of indices", indices.count, BitPacking.byteCount(count, bits: bits))
      try expect("palette entries", palettes.count, groups << bits)
    }
  }

  private func expect(_ part: String, _ count: Int, _ expected: Int) throws(CompressionError) {
    guard count != expected else { return }
    throw .inconsistent(tensor: name, part: part, count: count, expected: expected)
  }

  /// Which elements share a scale or palette.
  var layout: RunLayout {
    let groups =
      switch content {
      case .kept: 1
      case .int8(_, let scales): scales.count
      case .palette(_, _, _, let groups): groups
      }
    guard groups > 1 else { return .whole(reference.elementCount) }
    return .grouped(shape: shape, axis: role.channelAxis, size: reference.channels / groups)
  }
}
