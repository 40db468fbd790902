import Files
package import Graph
import Weights

/// Replaces the values of a tensor by indices into palettes.
package enum Palettizer {
  /// Indices and tables of finite values, by one scheme; the result does not depend on `jobs`.
  ///
  /// Minimises the squared error, weighted by importance if given; values without weight take the
  /// nearest entries too. Scalar entries are optimal before they are rounded to the stored type,
  /// unless little effort is asked for; each value takes the entry nearest to it as stored.
  package static func palettize(
    _ values: [Float], _ reference: WeightReference, _ scheme: PaletteScheme,
    _ floats: FloatType, importance: Importance? = nil, effort: ClusteringEffort = .least, jobs: Int
  ) -> PaletteCodes {
    let weights = ElementWeights(importance, of: reference)
    if scheme.width > 1 {
      return VectorPalettes(values, reference, scheme, floats, weights, jobs: jobs).codes
    }
    let blocks = scheme.blocks(of: reference)
    let layout = RunLayout(shape: reference.shape, blocks: blocks)
    let floatTables = Workers.map(layout.groups, jobs: jobs) { group in
      ScalarPalette(
        ScalarClustering(
          sorted(values, layout, group, weights), entries: 1 << scheme.bits, effort: effort),
        floats, isWeighted: weights != nil)
    }
    guard scheme.entries == .int8 else {
      return PaletteCodes(
        bits: scheme.bits, indices: indices(values, layout, floatTables, bits: scheme.bits),
        entries: .floats(floatTables.flatMap { $0.padded(to: 1 << scheme.bits) }),
        blocks: blocks)
    }
    return integers(values, layout, scheme, floats, weights, floatTables, jobs: jobs, blocks)
  }

  private static func sorted(
    _ values: [Float], _ layout: RunLayout, _ group: Int, _ weights: ElementWeights?
  ) -> SortedValues {
    SortedValues(
      sorting: layout.elements(of: group, in: values), weights: weights?.weights(of: group, layout))
  }

  /// The same with entries that are codes.
  private static func integers(
    _ values: [Float], _ layout: RunLayout, _ scheme: PaletteScheme, _ floats: FloatType,
    _ weights: ElementWeights?, _ floatTables: [ScalarPalette], jobs: Int, _ blocks: [Int]
  ) -> PaletteCodes {
    let size = 1 << scheme.bits
    let found = IntegerEntries(from: floatTables, entries: size, floats, jobs: jobs) {
      sorted(values, layout, $0, weights)
    }
    let tables = found.codes.map { codes in
      ScalarPalette(stored: codes.map { floats.rounded(found.scale * Float($0)) + 0 })
    }
    let codes = found.codes.flatMap { codes in
      codes.map { Int8($0) }
        + [Int8](repeating: Int8(codes.last ?? 0), count: size - codes.count)
    }
    return PaletteCodes(
      bits: scheme.bits, indices: indices(values, layout, tables, bits: scheme.bits),
      entries: .int8(codes: codes, scale: found.scale), blocks: blocks)
  }

  /// Packed indices of the entries that values take.
  private static func indices(
    _ values: [Float], _ layout: RunLayout, _ tables: [ScalarPalette], bits: Int
  ) -> [UInt8] {
    let indices = unsafe [UInt8](unsafeUninitializedCapacity: values.count) {
      indices, initialized in
      unsafe values.withUnsafeBufferPointer { values in
        layout.forEachRun(in: 0..<values.count) { group, range in
          unsafe tables[group].assign(values, range, into: indices)
        }
      }
      initialized = values.count
    }
    return BitPacking.pack(indices, bits: bits)
  }
}

extension Palettizer {
  /// Number of distinct values as stored, −0 and 0 being two; nil if more than 256.
  package static func distinctCount(_ values: [Float], _ floats: FloatType) -> Int? {
    FewValues(values, floats)?.values.count
  }

  /// The fewest bits whose palette has an entry for every distinct value; nil if there are more
  /// than 256.
  package static func uniqueBits(_ values: [Float], _ floats: FloatType) -> Int? {
    distinctCount(values, floats).flatMap(uniqueBits(of:))
  }

  /// The same for a weight that is read piece by piece, as far as needed.
  static func uniqueBits(
    of name: TensorName, in source: any WeightSource, _ floats: FloatType
  ) throws -> Int? {
    var found = FewValues.Collector(floats)
    try source.forEachPiece(of: name) { found.add($0) }
    return (found.finish()?.values.count).flatMap(uniqueBits(of:))
  }

  private static func uniqueBits(of count: Int) -> Int? {
    PaletteScheme.knownBits.first { count <= 1 << $0 }
  }

  /// The palette of the distinct values, one table for the tensor; it decodes bit for bit to the
  /// values stored without a palette.
  ///
  /// - Precondition: `uniqueBits` is not nil.
  package static func unique(
    _ values: [Float], _ reference: WeightReference, _ floats: FloatType
  ) -> PaletteCodes {
    guard let distinct = FewValues(values, floats),
      let bits = PaletteScheme.knownBits.first(where: { distinct.values.count <= 1 << $0 })
    else { preconditionFailure("more than 256 distinct values") }
    let indices = values.map { distinct.index(of: floats.rounded($0)) }
    let padding = [Float](
      repeating: distinct.values.last ?? 0, count: 1 << bits - distinct.values.count)
    return PaletteCodes(
      bits: bits, indices: BitPacking.pack(indices, bits: bits),
      entries: .floats(distinct.values + padding), blocks: reference.shape.map { _ in 1 })
  }
}
