import Graph
package import WeightCompression
import Weights

/// Writes the numbers of weights into a package's weight file, one weight after another.
struct NumberWriter: ~Copyable {
  private let target: DeploymentTarget
  private let floats: FloatType
  private var blob: BlobWriter

  /// The program itself holds constants of fewer elements, as coremltools has it.
  private static let minBlobCount = 10

  /// - Parameters:
  ///   - floats: what scales and palettes are stored as.
  ///   - blob: the package's weight file.
  init(target: DeploymentTarget, floats: FloatType = .float16, to blob: consuming BlobWriter) {
    self.target = target
    self.floats = floats
    self.blob = blob
  }

  /// Ends the weight file.
  consuming func finish() throws { try blob.finish() }

  /// Writes the numbers of one weight.
  ///
  /// - Parameter rows: how many rows from the first are used; all when nil. Only of tables of
  ///   positions, which are kept as they are.
  mutating func write(_ tensor: CompressedTensor, rows: Int? = nil) throws -> WrittenWeight {
    switch tensor.content {
    case .uncompressed(let values):
      guard let rows, let all = tensor.shape.first, all > 0 else {
        return .plain(try numbers(values, tensor.floats))
      }
      return .plain(try numbers(Array(values.prefix(values.count / all * rows)), tensor.floats))
    case .narrow(let codes): return .plain(try numbers(codes.values, tensor.floats))
    case .linear(let codes): return try linear(codes, count: tensor.reference.elementCount)
    case .palette(let codes):
      return try palette(codes, count: tensor.reference.elementCount, tensor.floats)
    case .split(let codes):
      let (first, rest) = try codes.tensors(of: tensor.reference, tensor.floats)
      return .split(rows: codes.rows, first: try write(first), rest: try write(rest))
    }
  }

  // Codes of eight bits are stored unsigned around an offset: signed ones give wrong results on some
  // devices (coremltools issue 2114), and moving all of them by 127 or 128 loses nothing.
  private mutating func linear(_ codes: LinearCodes, count: Int) throws -> WrittenWeight {
    let scheme = LinearScheme(codes.integers, mode: codes.mode, granularity: .perTensor)
    let isWide = codes.integers.bits == 8
    let shift = codes.integers == .int8 ? (codes.mode == .symmetric ? 127 : 128) : 0
    let bytes = shift == 0 ? codes.packed : codes.packed.map { $0 &+ UInt8(shift) }
    let type: MILDataType = isWide ? .uint8 : codes.integers.isSigned ? .int4 : .uint4
    var zeroPoints: WrittenWeight.Part?
    if let fixed = scheme.fixedZeroPoint, fixed + shift != 0 {
      zeroPoints = try integers(
        [UInt8](repeating: UInt8(fixed + shift), count: codes.scales.count), type)
    } else if codes.mode == .asymmetric {
      zeroPoints = try integers(
        codes.zeroPoints.map { UInt8(truncatingIfNeeded: Int($0) + shift) }, type)
    }
    return .affine(
      data: try packed(bytes, type, count: count), scale: try numbers(codes.scales, floats),
      offset: zeroPoints, blocks: codes.blocks)
  }

  private mutating func palette(
    _ codes: PaletteCodes, count: Int, _ width: FloatType
  ) throws -> WrittenWeight {
    let form = WrittenWeight.PaletteForm(
      bits: codes.bits, width: codes.width, blocks: codes.blocks)
    let count = count / codes.width
    let indices =
      target >= .iOS18
      ? try packed(codes.indices, NumberWriter.unsigned(bits: codes.bits), count: count)
      : try packed(codes.indices, .uint8, count: codes.indices.count)
    switch codes.entries {
    case .floats(let entries):
      return .palette(indices: indices, table: try numbers(entries, floats), scale: nil, form)
    case .int8(let entries, let scale):
      // Unsigned for the same reason as other codes of eight bits.
      return .palette(
        indices: indices,
        table: try integers(entries.map { UInt8(bitPattern: $0) &+ 127 }, .uint8),
        scale: try numbers([scale], floats), form)
    }
  }

  /// The type of packed integers of so many bits.
  private static func unsigned(bits: Int) throws -> MILDataType {
    switch bits {
    case 1: .uint1
    case 2: .uint2
    case 3: .uint3
    case 4: .uint4
    case 6: .uint6
    case 8: .uint8
    default: throw CompressionError.unknownPaletteBits(bits)
    }
  }

