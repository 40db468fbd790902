import Weights

// The stored parts of a tensor, and what is said where one is missing or has another form.
extension CompressedWeightFile {
  func packedBytes(_ name: TensorName, _ shape: [Int], bits: Int) throws -> Int {
    guard let bitCount = CheckedSize.elementCount(of: shape + [bits]) else {
      throw fault("the shape of '\(name)' has more elements than fit")
    }
    return bitCount / 8 + (bitCount % 8 == 0 ? 0 : 1)
  }

  func check(_ name: TensorName, _ type: ElementType, _ shape: [Int]) throws {
    let found = try part(name, type).shape
    guard found == shape else {
      throw fault("tensor '\(name)' has shape \(found), the metadata needs \(shape)")
    }
  }

  func anyPart(_ name: TensorName) throws -> Tensor {
    guard let tensor = file[name] else { throw fault("tensor '\(name)' is missing") }
    return tensor
  }

  func part(_ name: TensorName, _ type: ElementType) throws -> Tensor {
    let tensor = try anyPart(name)
    guard tensor.elementType == type else {
      throw fault(
        "tensor '\(name)' has type \(tensor.elementType.rawValue), the metadata needs "
          + type.rawValue)
    }
    return tensor
  }

  func fault(_ text: String) -> EmissionError { .malformed(path: path, fault: text) }
}
