import Graph
import TestSupport
import Testing
import WeightCompression

@testable import Calibration

/// Errors of outputs that act together on what comes behind a layer.
@Suite struct OutputCouplingTests {
  /// Gradients [rows, outputs] of few sources, so that they hang together.
  private static func moments(_ outputs: Int) throws -> LayerMoments {
    var numbers = SeededGenerator(seed: 4)
    let mixing = numbers.normals(3 * outputs)
    var statistics = LayerStatistics(inputs: outputs, outputs: 0)
    let rows = (0..<400).flatMap { _ -> [Float] in
      let hidden = numbers.normals(3)
      return (0..<outputs).map { output in
        0.1 * numbers.normal()
          + (0..<3).reduce(0) { $0 + hidden[$1] * mixing[$1 * outputs + output] }
      }
    }
    try statistics.add(rows, [], [Float](repeating: 1, count: 400))
    return try statistics.moments()
  }

  /// Σ over inputs of eᵀ F e, F being the second moments with their damping.
  private static func loss(_ errors: [Float], _ moments: LayerMoments, inputs: Int) -> Double {
    let outputs = moments.inputs
    let damping = 0.3 * moments.diagonal(meanWeight: 1).reduce(0, +) / Double(outputs)
    var sum = 0.0
    for i in 0..<outputs {
      for j in 0..<outputs {
        let moment =
          moments.covariance(i, j) + moments.inputMeans[i] * moments.inputMeans[j]
          + (i == j ? damping : 0)
        for input in 0..<inputs {
          sum += moment * Double(errors[i * inputs + input]) * Double(errors[j * inputs + input])
        }
      }
    }
    return sum
  }

  /// With all earlier rows free to follow, no other change of the rows loses less.
  @Test func rowsMakeUpForAllRowsAfterThem() throws {
    let (outputs, inputs) = (12, 5)
    let moments = try Self.moments(outputs)
    let coupling = try #require(
      try OutputCoupling(OutputCoupling.secondMoments(moments, jobs: 1), jobs: 1))
    var numbers = SeededGenerator(seed: 8)
    let errors = Matrix(rows: outputs, columns: inputs)
    for row in 8..<outputs {
      for input in 0..<inputs { errors[row, input] = numbers.normal() }
    }
    for rows in [4..<8, 0..<4] {
      let change = try coupling.change(of: rows, after: errors)
      for row in rows {
        for input in 0..<inputs { errors[row, input] = change[row - rows.lowerBound, input] }
      }
    }
    let best = Self.loss(errors.values, moments, inputs: inputs)
    for row in 0..<8 {
      for step in [Float(-0.05), 0.05] {
        var moved = errors.values
        moved[row * inputs + 2] += step
        #expect(Self.loss(moved, moments, inputs: inputs) > best)
      }
    }
    let none = Matrix(rows: 4, columns: inputs)
    #expect(try coupling.change(of: 8..<12, after: errors).values == none.values)
  }

  @Test(arguments: [
    Scheme.palette(bits: 3, .perGroup(size: 4)), .int8(.perChannel),
    .linear(LinearScheme(.int4, granularity: .perBlock(size: 4))),
  ])
  func losesLessWhereErrorsActTogether(_ scheme: Scheme) throws {
    let layer = SampleLayer(256, 24, rows: 300, seed: 5)
    let moments = try Self.moments(256)
    let coupling = try #require(
      try OutputCoupling(OutputCoupling.secondMoments(moments, jobs: 1), jobs: 1))
    func losses(_ coupling: OutputCoupling?, jobs: Int = 1) throws -> (Double, [Float]) {
      let found = try GPTQCompensation.compress(
        layer.weights, reference: layer.reference, moments: [layer.statistics().moments()],
        coupling: coupling, scheme: scheme, floats: .float16,
        options: GPTQOptions(ridge: nil), jobs: jobs)
      let values = try found.values(layer.reference)
      let errors = layer.product(zip(values, layer.weights).map { $0 - $1 }, layer.bias)
      let centred = (0..<256).flatMap { output -> [Float] in
        let column = (0..<layer.rows).map { errors[$0 * 256 + output] }
        let mean = column.reduce(0, +) / Float(column.count)
        return column.map { $0 - mean }
      }
      return (Self.loss(centred, moments, inputs: layer.rows), values)
    }
    let (together, values) = try losses(coupling)
    #expect(together < 0.95 * (try losses(nil).0))
    #expect(try losses(coupling, jobs: 3).1 == values)
  }
}
