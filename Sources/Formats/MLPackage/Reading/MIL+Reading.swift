import Graph

extension MILTensorType {
  /// Its shape; every length must be known.
  func knownShape() throws(ShapeFault) -> [Int] {
    var shape: [Int] = []
    for dimension in dimensions {
      guard case .constant(let constant) = dimension.dimension else {
        throw ShapeFault("a constant has an axis whose length is not known")
      }
      guard constant.size <= 1 << 40 else {
        throw ShapeFault("a constant has an axis of length \(constant.size)")
      }
      shape.append(Int(constant.size))
    }
    guard Int(rank) == shape.count else {
      throw ShapeFault("a constant has the rank \(rank) and \(shape.count) axes")
    }
    return shape
  }

  /// Type and shape in words.
  var words: String {
    let lengths = dimensions.map { dimension in
      if case .constant(let constant) = dimension.dimension { "\(constant.size)" } else { "?" }
    }
    return "\(dataType.word) [\(lengths.joined(separator: ", "))]"
  }
}

extension MILDataType {
  /// The name in texts of programs.
  var word: String {
    switch self {
    case .float16: "fp16"
    case .float32: "fp32"
    case .float64: "fp64"
    case .bfloat16: "bf16"
    case .unused: "no type"
    case .UNRECOGNIZED(let code): "type \(code)"
    default: "\(self)"
    }
  }

  /// Bits of one element.
  var bitWidth: Int {
    if let blob = BlobType(self) { return blob.bitWidth }
    return self == .float64 || self == .int64 || self == .uint64 ? 64 : 8
  }

  /// Ingot's type for values of this one; nil for what it does not compute with.
  var scalar: ScalarType? {
    switch self {
    case .float16, .float32: .float32
    case .int32, .int16, .uint16, .int8, .uint8: .int32
    case .bool: .bool
    default: nil
    }
  }
}

extension BlobType {
  /// The stored form of a type of the program.
  init?(_ type: MILDataType) {
    switch type {
    case .float16: self = .float16
    case .float32: self = .float32
    case .bfloat16: self = .bfloat16
    case .int8: self = .int8
    case .uint8: self = .uint8
    case .int16: self = .int16
    case .uint16: self = .uint16
    case .int32: self = .int32
    case .uint32: self = .uint32
    case .int4: self = .int4
    case .uint1: self = .uint1
    case .uint2: self = .uint2
    case .uint3: self = .uint3
    case .uint4: self = .uint4
    case .uint6: self = .uint6
    default: return nil
    }
  }
}
