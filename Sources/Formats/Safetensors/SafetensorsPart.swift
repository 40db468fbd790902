import Graph
import WeightCompression
import Weights

/// One tensor of the file: a compressed weight becomes one to three of them.
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
    let (name, shape) = (tensor.name, tensor.shape)
    let blocks = tensor.scheme?.blocks(of: tensor.reference) ?? []
    switch CompressedLayout.layout(of: tensor) {
    case .same: return []
    case .uncompressed: return [SafetensorsPart(name, .f32, shape)]
    case .int8:
      return [
        SafetensorsPart(name, .i8, shape),
        SafetensorsPart(CompressedLayout.scaleName(name), .f32, blocks),
      ]
    case .linear(let integers, let mode):
      let type: ElementType = integers.isSigned ? .i8 : .u8
      let count = BitPacking.byteCount(tensor.reference.elementCount, bits: integers.bits)
      let codes =
        integers.bits == 8
        ? SafetensorsPart(name, type, shape)
        : SafetensorsPart(CompressedLayout.codesName(name), .u8, [count])
      let zeroPoints =
        mode == .asymmetric
        ? [SafetensorsPart(CompressedLayout.offsetName(name), type, blocks)] : []
      return [codes, SafetensorsPart(CompressedLayout.scaleName(name), .f32, blocks)] + zeroPoints
    case .palette(let bits, _, let width, let entries):
      let count = BitPacking.byteCount(tensor.reference.elementCount / width, bits: bits)
      let table = [blocks.reduce(1, *), 1 << bits] + (width > 1 ? [width] : [])
      let indices = SafetensorsPart(CompressedLayout.indicesName(name), .u8, [count])
      let palette = CompressedLayout.paletteName(name)
      guard entries == .int8 else { return [indices, SafetensorsPart(palette, .f32, table)] }
      return [
        indices, SafetensorsPart(palette, .i8, table),
        SafetensorsPart(CompressedLayout.paletteScaleName(name), .f32, []),
      ]
    }
  }

  /// The bytes of each part of a weight, in the order of its parts.
  static func bytes(of tensor: CompressedTensor) -> [[UInt8]] {
    switch tensor.content {
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
