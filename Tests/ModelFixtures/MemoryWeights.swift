package import Graph
package import Weights

/// Weights held in memory.
package struct MemoryWeights: WeightFile {
  /// A tensor that is not there, or one of `unreadable`.
  package struct Unreadable: Error, Equatable {
    package let name: TensorName

    package init(name: TensorName) { self.name = name }
  }

  package var tensors: [TensorName: (shape: [Int], values: [Float])]
  /// The text whose digest is theirs; the digest of the values when nil.
  package var label: String?
  /// Tensors that fail to be read.
  package var unreadable: Set<TensorName> = []

  package init(
    tensors: [TensorName: (shape: [Int], values: [Float])] = [:], label: String? = nil
  ) {
    self.tensors = tensors
    self.label = label
  }

  /// Weights for everything a graph uses, their values made one after the other.
  package init(
    for references: [WeightReference], values: (WeightReference) throws -> [Float]
  ) rethrows {
    self.init()
    for reference in references {
      tensors[reference.name] = (reference.shape, try values(reference))
    }
  }

  package var files: [String] { [] }
  package func digest() -> ContentDigest {
    ContentDigest(of: Array((label ?? "\(names.map { tensors[$0]?.values ?? [] })").utf8))
  }

  package var names: [TensorName] { tensors.keys.sorted() }
  package func shape(of name: TensorName) -> [Int]? { tensors[name]?.shape }
  package func floats(of name: TensorName) throws -> [Float] {
    guard let tensor = tensors[name], !unreadable.contains(name) else {
      throw Unreadable(name: name)
    }
    return tensor.values
  }
}

/// Weights with shapes and zeros, enough to recognise a model and to make its graph.
package struct ShapesOnly: WeightFile {
  private let shapes: [TensorName: [Int]]
  /// Types of tensors of whole numbers.
  private let wholeNumbers: [TensorName: String]

  package init(shapes: [TensorName: [Int]] = [:], wholeNumbers: [TensorName: String] = [:]) {
    self.shapes = shapes
    self.wholeNumbers = wholeNumbers
  }

  package var files: [String] { [] }
  package func digest() -> ContentDigest { ContentDigest(of: []) }

  package var names: [TensorName] { shapes.keys.sorted() }
  package func shape(of name: TensorName) -> [Int]? { shapes[name] }
  package func wholeNumberType(of name: TensorName) -> String? { wholeNumbers[name] }
  package func floats(of name: TensorName) -> [Float] {
    Array(repeating: 0, count: shapes[name, default: []].reduce(1, *))
  }
}
