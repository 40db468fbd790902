package import Weights

extension WeightCollection: WeightSource {
  package var names: [String] { tensors.map(\.name) }

  package func shape(of name: String) -> [Int]? { self[name]?.shape }

  package func wholeNumberType(of name: String) -> String? {
    guard let type = self[name]?.elementType, type.isWholeNumber else { return nil }
    return type.rawValue
  }

  package func floats(of name: String) throws -> [Float] { try tensor(name).floats() }

  package func floats(of name: String, first count: Int) throws -> [Float] {
    let tensor = try tensor(name)
    return try tensor.floats(in: 0..<min(count, tensor.elementCount))
  }

  package func forEachPiece(of name: String, _ body: (Span<Float>) -> Bool) throws {
    let tensor = try tensor(name)
    try tensor.requireCapacity()
    try tensor.forEachPiece(body)
  }

  private func tensor(_ name: String) throws -> Tensor {
    guard let tensor = self[name] else {
      throw ModelError.missingWeight(origin: origin, name: name)
    }
    return tensor
  }
}
