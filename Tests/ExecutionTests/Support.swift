import Graph
import ModelFixtures
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

/// Seeded weights for everything a graph uses, scaled so that deep graphs stay near 1.
func weights(for graph: ModelGraph, seed: UInt64) -> MemoryWeights {
  var generator = SeededGenerator(seed: seed)
  return MemoryWeights(for: graph.weights) { reference in
    let inner = reference.shape.count > 1 ? Float(reference.shape[reference.shape.count - 1]) : 4
    return generator.floats(reference.elementCount, range: 2 / inner.squareRoot())
  }
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
