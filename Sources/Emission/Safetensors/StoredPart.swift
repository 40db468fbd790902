import Graph
import WeightCompression
import Weights

/// One tensor of the file: a compressed weight becomes one or two of them.
struct StoredPart {
  let name: String
  let elementType: ElementType
  let shape: [Int]
  let bytes: [UInt8]

  /// What a compressed weight is stored as.
  static func parts(of tensor: CompressedTensor) -> [StoredPart] {
    let name = tensor.name
    switch tensor.content {
    case .kept(let values):
      return [StoredPart(name: name, floats: values, shape: tensor.shape)]
    case .int8(let codes, let scales):
      return [
        StoredPart(
          name: name, elementType: .i8, shape: tensor.shape,
          bytes: codes.map { UInt8(bitPattern: $0) }),
        StoredPart(
          name: CompressedLayout.scaleName(name), floats: scales,
          shape: scaleShape(of: tensor, scales: scales.count)),
      ]
    case .palette(let indices, let bits, let palettes, let groups):
      return [
        StoredPart(
          name: CompressedLayout.indicesName(name), elementType: .u8, shape: [indices.count],
          bytes: indices),
        StoredPart(
          name: CompressedLayout.paletteName(name), floats: palettes, shape: [groups, 1 << bits]),
      ]
    }
  }

  /// The tensor's rank with 1 on every axis that shares scales, so that they broadcast.
  static func scaleShape(of tensor: CompressedTensor, scales: Int) -> [Int] {
    tensor.shape.indices.map { $0 == tensor.role.channelAxis ? scales : 1 }
  }

  /// Wide element types first, as safetensors' own writer does, so that all lie aligned.
  static func precedes(_ left: StoredPart, _ right: StoredPart) -> Bool {
    if left.elementType.bitWidth != right.elementType.bitWidth {
      return left.elementType.bitWidth > right.elementType.bitWidth
    }
    return left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
  }

  private init(name: String, elementType: ElementType, shape: [Int], bytes: [UInt8]) {
    self.name = name
    self.elementType = elementType
    self.shape = shape
    self.bytes = bytes
  }

  private init(name: String, floats: [Float], shape: [Int]) {
    self.init(name: name, elementType: .f32, shape: shape, bytes: floats.littleEndianBytes)
  }
}
