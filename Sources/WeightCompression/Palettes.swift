/// Palettes: each value is one of 2^bits floats of its group's table.
///
/// The tables are the best there are for the squared error (`ScalarClustering`). They ascend; where
/// a group has fewer distinct values than its table has entries, the last entry is repeated. Where
/// the stored floats are not those of the clustering, each value takes the entry nearest to it as
/// stored; entries may then coincide.
enum Palettes {
  /// Packed indices in flat order, and the tables one after another.
  static func palettize(
    _ values: [Float], _ layout: RunLayout, bits: Int, jobs: Int,
    floats: FloatWidth = .float32
  ) -> (indices: [UInt8], palettes: [Float]) {
    let entries = 1 << bits
    let tables = Parallel.map(layout.groups, jobs: jobs) { group in
      Table(ScalarClustering(elements(values, layout, group), entries: entries), floats)
    }
    let indices = [UInt8](unsafeUninitializedCapacity: values.count) { indices, initialized in
      values.withUnsafeBufferPointer { values in
        layout.forEachRun(in: 0..<values.count) { group, range in
          assign(values, range, tables[group].lowerBounds, into: indices)
        }
      }
      initialized = values.count
    }
    let palettes = tables.flatMap { padded($0.entries, to: entries) }
    return (BitPacking.pack(indices, bits: bits), palettes)
  }

  /// The values of one group.
  private static func elements(_ values: [Float], _ layout: RunLayout, _ group: Int) -> [Float] {
    if layout.groups == 1 { return values }
    var elements: [Float] = []
    elements.reserveCapacity(layout.groupCount)
    layout.forEachRun(of: group) { elements.append(contentsOf: values[$0]) }
    return elements
  }

  private static func padded(_ used: [Float], to entries: Int) -> [Float] {
    used + [Float](repeating: used.last ?? 0, count: entries - used.count)
  }

  /// The used entries of one palette, and the lowest value that takes each of them but the first.
  private struct Table: Sendable {
    let entries: [Float]
    let lowerBounds: [Float]

    init(_ clustering: ScalarClustering, _ floats: FloatWidth) {
      guard floats != .float32 else {
        entries = clustering.centroids
        lowerBounds = clustering.lowerBounds
        return
      }
      // What is added makes +0 of −0.
      let stored = clustering.centroids.map { floats.rounded($0) + 0 }
      entries = stored
      lowerBounds = zip(stored, stored.dropFirst()).map { low, high in
        let middle = (Double(low) + Double(high)) / 2
        let nearest = Float(middle)
        return Double(nearest) < middle ? nearest.nextUp : nearest
      }
    }
  }

  /// Writes the cluster of each value of `range`: how many lower bounds are not above it.
  private static func assign(
    _ values: UnsafeBufferPointer<Float>, _ range: Range<Int>, _ lowerBounds: [Float],
    into indices: UnsafeMutableBufferPointer<UInt8>
  ) {
    lowerBounds.withUnsafeBufferPointer { bounds in
      var rest = range
      if bounds.count < lanes { rest = compareAll(values, range, bounds, into: indices) }
      for i in rest { indices[i] = search(bounds, values[i]) }
    }
  }

  /// Values that are compared with all bounds at a time, and bounds from which searching is quicker.
  private static let lanes = 16

  /// Compares blocks of values with every bound, which takes no branches to be guessed wrong.
  ///
  /// - Returns: the end of the range that fills no block.
  private static func compareAll(
    _ values: UnsafeBufferPointer<Float>, _ range: Range<Int>,
    _ bounds: UnsafeBufferPointer<Float>, into indices: UnsafeMutableBufferPointer<UInt8>
  ) -> Range<Int> {
    let source = UnsafeRawBufferPointer(values), target = UnsafeMutableRawBufferPointer(indices)
    var i = range.lowerBound
    while i + lanes <= range.upperBound {
      let block = source.loadUnaligned(
        fromByteOffset: i * MemoryLayout<Float>.stride, as: SIMD16<Float>.self)
      var counts = SIMD16<Int32>()
      for bound in bounds { counts.replace(with: counts &+ 1, where: block .>= bound) }
      target.storeBytes(
        of: SIMD16<UInt8>(truncatingIfNeeded: counts), toByteOffset: i, as: SIMD16<UInt8>.self)
      i += lanes
    }
    return i..<range.upperBound
  }

  /// The same for one value, by halves.
  private static func search(_ bounds: UnsafeBufferPointer<Float>, _ value: Float) -> UInt8 {
    var base = 0
    var length = bounds.count
    while length > 0 {
      let half = (length + 1) / 2
      base += bounds[base + half - 1] <= value ? half : 0
      length -= half
    }
    return UInt8(truncatingIfNeeded: base)
  }
}
