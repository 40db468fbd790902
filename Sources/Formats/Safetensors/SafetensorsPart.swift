import Graph
import WeightCompression
import Weights

/// One tensor of the file: a compressed weight becomes one to three of them, a table in two parts up
/// to six.
struct SafetensorsPart {
  let name: TensorName
  let elementType: ElementType
  let shape: [Int]

  var byteCount: Int { shape.reduce(elementType.bitWidth / 8, *) }

  /// As a header announces it.
  var announced: (name: TensorName, elementType: ElementType, shape: [Int], byteCount: Int) {
    (name, elementType, shape, byteCount)
  }

  private init(_ name: TensorName, _ elementType: ElementType, _ shape: [Int]) {
    self.name = name
    self.elementType = elementType
    self.shape = shape
  }

  /// The stored parts of a weight.
  static func parts(of tensor: PlannedTensor) -> [SafetensorsPart] {
    tensor.sharedWith == nil ? parts(of: tensor.reference, tensor.scheme, as: tensor.name) : []
  }

  /// - Parameter name: of what is stored.
  private static func parts(
    of reference: WeightReference, _ scheme: Scheme?, as name: TensorName
  ) -> [SafetensorsPart] {
    switch scheme {
    case nil: return [SafetensorsPart(name, .f32, reference.shape)]
    case .linear(let linear): return parts(of: reference, linear, as: name)
    case .palette(let palette): return parts(of: reference, palette, as: name)
    case .split(let split):
      let (first, rest) = split.parts(of: reference)
      return parts(of: first, split.first, as: CompressedLayout.firstName(name))
        + parts(of: rest, split.rest, as: CompressedLayout.restName(name))
    case .narrow(.float16): return [SafetensorsPart(name, .f16, reference.shape)]
    case .narrow(.packed(let packed)):
      let count = BitPacking.byteCount(reference.elementCount, bits: packed.bits)
      return [SafetensorsPart(CompressedLayout.codesName(name), .u8, [count])]
    case .narrow(.tables(let tables)):
      let count = BitPacking.byteCount(reference.elementCount, bits: tables.bits)
      return [
        SafetensorsPart(CompressedLayout.codesName(name), .u8, [count]),
        SafetensorsPart(
          CompressedLayout.tablesName(name), tables.isHalf ? .f16 : .f32,
          [tables.count, tables.width]),
      ]
    case .unique: preconditionFailure("a plan knows the palette of distinct values")
    }
  }

  private static func parts(
    of reference: WeightReference, _ linear: LinearScheme, as name: TensorName
  ) -> [SafetensorsPart] {
    let blocks = linear.blocks(of: reference)
    let (type, bits): (ElementType, Int) = (
      linear.integers.isSigned ? .i8 : .u8, linear.integers.bits
    )
    let count = BitPacking.byteCount(reference.elementCount, bits: bits)
    let codes =
      bits == 8
      ? SafetensorsPart(name, type, reference.shape)
      : SafetensorsPart(CompressedLayout.codesName(name), .u8, [count])
    let zeroPoints =
      linear.mode == .asymmetric
      ? [SafetensorsPart(CompressedLayout.offsetName(name), type, blocks)] : []
    return [codes, SafetensorsPart(CompressedLayout.scaleName(name), .f32, blocks)] + zeroPoints
  }

  private static func parts(
    of reference: WeightReference, _ palette: PaletteScheme, as name: TensorName
  ) -> [SafetensorsPart] {
    let (bits, width) = (palette.bits, palette.width)
    let count = BitPacking.byteCount(reference.elementCount / width, bits: bits)
    let tables = palette.blocks(of: reference).reduce(1, *)
    let shape = [tables, 1 << bits] + (width > 1 ? [width] : [])
    let indices = SafetensorsPart(CompressedLayout.indicesName(name), .u8, [count])
    let paletteName = CompressedLayout.paletteName(name)
    guard palette.entries == .int8 else {
      return [indices, SafetensorsPart(paletteName, .f32, shape)]
    }
    return [
      indices, SafetensorsPart(paletteName, .i8, shape),
      SafetensorsPart(CompressedLayout.paletteScaleName(name), .f32, []),
    ]
  }

  /// The bytes of each part of a weight, in the order of its parts.
  static func bytes(of content: CompressedTensor.Content) -> [[UInt8]] {
    switch content {
    case .uncompressed(let values): return [values.littleEndianBytes]
    case .linear(let codes):
      let zeroPoints =
        codes.mode == .asymmetric
        ? [codes.zeroPoints.map { UInt8(truncatingIfNeeded: $0) }] : []
      return [codes.packed, codes.scales.littleEndianBytes] + zeroPoints
    case .palette(let codes):
      switch codes.entries {
      case .floats(let values): return [codes.indices, values.littleEndianBytes]
      case .int8(let entries, let scale):
        return [
          codes.indices, entries.map { UInt8(bitPattern: $0) }, [scale].littleEndianBytes,
        ]
      }
    case .split(let codes): return bytes(of: codes.first) + bytes(of: codes.rest)
    case .narrow(let codes):
      if let stored = codes.codes {
        return [
          stored.places,
          stored.tables.isHalf
            ? Float16Bytes.bytes(of: stored.entries).bytes : stored.entries.littleEndianBytes,
        ]
      }
      switch codes.scheme {
      case .float16: return [Float16Bytes.bytes(of: codes.values).bytes]
      case .packed(let packed): return [packed.bytes(of: codes.values)]
      case .tables: preconditionFailure("tables come with their codes")
      }
    }
  }

  /// Wide element types first, as safetensors' own writer does, so that all are aligned.
  static func precedes(_ left: SafetensorsPart, _ right: SafetensorsPart) -> Bool {
    if left.elementType.bitWidth != right.elementType.bitWidth {
      return left.elementType.bitWidth > right.elementType.bitWidth
    }
    return left.name < right.name
  }
}
