package import Graph

/// How a compressible tensor is stored.
package enum Scheme: Hashable, Sendable {
  /// Integers with scales.
  case linear(LinearScheme)
  /// Indices into tables of floats or of short vectors.
  case palette(PaletteScheme)
  /// The palette of the tensor's distinct values, which loses nothing: of the fewest bits that tell
  /// them apart, so that values must be read to know them.
  case unique

  /// Eight-bit integers around zero, by their largest magnitude.
  package static func int8(_ granularity: LinearScheme.Granularity) -> Scheme {
    .linear(LinearScheme(.int8, granularity: granularity))
  }

  /// Tables of floats.
  package static func palette(
    bits: Int, _ granularity: PaletteScheme.Granularity
  ) -> Scheme {
    .palette(PaletteScheme(bits: bits, granularity: granularity))
  }

  /// A phrase for listings, such as "palette 4 bits in groups of 16".
  package var label: String {
    switch self {
    case .linear(let scheme): scheme.label
    case .palette(let scheme): scheme.label
    case .unique: "unique values"
    }
  }

  /// Refuses widths and sizes that no tensor could have.
  package func validate() throws(CompressionError) {
    switch self {
    case .linear(let scheme): try scheme.validate()
    case .palette(let scheme): try scheme.validate()
    case .unique: break
    }
  }

  /// Why a tensor's shape does not take this scheme; nil where it does.
  func fault(of reference: WeightReference) -> TensorRefusal.Fault? {
    switch self {
    case .linear(let scheme): scheme.fault(of: reference)
    case .palette(let scheme): scheme.fault(of: reference)
    case .unique: nil
    }
  }

  /// How many equal blocks share a scale or palette along each axis of a tensor.
  package func blocks(of reference: WeightReference) -> [Int] {
    switch self {
    case .linear(let scheme): scheme.blocks(of: reference)
    case .palette(let scheme): scheme.blocks(of: reference)
    case .unique: reference.shape.map { _ in 1 }
    }
  }
}

extension Scheme? {
  /// A phrase for listings; "uncompressed" without a scheme.
  package var label: String { self?.label ?? Model.plainRecipe }
}

extension WeightReference {
  /// Whether the shape has the role's channel axis.
  package var hasChannels: Bool { shape.indices.contains(role.channelAxis) }

  /// Length of the channel axis; 1 for a tensor without it.
  package var channels: Int { hasChannels ? shape[role.channelAxis] : 1 }

  /// Length of the input axis; nil for a tensor without it.
  package var inputs: Int? {
    shape.indices.contains(role.inputAxis) ? shape[role.inputAxis] : nil
  }

  /// So many blocks along the channel axis, and along the input axis; elsewhere one.
  func blocks(channels: Int, inputs: Int = 1) -> [Int] {
    shape.indices.map { axis in
      axis == role.channelAxis ? channels : axis == role.inputAxis ? inputs : 1
    }
  }
}
