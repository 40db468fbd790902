import Graph
import Weights

/// Weights from arrays.
struct ArraySource: WeightSource {
  var tensors: [(name: TensorName, shape: [Int], values: [Float])]

  struct Unreadable: Error, Equatable { let name: TensorName }

  var names: [TensorName] { tensors.map(\.name).sorted() }

  func shape(of name: TensorName) -> [Int]? { tensors.first { $0.name == name }?.shape }

  func floats(of name: TensorName) throws -> [Float] {
    guard let tensor = tensors.first(where: { $0.name == name }), name != "unreadable" else {
      throw Unreadable(name: name)
    }
    return tensor.values
  }
}
