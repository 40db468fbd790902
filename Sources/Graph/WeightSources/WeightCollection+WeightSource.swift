package import Weights

extension WeightCollection: WeightSource {
  package var names: [TensorName] { tensors.map(\.name) }

  package func shape(of name: TensorName) -> [Int]? { self[name]?.shape }

  package func wholeNumberType(of name: TensorName) -> String? {
    guard let type = self[name]?.elementType, type.isWholeNumber else { return nil }
    return type.rawValue
  }

  package func floats(of name: TensorName) throws -> [Float] { try tensor(name).floats() }

  package func floats(of name: TensorName, first count: Int) throws -> [Float] {
    let tensor = try tensor(name)
    return try tensor.floats(in: 0..<min(count, tensor.elementCount))
  }

  package func forEachPiece(of name: TensorName, _ body: (Span<Float>) -> Bool) throws {
    let tensor = try tensor(name)
    try tensor.requireCapacity()
    try tensor.forEachPiece(body)
  }

  private func tensor(_ name: TensorName) throws -> Tensor {
    guard let tensor = self[name] else {
      throw ModelError.missingWeight(origin: origin, name: name)
    }
    return tensor
  }
}
