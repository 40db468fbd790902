extension MILValue {
  /// Floats in the program itself.
  var immediateNumbers: [Float] {
    let tensor = immediateValue.tensor
    switch type.tensorType.dataType {
    case .float32: return tensor.floats.values
    case .float16: return Float16Bytes.floats(of: Array(tensor.bytes.values))
    default: return []
    }
  }
}

extension MILTensorType {
  /// Whether a concrete shape is one of its own.
  func takes(_ shape: [Int64]) -> Bool {
    dimensions.count == shape.count
      && zip(dimensions, shape).allSatisfy { dimension, length in
        guard length >= 0 else { return false }
        guard case .constant(let constant) = dimension.dimension else { return true }
        return constant.size == UInt64(length)
      }
  }
}

extension MILDimension {
  /// Whether the length is the caller's choice.
  var isOpen: Bool { if case .unknown = dimension { true } else { false } }
}

extension SpecArrayFeatureType.DataType {
  /// The program's type for this one.
  var type: MILDataType? {
    switch self {
    case .float16: .float16
    case .float32: .float32
    case .double: .float64
    case .int8: .int8
    case .int32: .int32
    default: nil
    }
  }
}
