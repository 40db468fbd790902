import Graph

/// What a scheme makes of a tensor, told from its shape.
enum StoredSize {
  /// Bits per stored element, or per vector of them, without scales and palettes.
  static func bits(_ scheme: Scheme?, _ floats: FloatWidth) -> Int {
    switch scheme {
    case .linear(let scheme): scheme.integers.bits
    case .palette(let scheme): scheme.bits
    case .unique, nil: 8 * floats.byteCount
    }
  }

  /// Bytes as stored, scales and palettes included. Distinct values are not told from a shape.
  static func bytes(_ scheme: Scheme?, of reference: WeightReference, _ floats: FloatWidth) -> Int {
    let count = reference.elementCount
    let groups = scheme?.blocks(of: reference).reduce(1, *) ?? 1
    switch scheme {
    case .linear(let scheme):
      let offset = scheme.mode == .asymmetric ? 1 : 0
      return BitPacking.byteCount(count, bits: scheme.integers.bits)
        + (floats.byteCount + offset) * groups
    case .palette(let scheme):
      let entries = (groups << scheme.bits) * scheme.width
      return BitPacking.byteCount(count / scheme.width, bits: scheme.bits)
        + (scheme.entries == .int8 ? entries + floats.byteCount : floats.byteCount * entries)
    case .unique, nil: return floats.byteCount * count
    }
  }

  /// The scheme as a stored tensor tells it: with the coarsest granularity that says the same.
  static func stored(_ scheme: Scheme?, of reference: WeightReference) -> Scheme? {
    guard let scheme else { return nil }
    let blocks = scheme.blocks(of: reference)
    switch scheme {
    case .linear(let scheme):
      return .linear(
        LinearScheme(
          scheme.integers, mode: scheme.mode,
          granularity: LinearScheme.granularity(blocks: blocks, of: reference)))
    case .palette(let scheme):
      let groups = blocks.reduce(1, *)
      return .palette(
        PaletteScheme(
          bits: scheme.bits,
          granularity: groups == 1
            ? .perTensor : .perGroup(size: reference.channels / max(groups, 1)),
          width: scheme.width, entries: scheme.entries))
    case .unique: return .unique
    }
  }
}
