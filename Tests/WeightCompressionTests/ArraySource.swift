import Graph

/// Weights from arrays.
struct ArraySource: WeightSource {
  var tensors: [(name: String, shape: [Int], values: [Float])]

  struct Unreadable: Error, Equatable { let name: String }

  var names: [String] {
    tensors.map(\.name).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  func shape(of name: String) -> [Int]? { tensors.first { $0.name == name }?.shape }

  func floats(of name: String) throws -> [Float] {
    guard let tensor = tensors.first(where: { $0.name == name }), name != "unreadable" else {
      throw Unreadable(name: name)
    }
    return tensor.values
  }
}
