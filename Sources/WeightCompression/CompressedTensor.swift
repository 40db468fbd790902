package import Graph

/// A weight as it will be stored, and what storing it so costs.
package struct CompressedTensor: Sendable {
  /// The stored numbers; elements are row-major.
  package enum Content: Equatable, Sendable {
    /// As they were, but for their float type.
    case kept([Float])
    case linear(LinearCodes)
    case palette(PaletteCodes)
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

  /// Whether it has no scheme and yet other values than it had: calibration fitted it to what the
  /// weight beside it lost.
  package private(set) var isRefitted = false

  /// Of the values `dequantized` gives, where it was taken when the tensor was made.
  private let knownChecksum: ValueChecksum?

  /// Puts a tensor together from stored parts, whose floats have the type `floats` already.
  ///
  /// - Throws: `CompressionError.inconsistent` when the parts' sizes do not fit the shape.
  package init(
    _ reference: WeightReference, _ content: Content, floats: FloatWidth = .float32,
    relativeError: Double
  ) throws(CompressionError) {
    self.init(unchecked: reference, content, floats, relativeError, nil)
    try check()
  }

  /// The same with the error measured against the values it was made from.
  package init(
    _ reference: WeightReference, _ content: Content, floats: FloatWidth, madeFrom values: [Float]
  ) throws(CompressionError) {
    self.init(made: content, of: reference, floats: floats, from: values)
    try check()
  }

  /// The same of parts that were just made for the shape.
  init(
    made content: Content, of reference: WeightReference, floats: FloatWidth,
    from values: [Float]
  ) {
    let bare = CompressedTensor(unchecked: reference, content, floats, 0, nil)
    let (error, checksum) = bare.measured(against: values)
    self.init(unchecked: reference, content, floats, error, checksum)
  }

  private init(
    unchecked reference: WeightReference, _ content: Content, _ floats: FloatWidth,
    _ relativeError: Double, _ checksum: ValueChecksum?
  ) {
    self.reference = reference
    self.content = content
    self.floats = floats
    self.relativeError = relativeError
    knownChecksum = checksum
  }

  /// Of the values `dequantized` gives.
  package var checksum: ValueChecksum { knownChecksum ?? checksum(first: reference.elementCount) }

  /// How it is stored; nil where it is kept as it was.
  package var scheme: Scheme? {
    switch content {
    case .kept: nil
    case .linear(let codes): .linear(LinearScheme(codes, of: reference))
    case .palette(let codes): .palette(PaletteScheme(codes, of: reference))
    }
  }

  /// A phrase for listings: the scheme's, "kept", or "refitted".
  package var schemeLabel: String { scheme?.label ?? (isRefitted ? Self.refittedLabel : "kept") }

  /// The word in listings for a weight that has no scheme and was fitted to inputs.
  package static let refittedLabel = "refitted"

  /// The same, marked as fitted to inputs.
  package func refitted() -> CompressedTensor {
    var tensor = self
    tensor.isRefitted = true
    return tensor
  }

  /// Bits per stored element, or per vector of them, without scales and palettes.
  package var bits: Int { StoredSize.bits(scheme, floats) }

  /// Bytes as stored, scales and palettes included.
  package var byteCount: Int {
    switch content {
    case .kept(let values): floats.byteCount * values.count
    case .linear(let codes):
      codes.packed.count + floats.byteCount * codes.scales.count + codes.offsets.count
    case .palette(let codes): codes.indices.count + codes.entries.byteCount(floats)
    }
  }

  private func check() throws(CompressionError) {
    switch content {
    case .kept(let values): try expect("values", values.count, reference.elementCount)
    case .linear(let codes): try check(codes)
    case .palette(let codes): try check(codes)
    }
  }

  private func check(_ codes: LinearCodes) throws(CompressionError) {
    try check(blocks: codes.blocks)
    let groups = codes.blocks.reduce(1, *)
    try expect(
      "bytes of codes", codes.packed.count,
      BitPacking.byteCount(reference.elementCount, bits: codes.integers.bits))
    try expect("scales", codes.scales.count, groups)
    try expect("offsets", codes.offsets.count, codes.mode == .asymmetric ? groups : 0)
  }

  private func check(_ codes: PaletteCodes) throws(CompressionError) {
    guard PaletteScheme.knownBits.contains(codes.bits) else {
      throw .unknownPaletteBits(codes.bits)
    }
    guard PaletteScheme.knownWidths.contains(codes.width) else {
      throw .unknownWidth(codes.width)
    }
    try check(blocks: codes.blocks)
    let groups = codes.blocks.reduce(1, *)
    let channelBlocks = reference.hasChannels ? codes.blocks[role.channelAxis] : 1
    guard reference.channels % (max(channelBlocks, 1) * codes.width) == 0 else {
      throw .groupCount(
        tensor: name, groups: channelBlocks * codes.width, channels: reference.channels)
    }
    try expect(
      "bytes of indices", codes.indices.count,
      BitPacking.byteCount(reference.elementCount / codes.width, bits: codes.bits))
    try expect("palette entries", codes.entries.count, (groups << codes.bits) * codes.width)
  }

  private func check(blocks: [Int]) throws(CompressionError) {
    let fits =
      blocks.count == shape.count
      && zip(blocks, shape).allSatisfy { $0 == 0 ? $1 == 0 : $0 > 0 && $1 % $0 == 0 }
    guard fits, blocks.count(where: { $0 != 1 }) <= 2 else {
      throw .blocks(tensor: name, blocks: blocks, shape: shape)
    }
  }

  private func expect(_ part: String, _ count: Int, _ expected: Int) throws(CompressionError) {
    guard count != expected else { return }
    throw .inconsistent(tensor: name, part: part, count: count, expected: expected)
  }

  /// Which elements share a scale or palette.
  var layout: RunLayout {
    switch content {
    case .kept: RunLayout(shape: shape, blocks: shape.map { _ in 1 })
    case .linear(let codes): RunLayout(shape: shape, blocks: codes.blocks)
    case .palette(let codes): RunLayout(shape: shape, blocks: codes.blocks)
    }
  }
}

extension PaletteCodes.Entries {
  /// Bytes of the tables, the scale of codes included.
  func byteCount(_ floats: FloatWidth) -> Int {
    switch self {
    case .floats(let values): floats.byteCount * values.count
    case .int8(let codes, _): codes.count + floats.byteCount
    }
  }
}

extension LinearScheme {
  /// The scheme that codes were stored by; how scales were found leaves no trace.
  init(_ codes: LinearCodes, of reference: WeightReference) {
    self.init(
      codes.integers, mode: codes.mode,
      granularity: LinearScheme.granularity(blocks: codes.blocks, of: reference))
  }
}

extension PaletteScheme {
  /// The scheme that codes were stored by.
  init(_ codes: PaletteCodes, of reference: WeightReference) {
    let groups = codes.blocks.reduce(1, *)
    let entries: Entries = if case .floats = codes.entries { .floats } else { .int8 }
    self.init(
      bits: codes.bits,
      granularity: groups == 1 ? .perTensor : .perGroup(size: reference.channels / max(groups, 1)),
      width: codes.width, entries: entries)
  }
}
