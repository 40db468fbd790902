package import Weights

extension WeightCollection: WeightSource {
  package var names: [String] { tensors.map(\.name) }

  package func shape(of name: String) -> [Int]? { self[name]?.shape }

  package func wholeNumberType(of name: String) -> String? {
    guard let type = self[name]?.elementType, type.isWholeNumber else { return nil }
    return type.rawValue
  }

  package func floats(of name: String) throws -> [Float] {
    guard let tensor = self[name] else {
      throw ModelError.missingWeight(origin: origin, name: name)
    }
    return try tensor.floats()
  }

  package func floats(of name: String, first count: Int) throws -> [Float] {
    guard let tensor = self[name] else {
      throw ModelError.missingWeight(origin: origin, name: name)
    }
    return try tensor.floats(in: 0..<min(count, tensor.elementCount))
  }
}