  /// Integers of one byte each, packed as their type is.
  private mutating func integers(
    _ values: [UInt8], _ type: MILDataType
  ) throws -> WrittenWeight.Part {
    let bits = type.bitWidth
    let low = values.map { $0 & UInt8(truncatingIfNeeded: 1 << bits - 1) }
    return try packed(BitPacking.pack(low, bits: bits), type, count: values.count)
  }

  private mutating func packed(
    _ bytes: [UInt8], _ type: MILDataType, count: Int
  ) throws -> WrittenWeight.Part {
    guard count >= NumberWriter.minBlobCount, let blobType = BlobType(type) else {
      return WrittenWeight.Part(type: type, place: .immediate(bytes))
    }
    return WrittenWeight.Part(
      type: type, place: .record(try blob.append(bytes, type: blobType, elementCount: count)))
  }

  private mutating func numbers(
    _ values: [Float], _ width: FloatType
  ) throws -> WrittenWeight.Part {
    guard width == .float32 else {
      return try packed(Float16Bytes.data(of: values), .float16, count: values.count)
    }
    guard values.count >= NumberWriter.minBlobCount else {
      return WrittenWeight.Part(type: .float32, place: .floats(values))
    }
    return WrittenWeight.Part(
      type: .float32,
      place: .record(
        try blob.append(values.littleEndianBytes, type: .float32, elementCount: values.count)))
  }
}

/// Places of the numbers of one weight, for the constants that use them.
indirect enum WrittenWeight {
  /// Numbers of one type; what shape they have is for the user to say.
  struct Part {
    enum Place {
      /// The offset of a record in the weight file.
      case record(UInt64)
      /// In the program itself.
      case immediate([UInt8])
      case floats([Float])
    }

    let type: MILDataType
    let place: Place

    func value(_ shape: [Int]) -> MILValue {
      switch place {
      case .record(let offset): .blob(at: offset, type, shape)
      case .immediate(let bytes): .bytes(bytes, type, shape)
      case .floats(let values): .floats(values, shape)
      }
    }
  }

  /// How indices and tables are to be understood.
  struct PaletteForm {
    let bits: Int
    /// Elements of an entry, along the channel axis.
    let width: Int
    let blocks: [Int]

    /// Entries of all tables.
    var entryCount: Int { blocks.reduce(1, *) << bits }
  }

  case plain(Part)
  /// value = scale · (data − offset); blocks share a scale and an offset.
  case affine(data: Part, scale: Part, offset: Part?, blocks: [Int])
  /// The scale is that of a table of integers around 127.
  case palette(indices: Part, table: Part, scale: Part?, PaletteForm)
  /// A table in two parts, the first of so many rows.
  case split(rows: Int, first: WrittenWeight, rest: WrittenWeight)
}

extension DeploymentTarget {
  /// The oldest system whose opset can hold a weight of a scheme.
  package static func lowest(for scheme: Scheme?) -> DeploymentTarget {
    switch scheme {
    case .linear(let linear):
      if case .perBlock = linear.granularity { return .iOS18 }
      return linear.integers.bits == 8 ? .iOS16 : .iOS18
    case .palette(let palette):
      let isPlain = palette.granularity == .perTensor && palette.width == 1
      return isPlain && palette.entries == .floats && palette.bits != 3 ? .iOS16 : .iOS18
    case .split(let split): return max(lowest(for: split.first), lowest(for: split.rest))
    case .unique, .narrow, nil: return .iOS16
    }
  }
}

extension PlannedTensor {
  /// Bytes that are not counted elsewhere.
  var extraBytes: Int {
    sharedWith == nil ? scheme?.extraBytes(of: reference) ?? 0 : 0
  }
}

extension Scheme {
  /// Bytes that are not counted elsewhere: equal offsets, and packed offsets of four bits.
  fileprivate func extraBytes(of reference: WeightReference) -> Int {
    switch self {
    case .linear(let linear):
      let scales = linear.blocks(of: reference).reduce(1, *)
      let packed = BitPacking.byteCount(scales, bits: linear.integers.bits)
      switch (linear.integers, linear.mode) {
      case (_, .asymmetric): return packed - scales
      case (.int4, .symmetric): return 0
      case (_, .symmetric): return packed
      }
    // The offset of a table of integers.
    case .palette(let palette): return palette.entries == .int8 ? 1 : 0
    case .split(let split):
      let (first, rest) = split.parts(of: reference)
      return split.first.extraBytes(of: first) + split.rest.extraBytes(of: rest)
    case .unique, .narrow: return 0
    }
  }
}
