package import Graph

/// A way to store a compressible tensor; lists every scheme.
///
/// A new one is a case here, one of `CompressedTensor.Content` if it stores other numbers, and a
/// type that conforms to `CompressionScheme`.
package enum Scheme: Hashable, Sendable {
  /// Integers with scales.
  case linear(LinearScheme)
  /// Indices into tables of floats or of short vectors.
  case palette(PaletteScheme)
  /// The palette of the tensor's distinct values.
  case unique
  /// The first rows of a table by one scheme, and all others by another.
  indirect case split(SplitScheme)
  /// Numbers of fewer bits, as they are.
  case narrow(NarrowScheme)

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

  /// The scheme as the common protocol.
  package var own: any CompressionScheme {
    switch self {
    case .linear(let scheme): scheme
    case .palette(let scheme): scheme
    case .unique: UniqueScheme()
    case .split(let scheme): scheme
    case .narrow(let scheme): scheme
    }
  }

  /// See `CompressionScheme`.
  package var label: String { own.label }

  /// See `CompressionScheme`.
  package var fitsEveryWeight: Bool { own.fitsEveryWeight }

  /// See `CompressionScheme`.
  package func validate() throws(CompressionError) { try own.validate() }

  /// See `CompressionScheme`.
  package func blocks(of reference: WeightReference) -> [Int] { own.blocks(of: reference) }
}

/// The properties that every scheme defines.
package protocol CompressionScheme: Sendable {
  /// A phrase for listings, such as "palette 4 bits in groups of 16".
  var label: String { get }
  /// Whether nothing is lost. The stored form then depends on the distinct values, so that planning
  /// must read them.
  var isLossless: Bool { get }
  /// Whether this scheme fits any shape and any values.
  var fitsEveryWeight: Bool { get }
  /// Whether one scale is for all values, so that the largest decides on it.
  var hasOneScale: Bool { get }
  /// Consecutive channels that cannot be taken apart.
  var channelUnit: Int { get }

  /// Refuses widths and sizes that no tensor could have.
  func validate() throws(CompressionError)
  /// Why a tensor's shape does not take this scheme; nil if it does.
  func fault(of reference: WeightReference) -> TensorRefusal.Fault?
  /// Number of equal blocks along each axis of a tensor, each with a scale or palette of its own.
  func blocks(of reference: WeightReference) -> [Int]

  /// Bits per stored element, or per vector of them, without scales and palettes.
  func storedBits(_ floats: FloatType) -> Int
  /// Bytes as stored, scales and palettes included, as far as a shape tells.
  func storedBytes(of reference: WeightReference, _ floats: FloatType) -> Int
  /// The scheme as a stored tensor tells it: with the coarsest granularity that says the same.
  func stored(for reference: WeightReference) -> Scheme
  /// Bytes at the peak of compressing a tensor, its values included; measured, of values that are
  /// all different.
  func peakBytes(of reference: WeightReference, jobs: Int) -> Int

  /// Compresses finite values of a shape that takes the scheme; the result does not depend on `jobs`.
  func compress(
    _ values: [Float], _ reference: WeightReference, _ floats: FloatType, importance: Importance?,
    jobs: Int
  ) -> CompressedTensor.Content
}

extension CompressedTensor {
  /// The stored numbers; elements are row-major.
  package enum Content: Equatable, Sendable {
    /// As they were, except for their float type.
    case uncompressed([Float])
    case linear(LinearCodes)
    case palette(PaletteCodes)
    /// A table in two parts.
    indirect case split(SplitCodes)
    /// In fewer bits, as they are.
    case narrow(NarrowCodes)

    /// The numbers as the common protocol.
    var codes: any CompressedCodes {
      switch self {
      case .uncompressed(let values): UncompressedValues(values: values)
      case .linear(let codes): codes
      case .palette(let codes): codes
      case .split(let codes): codes
      case .narrow(let codes): codes
      }
    }
  }
}

/// The stored numbers of a tensor under any scheme: their size, their check and their decoder.
protocol CompressedCodes: Sendable {
  /// The scheme they were stored by, nil if values are uncompressed; how scales were found leaves no
  /// trace.
  func scheme(of reference: WeightReference) -> Scheme?
  /// Bytes as stored, scales and palettes included.
  func byteCount(_ floats: FloatType) -> Int
  /// Refuses numbers that do not fit a tensor.
  func check(for reference: WeightReference) throws(CompressionError)
  /// Turns them back into values.
  func decoder(of reference: WeightReference, _ floats: FloatType) -> any ValueDecoder
}

/// Turns stored numbers back into values, a piece of a tensor at a time.
protocol ValueDecoder {
  /// Writes the values of a flat range, which starts on a multiple of eight, to the start of `output`.
  func write(_ range: Range<Int>, into output: UnsafeMutableBufferPointer<Float>)
}

/// Values that are stored as they are.
struct UncompressedValues: CompressedCodes, ValueDecoder {
  let values: [Float]

  func scheme(of reference: WeightReference) -> Scheme? { nil }
  func byteCount(_ floats: FloatType) -> Int { floats.byteCount * values.count }

  func check(for reference: WeightReference) throws(CompressionError) {
    try reference.expect("values", values.count, reference.elementCount)
  }

  func decoder(of reference: WeightReference, _ floats: FloatType) -> any ValueDecoder { self }

  func write(_ range: Range<Int>, into output: UnsafeMutableBufferPointer<Float>) {
    for i in range { unsafe output[i - range.lowerBound] = values[i] }
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

  /// Numbers of blocks: as given along the channel axis and the input axis, 1 along others.
  func blocks(channels: Int, inputs: Int = 1) -> [Int] {
    shape.indices.map { axis in
      axis == role.channelAxis ? channels : axis == role.inputAxis ? inputs : 1
    }
  }

  /// Refuses blocks that do not cut the shape, or cut more than two axes of it.
  func check(blocks: [Int]) throws(CompressionError) {
    let fits =
      blocks.count == shape.count
      && zip(blocks, shape).allSatisfy { $0 == 0 ? $1 == 0 : $0 > 0 && $1 % $0 == 0 }
    guard fits, blocks.count(where: { $0 != 1 }) <= 2 else {
      throw .blocks(tensor: name, blocks: blocks, shape: shape)
    }
  }

  /// Refuses more or fewer numbers than the shape needs.
  func expect(_ part: String, _ count: Int, _ expected: Int) throws(CompressionError) {
    guard count != expected else { return }
    throw .inconsistent(tensor: name, part: part, count: count, expected: expected)
  }
}
