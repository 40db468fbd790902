import Graph

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

  /// Integers with so many scales.
  static func int8(groups: Int) -> Scheme { .int8(groups == 1 ? .perTensor : .perChannel) }

  /// So many palettes for the channels of a tensor.
  static func palette(bits: Int, groups: Int, channels: Int) -> Scheme {
    .palette(
      bits: bits, groups == 1 ? .perTensor : .perGroup(size: channels / max(groups, 1)))
  }

  private var unit: String { bits == 1 ? "bit" : "bits" }

  /// Refuses widths and group sizes that no tensor could have.
  package func validate() throws(CompressionError) {
    guard case .palette(let bits, let granularity) = self else { return }
    guard Self.paletteBits.contains(bits) else { throw .unknownPaletteBits(bits) }
    if case .perGroup(let size) = granularity, size < 1 { throw .invalidGroupSize(size) }
  }

  /// Why a tensor's shape does not take this scheme; nil where it does.
  func fault(of reference: WeightReference) -> TensorRefusal.Fault? {
    let channels = reference.channels
    guard let groupSize, reference.hasChannels, channels % groupSize != 0 else { return nil }
    return .groups(size: groupSize, channels: channels)
  }

  /// Which elements of a tensor share a scale or palette.
  func layout(of reference: WeightReference) -> RunLayout {
    let size: Int
    switch self {
    case .int8(.perTensor), .palette(_, .perTensor): return .whole(reference.elementCount)
    case .int8(.perChannel): size = 1
    case .palette(_, .perGroup(let groupSize)): size = groupSize
    }
    return .grouped(shape: reference.shape, axis: reference.role.channelAxis, size: size)
  }
}

extension Scheme? {
  /// A phrase for listings; "uncompressed" without a scheme.
  package var label: String { self?.label ?? "uncompressed" }
}

extension WeightReference {
  /// Whether the shape has the role's channel axis.
  var hasChannels: Bool { shape.indices.contains(role.channelAxis) }

  /// Length of the channel axis; 1 for a tensor without it.
  var channels: Int { hasChannels ? shape[role.channelAxis] : 1 }
}
