import Graph
import WeightCompression

@testable import Calibration

/// The loss of a layer's values, from its definition.
struct LossMeasure {
  let layer: SampleLayer
  let problem: LayerProblem

  struct NoSignal: Error {}

  init(_ layer: SampleLayer, _ options: GPTQOptions = GPTQOptions()) throws {
    self.layer = layer
    let matrix = Matrix(rows: layer.outputs, columns: layer.inputs, layer.weights)
    guard
      let problem = try LayerProblem(
        matrix, [layer.statistics().moments()], options, jobs: 1)
    else { throw NoSignal() }
    self.problem = problem
  }

  /// tr((Q − A) H (Q − A)ᵀ) of values [outputs, inputs].
  func loss(_ values: [Float]) -> Double {
    (0..<layer.outputs).reduce(0) { $0 + loss($1, values) } * problem.unit
  }

  /// One row's share, in units of the problem.
  func loss(_ row: Int, _ values: [Float]) -> Double {
    let n = layer.inputs
    let errors = problem.order.indices.map { place in
      Double(values[row * n + problem.order[place]]) - Double(problem.target[row, place])
    }
    var sum = 0.0
    for i in 0..<n {
      for j in 0..<n { sum += errors[i] * errors[j] * Double(problem.parts[0].hessian[i, j]) }
    }
    return sum
  }

  /// The target matrix, in the weights' own order.
  var target: [Float] {
    var target = layer.weights
    for row in 0..<layer.outputs {
      for (place, column) in problem.order.enumerated() {
        target[row * layer.inputs + column] = problem.target[row, place]
      }
    }
    return target
  }

  /// The loss of compression without regard to inputs.
  func plainLoss(_ scheme: Scheme) -> Double {
    (try? Self.plainValues(target, layer.reference, scheme)).map(loss) ?? .nan
  }

  static func plainValues(
    _ weights: [Float], _ reference: WeightReference, _ scheme: Scheme
  ) throws -> [Float] {
    let content = scheme.own.compress(weights, reference, .float16, importance: nil, jobs: 1)
    return try CompressedTensor(reference, content, floats: .float16, relativeError: 0)
      .dequantized()
  }
}
