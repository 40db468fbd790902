import Graph

/// The stored numbers of a palette.
package struct PaletteCodes: Equatable, CompressedCodes {
  /// Tables one after another; of each its entries, of each entry its elements. Scalar tables
  /// ascend, and their unused last entries repeat the last used one.
  package enum Entries: Equatable, Sendable {
    case floats([Float])
    case int8(codes: [Int8], scale: Float)

    package var count: Int {
      switch self {
      case .floats(let values): values.count
      case .int8(let codes, _): codes.count
      }
    }
  }

  package let bits: Int
  /// In flat order of the shape whose vector axis is divided by `width`, packed by `BitPacking`.
  package let indices: [UInt8]
  package let entries: Entries
  /// Elements of an entry, neighbours along the channel axis.
  package let width: Int
  /// Number of equal blocks with their own tables along each axis; blocks are row-major.
  package let blocks: [Int]

  package init(
    bits: Int, indices: [UInt8], entries: Entries, width: Int = 1, blocks: [Int]
  ) {
    self.bits = bits
    self.indices = indices
    self.entries = entries
    self.width = width
    self.blocks = blocks
  }

  /// The entries as a model computes with them.
  package func floats(_ width: FloatType) -> [Float] {
    switch entries {
    case .floats(let values): values
    case .int8(let codes, let scale): codes.map { width.rounded(scale * Float($0)) }
    }
  }

  func scheme(of reference: WeightReference) -> Scheme? {
    let stored: PaletteScheme.Entries =
      switch entries {
      case .floats: .floats
      case .int8: .int8
      }
    return .palette(
      PaletteScheme(
        bits: bits, granularity: PaletteScheme.granularity(blocks: blocks, of: reference),
        width: width, entries: stored))
  }

  func byteCount(_ floats: FloatType) -> Int {
    switch entries {
    case .floats(let values): indices.count + floats.byteCount * values.count
    case .int8(let codes, _): indices.count + codes.count + floats.byteCount
    }
  }

  func check(for reference: WeightReference) throws(CompressionError) {
    guard PaletteScheme.knownBits.contains(bits) else { throw .unknownPaletteBits(bits) }
    guard PaletteScheme.knownWidths.contains(width) else { throw .unknownWidth(width) }
    try reference.check(blocks: blocks)
    let groups = blocks.reduce(1, *)
    let channelBlocks = reference.hasChannels ? blocks[reference.role.channelAxis] : 1
    guard reference.channels % (max(channelBlocks, 1) * width) == 0 else {
      throw .groupCount(
        tensor: reference.name, groups: channelBlocks * width, channels: reference.channels)
    }
    try reference.expect(
      "bytes of indices", indices.count,
      BitPacking.byteCount(reference.elementCount / width, bits: bits))
    try reference.expect("palette entries", entries.count, (groups << bits) * width)
  }

  func decoder(of reference: WeightReference, _ floats: FloatType) -> any ValueDecoder {
    PaletteDecoder(self, reference, floats)
  }
}

/// Values of indices into palettes.
struct PaletteDecoder: ValueDecoder {
  private let codes: PaletteCodes
  private let layout: RunLayout
  /// Palette entries as a model computes with them.
  private let entries: [Float]
  /// Elements of a tensor between neighbours along the channel axis.
  private let channelStride: Int

  init(_ codes: PaletteCodes, _ reference: WeightReference, _ floats: FloatType) {
    self.codes = codes
    layout = RunLayout(shape: reference.shape, blocks: codes.blocks)
    entries = codes.floats(floats)
    channelStride = reference.shape.dropFirst(reference.role.channelAxis + 1).reduce(1, *)
  }

  func write(_ range: Range<Int>, into output: UnsafeMutableBufferPointer<Float>) {
    if codes.width == 1 {
      unsafe lookUp(range, into: output)
    } else {
      unsafe lookUpVectors(range, into: output)
    }
  }

  private func lookUp(
    _ range: Range<Int>, into output: UnsafeMutableBufferPointer<Float>
  ) {
    unsafe BitPacking.withUnpacked(codes.indices, bits: codes.bits, range) { unpacked in
      unsafe entries.withUnsafeBufferPointer { entries in
        layout.forEachRun(in: range) { group, run in
          let base = group << codes.bits
          for i in run {
            unsafe output[i - range.lowerBound] =
              entries[base + Int(unpacked[i - range.lowerBound])]
          }
        }
      }
    }
  }

  // Elements of one vector are `channelStride` apart.
  private func lookUpVectors(
    _ range: Range<Int>, into output: UnsafeMutableBufferPointer<Float>
  ) {
    let span = channelStride * codes.width
    let first = range.lowerBound / span * channelStride / 8 * 8
    let last = (range.upperBound + span - 1) / span * channelStride
    unsafe BitPacking.withUnpacked(codes.indices, bits: codes.bits, first..<last) { unpacked in
      layout.forEachRun(in: range) { group, run in
        let base = group << codes.bits
        for i in run {
          let index = i / span * channelStride + i % channelStride
          let entry = unsafe base + Int(unpacked[index - first])
          unsafe output[i - range.lowerBound] =
            entries[entry * codes.width + i % span / channelStride]
        }
      }
    }
  }
}
