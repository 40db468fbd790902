/// The palette of one group of values: the used entries, and which values take them.
///
/// Entries are those of least squared error (`ScalarClustering`), as stored, ascending. If rounding
/// changes them, each value takes the nearest entry as stored; entries may then coincide.
struct ScalarPalette: Sendable {
  let entries: [Float]
  /// The sum of the weights of the values that each entry was made from.
  private(set) var weights: [Float] = []
  /// The lowest value that takes each entry but the first.
  let lowerBounds: [Float]

  /// - Parameter isWeighted: whether there may be values that the clustering has not seen.
  init(_ clustering: ScalarClustering, _ floats: FloatType, isWeighted: Bool = false) {
    if floats == .float32, !isWeighted {
      self.init(entries: clustering.centroids, lowerBounds: clustering.lowerBounds)
    } else {
      // Adding 0 turns −0 into +0.
      self.init(stored: clustering.centroids.map { floats.rounded($0) + 0 })
    }
    weights = clustering.weights.map { Float($0) }
  }

  /// Takes ascending entries as they are stored.
  init(stored: [Float]) {
    let middles = zip(stored, stored.dropFirst()).map { low, high in
      let middle = (Double(low) + Double(high)) / 2
      let nearest = Float(middle)
      return Double(nearest) < middle ? nearest.nextUp : nearest
    }
    self.init(entries: stored, lowerBounds: middles)
  }

  private init(entries: [Float], lowerBounds: [Float]) {
    self.entries = entries
    self.lowerBounds = lowerBounds
  }

  /// The entries, the last one repeated up to a number.
  func padded(to count: Int) -> [Float] {
    entries + [Float](repeating: entries.last ?? 0, count: count - entries.count)
  }

  /// Writes which entry each value of `range` takes: how many lower bounds are not above it.
  func assign(
    _ values: UnsafeBufferPointer<Float>, _ range: Range<Int>,
    into indices: UnsafeMutableBufferPointer<UInt8>
  ) {
    unsafe lowerBounds.withUnsafeBufferPointer { bounds in
      var rest = range
      if bounds.count < Self.lanes {
        rest = unsafe Self.compareAll(values, range, bounds, into: indices)
      }
      for i in rest { unsafe indices[i] = Self.search(bounds, values[i]) }
    }
  }

  /// Values that are compared with all bounds at a time, and bounds from which searching is quicker.
  private static let lanes = 16

  /// Compares blocks of values with every bound, without branches to mispredict.
  ///
  /// - Returns: the rest of the range, too short for a block.
  private static func compareAll(
    _ values: UnsafeBufferPointer<Float>, _ range: Range<Int>,
    _ bounds: UnsafeBufferPointer<Float>, into indices: UnsafeMutableBufferPointer<UInt8>
  ) -> Range<Int> {
    let source = UnsafeRawBufferPointer(values)
    let target = UnsafeMutableRawBufferPointer(indices)
    var i = range.lowerBound
    while i + lanes <= range.upperBound {
      let block = unsafe source.loadUnaligned(
        fromByteOffset: i * MemoryLayout<Float>.stride, as: SIMD16<Float>.self)
      var counts = SIMD16<Int32>()
      for bound in bounds.indices {
        unsafe counts.replace(with: counts &+ 1, where: block .>= bounds[bound])
      }
      unsafe target.storeBytes(
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
      unsafe base += bounds[base + half - 1] <= value ? half : 0
      length -= half
    }
    return UInt8(truncatingIfNeeded: base)
  }
}
