import Graph

/// The stored numbers of a tensor under any scheme: their size, their check and their decoder.
protocol CompressedCodes: Sendable {
  /// The scheme they were stored by, nil if values are kept; how scales were found leaves no trace.
  func scheme(of reference: WeightReference) -> Scheme?
  /// Bytes as stored, scales and palettes included.
  func byteCount(_ floats: FloatType) -> Int
  /// Refuses numbers that do not fit a tensor.
  func check(for reference: WeightReference) throws(CompressionError)
  /// Turns them back into values.
  func decoder(of reference: WeightReference, _ floats: FloatType) -> any ValueDecoder
}

/// Values that are stored as they are.
struct UncompressedValues: CompressedCodes, ValueDecoder {
  let values: [Float]

  func scheme(of reference: WeightReference) -> Scheme? { nil }
  func byteCount(_ floats: FloatType) -> Int { floats.byteCount * values.count }

  func check(for reference: WeightReference) throws(CompressionError) {
    try reference.expect("values", values.count, reference.elementCount)
  }

  func decoder(of reference: WeightReference, _ floats: FloatType) -> any ValueDecoder { self }

  func write(_ range: Range<Int>, into output: UnsafeMutableBufferPointer<Float>) {
    for i in range { unsafe output[i - range.lowerBound] = values[i] }
  }
}

/// The stored numbers of a linear scheme: value = scale · (code − zero point).
package struct LinearCodes: Equatable, CompressedCodes {
  package let integers: LinearScheme.Integers
  package let mode: LinearScheme.Mode
  /// In flat order, packed by `BitPacking`; signed ones in two's complement.
  package let packed: [UInt8]
  /// One for each block.
  package let scales: [Float]
  /// One for each scale if the mode is asymmetric, else empty.
  package let zeroPoints: [Int16]
  /// Number of equal blocks with their own scales along each axis; blocks are row-major.
  package let blocks: [Int]

  package init(
    _ integers: LinearScheme.Integers, mode: LinearScheme.Mode = .symmetric, packed: [UInt8],
    scales: [Float], zeroPoints: [Int16] = [], blocks: [Int]
  ) {
    self.integers = integers
    self.mode = mode
    self.packed = packed
    self.scales = scales
    self.zeroPoints = zeroPoints
    self.blocks = blocks
  }

  func scheme(of reference: WeightReference) -> Scheme? {
    let granularity = LinearScheme.granularity(blocks: blocks, of: reference)
    return .linear(LinearScheme(integers, mode: mode, granularity: granularity))
  }

  func byteCount(_ floats: FloatType) -> Int {
    packed.count + floats.byteCount * scales.count + zeroPoints.count
  }

  func check(for reference: WeightReference) throws(CompressionError) {
    try reference.check(blocks: blocks)
    let groups = blocks.reduce(1, *)
    try reference.expect(
      "bytes of codes", packed.count,
      BitPacking.byteCount(reference.elementCount, bits: integers.bits))
    try reference.expect("scales", scales.count, groups)
    try reference.expect("zero points", zeroPoints.count, mode == .asymmetric ? groups : 0)
  }

  func decoder(of reference: WeightReference, _ floats: FloatType) -> any ValueDecoder {
    LinearDecoder(self, reference, floats)
  }
}

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

extension WeightReference {
  /// Refuses blocks that do not cut the shape, or cut more than two axes of it.
  func check(blocks: [Int]) throws(CompressionError) {
    let fits =
      blocks.count == shape.count
      && zip(blocks, shape).allSatisfy { $0 == 0 ? $1 == 0 : $0 > 0 && $1 % $0 == 0 }
    guard fits, blocks.count(where: { $0 != 1 }) <= 2 else {
      throw .blocks(tensor: name, blocks: blocks, shape: shape)
    }
  }

  /// Refuses more or fewer numbers than the shape needs.
  func expect(_ part: String, _ count: Int, _ expected: Int) throws(CompressionError) {
    guard count != expected else { return }
    throw .inconsistent(tensor: name, part: part, count: count, expected: expected)
  }
}
