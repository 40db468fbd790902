import Graph
import TestSupport
import Weights

@testable import Execution

extension SeededGenerator {
  /// Floats in −range...range.
  mutating func floats(_ count: Int, range: Float = 2) -> [Float] {
    (0..<count).map { _ in Float.random(in: -range...range, using: &self) }
  }

  mutating func integers(_ count: Int, in range: ClosedRange<Int32>) -> [Int32] {
    (0..<count).map { _ in Int32.random(in: range, using: &self) }
  }
}

/// Weights held in memory.
struct HeldWeights: WeightSource {
  struct Missing: Error {}
  var tensors: [TensorName: (shape: [Int], values: [Float])] = [:]

  var names: [TensorName] { tensors.keys.sorted() }
  func shape(of name: TensorName) -> [Int]? { tensors[name]?.shape }
  func floats(of name: TensorName) throws -> [Float] {
    guard let tensor = tensors[name] else { throw Missing() }
    return tensor.values
  }
}

/// Seeded weights for everything a graph uses, scaled so that deep graphs stay near 1.
func weights(for graph: ModelGraph, seed: UInt64) -> HeldWeights {
  var generator = SeededGenerator(seed: seed)
  var held = HeldWeights()
  for reference in graph.weights {
    let inner = reference.shape.count > 1 ? Float(reference.shape[reference.shape.count - 1]) : 4
    held.tensors[reference.name] = (
      reference.shape, generator.floats(reference.elementCount, range: 2 / inner.squareRoot())
    )
  }
  return held
}

/// A graph of one operation over inputs `x0`, `x1`, … of the given types.
func graph(
  of types: [ValueType], _ operation: ([Operand]) -> any Operation
) throws -> ModelGraph {
  var builder = GraphBuilder()
  let inputs = types.enumerated().map { builder.input("x\($0.offset)", $0.element) }
  let result = try builder.append("result", operation(inputs))
  return try builder.finish(output: result)
}

/// Seeded values for every input of a graph; integers and their range can be chosen.
func inputs(
  for graph: ModelGraph, seed: UInt64, integers range: ClosedRange<Int32> = 0...1
) -> [String: InputValues] {
  var generator = SeededGenerator(seed: seed)
  var values: [String: InputValues] = [:]
  for input in graph.inputs {
    let count = input.type.elementCount
    values[input.name] =
      input.type.scalar == .float32
      ? .floats(generator.floats(count)) : .integers(generator.integers(count, in: range))
  }
  return values
}

/// The greatest difference, infinite when counts differ or only one of two is NaN.
func difference(_ left: [Float], _ right: [Float]) -> Float {
  guard left.count == right.count else { return .infinity }
  var greatest: Float = 0
  for (a, b) in zip(left, right) where !(a == b || (a.isNaN && b.isNaN)) {
    let distance = abs(a - b)
    greatest = distance.isNaN ? .infinity : max(greatest, distance)
  }
  return greatest
}
