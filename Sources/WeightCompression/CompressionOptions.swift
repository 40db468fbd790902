package import Graph

/// What a user asks for, checked: words and numbers of a command line or project file.
package struct CompressionOptions: Hashable, Sendable {
  /// What becomes of compressible weights; nil where they are kept.
  package let scheme: Scheme?
  /// Type of the floats that the format stores.
  package let floats: FloatWidth

  /// Channels per palette where groups are asked for without a size.
  package static let defaultGroupSize = 16

  /// Takes a scheme as it is.
  package init(scheme: Scheme?, floats: FloatWidth = .float32) throws(CompressionError) {
    try scheme?.validate()
    self.scheme = scheme
    self.floats = floats
  }

  /// What becomes of a weight of some role; nil where it is kept.
  func scheme(of role: WeightRole) -> Scheme? { role.isCompressible ? scheme : nil }

  /// Type of the floats stored for a weight of some role.
  ///
  /// Means and scales of features are used before a model turns to halves, so they stay whole.
  package func floats(of role: WeightRole) -> FloatWidth { role == .statistic ? .float32 : floats }

  /// Reads user words.
  ///
  /// - Parameters:
  ///   - scheme: "int8", "palettize", or "none", which takes none of the rest.
  ///   - bits: needed by "palettize": 1, 2, 3, 4, 6 or 8; "int8" takes 8 or nothing.
  ///   - granularity: "per-tensor", "per-channel" (int8 only, its default) or "per-group"
  ///     (palettize only, whose default is "per-tensor").
  ///   - groupSize: channels per palette, with "per-group" only; 16 unless told.
  ///   - floats: type of the floats that the format stores.
  package init(
    scheme: String, bits: Int? = nil, granularity: String? = nil, groupSize: Int? = nil,
    floats: FloatWidth = .float32
  ) throws(CompressionError) {
    let chosen: Scheme?
    switch scheme {
    case "int8":
      guard bits == nil || bits == 8 else { throw .bitsOfInt8(bits ?? 8) }
      chosen = .int8(try Self.int8Granularity(granularity ?? "per-channel"))
    case "palettize":
      guard let bits else { throw .bitsMissing }
      chosen = .palette(
        bits: bits, try Self.paletteGranularity(granularity ?? "per-tensor", groupSize))
    case "none":
      if bits != nil { throw .optionOfNone("number of bits") }
      if granularity != nil { throw .optionOfNone("granularity") }
      if groupSize != nil { throw .optionOfNone("group size") }
      chosen = nil
    case "int4": throw .int4NotAvailable
    default: throw .unknownScheme(scheme)
    }
    if groupSize != nil, chosen?.groupSize == nil {
      throw .groupSizeWithoutGroups(scheme: scheme, granularity: granularity)
    }
    try self.init(scheme: chosen, floats: floats)
  }

  private static func int8Granularity(
    _ word: String
  ) throws(CompressionError) -> Scheme.Granularity {
    switch word {
    case "per-tensor": .perTensor
    case "per-channel": .perChannel
    default:
      throw .unknownGranularity(word, scheme: "int8", choices: "per-tensor or per-channel")
    }
  }

  private static func paletteGranularity(
    _ word: String, _ groupSize: Int?
  ) throws(CompressionError) -> Scheme.PaletteGranularity {
    switch word {
    case "per-tensor": .perTensor
    case "per-group": .perGroup(size: groupSize ?? defaultGroupSize)
    default:
      throw .unknownGranularity(word, scheme: "palettize", choices: "per-tensor or per-group")
    }
  }
}
