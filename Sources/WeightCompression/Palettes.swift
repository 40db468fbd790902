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
      for i in range {
        let value = values[i]
        var base = 0
        var length = bounds.count
        while length > 0 {
          let half = (length + 1) / 2
          if bounds[base + half - 1] <= value { base += half }
          length -= half
        }
        indices[i] = UInt8(truncatingIfNeeded: base)
      }
    }
  }
}
