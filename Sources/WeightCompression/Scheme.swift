/// How a compressible tensor is stored.
package enum Scheme: Hashable, Sendable {
  /// Eight-bit integers with one scale per tensor or per channel.
  case int8(Granularity)
  /// Indices of `bits` bits into tables of 2^bits floats.
  case palette(bits: Int, PaletteGranularity)

  /// What has a scale of its own.
  package enum Granularity: Hashable, Sendable {
    case perTensor
    /// Along the role's channel axis.
    case perChannel
  }

  /// What has a palette of its own.
  package enum PaletteGranularity: Hashable, Sendable {
    case perTensor
    /// Each `size` consecutive channels along the role's channel axis.
    case perGroup(size: Int)
  }

  /// Index widths a palette can have.
  package static let paletteBits = [1, 2, 3, 4, 6, 8]

  /// Bits per stored element, without scales and palettes.
  package var bits: Int {
    switch self {
    case .int8: 8
    case .palette(let bits, _): bits
    }
  }

  /// Channels of a group; nil where the granularity is another.
  package var groupSize: Int? {
    if case .palette(_, .perGroup(let size)) = self { size } else { nil }
  }

  /// A phrase for listings, such as "palette 4 bits in groups of 16".
  package var label: String {
    switch self {
    case .int8(.perTensor): "int8 per tensor"
    case .int8(.perChannel): "int8 per channel"
    case .palette(let bits, .perTensor): "palette \(bits) \(unit) per tensor"
    case .palette(let bits, .perGroup(let size)): "palette \(bits) \(unit) in groups of \(size)"
    }
  }

  private var unit: String { bits == 1 ? "bit" : "bits" }

  /// Refuses widths and group sizes that no tensor could have.
  package func validate() throws(CompressionError) {
    guard case .palette(let bits, let granularity) = self else { return }
    guard Self.paletteBits.contains(bits) else { throw .unknownPaletteBits(bits) }
    if case .perGroup(let size) = granularity, size < 1 { throw .invalidGroupSize(size) }
  }
}
