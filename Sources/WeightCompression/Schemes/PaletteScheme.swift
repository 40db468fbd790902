package import Graph

/// Indices into tables of 2^bits entries, each a float or a short vector of floats.
package struct PaletteScheme: Hashable, Sendable {
  /// The values that share a palette.
  package enum Granularity: Hashable, Sendable {
    case perTensor
    /// Each `size` consecutive channels along the role's channel axis.
    case perGroup(size: Int)
  }

  /// The stored type of entries.
  package enum Entries: String, CaseIterable, Hashable, Sendable {
    case floats
    /// Codes −127 … 127 with one scale for the tensor.
    case int8
  }

  package let bits: Int
  package let granularity: Granularity
  /// Consecutive channels that share one index: 1, 2 or 4.
  package let width: Int
  package let entries: Entries

  /// Index widths a palette can have.
  package static let knownBits = [1, 2, 3, 4, 6, 8]
  /// Lengths an entry can have.
  package static let knownWidths = [1, 2, 4]
  /// Default number of channels per palette.
  package static let defaultGroupSize = 16

  package init(bits: Int, granularity: Granularity, width: Int = 1, entries: Entries = .floats) {
    self.bits = bits
    self.granularity = granularity
    self.width = width
    self.entries = entries
  }

  /// "palette 4 bits in groups of 16".
  package var label: String {
    let unit =
      switch granularity {
      case .perTensor: "per tensor"
      case .perGroup(let size): "in groups of \(size)"
      }
    return "palette \(bits) \(bits == 1 ? "bit" : "bits") \(unit)"
      + (width > 1 ? ", vectors of \(width)" : "") + (entries == .int8 ? ", int8 entries" : "")
  }

}

extension PaletteScheme: CompressionScheme {
  package var isLossless: Bool { false }
  package var fitsEveryWeight: Bool { granularity == .perTensor && width == 1 }
  package var hasOneScale: Bool { false }

  package var channelUnit: Int {
    switch granularity {
    case .perTensor: width
    case .perGroup(let size): size
    }
  }

  package func validate() throws(CompressionError) {
    guard Self.knownBits.contains(bits) else { throw .unknownPaletteBits(bits) }
    guard Self.knownWidths.contains(width) else { throw .unknownWidth(width) }
    if case .perGroup(let size) = granularity {
      guard size >= 1 else { throw .invalidGroupSize(size) }
      guard size % width == 0 else { throw .groupOfVectors(size: size, width: width) }
    }
  }

  package func fault(of reference: WeightReference) -> TensorRefusal.Fault? {
    guard reference.hasChannels else { return width == 1 ? nil : .vectors(width, channels: 1) }
    let channels = reference.channels
    if case .perGroup(let size) = granularity, channels % size != 0 {
      return .groups(size: size, channels: channels)
    }
    return channels % width == 0 ? nil : .vectors(width, channels: channels)
  }

  package func blocks(of reference: WeightReference) -> [Int] {
    switch granularity {
    case .perTensor: reference.blocks(channels: 1)
    case .perGroup(let size):
      reference.blocks(channels: reference.hasChannels ? reference.channels / max(size, 1) : 1)
    }
  }

  package func storedBits(_ floats: FloatType) -> Int { bits }

  package func storedBytes(of reference: WeightReference, _ floats: FloatType) -> Int {
    let count = (blocks(of: reference).reduce(1, *) << bits) * width
    let indices = BitPacking.byteCount(reference.elementCount / width, bits: bits)
    switch entries {
    case .floats: return indices + floats.byteCount * count
    case .int8: return indices + count + floats.byteCount
    }
  }

  package func stored(for reference: WeightReference) -> Scheme {
    .palette(
      PaletteScheme(
        bits: bits, granularity: Self.granularity(blocks: blocks(of: reference), of: reference),
        width: width, entries: entries))
  }

  /// The coarsest granularity that fits tables in these blocks.
  package static func granularity(blocks: [Int], of reference: WeightReference) -> Granularity {
    let groups = blocks.reduce(1, *)
    // Other tools' palettes may be more than the channels.
    return groups == 1 ? .perTensor : .perGroup(size: max(reference.channels / max(groups, 1), 1))
  }

  package func peakBytes(of reference: WeightReference, jobs: Int) -> Int {
    let count = reference.elementCount
    let groups = max(1, blocks(of: reference).reduce(1, *))
    let atOnce = min(groups, jobs) * (count / groups)
    return 4 * count + max(2 * count, peakBytesPerValue * atOnce)
  }

  /// Bytes for each value of a group at the peak of the search. The best 256 entries are found in a
  /// graph that has a place for every few values.
  private var peakBytesPerValue: Int {
    if width > 1 { return 16 }
    return bits == 8 ? 108 : 6
  }

  package func compress(
    _ values: [Float], _ reference: WeightReference, _ floats: FloatType, importance: Importance?,
    jobs: Int
  ) -> CompressedTensor.Content {
    .palette(
      Palettizer.palettize(values, reference, self, floats, importance: importance, jobs: jobs))
  }
}
