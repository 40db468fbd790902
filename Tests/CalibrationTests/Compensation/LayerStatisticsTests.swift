import Testing

@testable import Calibration

@Suite struct LayerStatisticsTests {
  struct Case: CustomTestStringConvertible {
    let name: String
    let rows: Int
    let inputs: Int
    let outputs: Int
    /// Added to every number.
    var offset: Float = 0
    var testDescription: String { name }
  }

  static let cases = [
    Case(name: "one row", rows: 1, inputs: 3, outputs: 2),
    Case(name: "one input and output", rows: 50, inputs: 1, outputs: 1),
    Case(name: "less than a block", rows: 400, inputs: 17, outputs: 5),
    Case(name: "a block and one row", rows: 1025, inputs: 9, outputs: 4),
    Case(name: "many blocks, far from zero", rows: 5000, inputs: 12, outputs: 7, offset: 100),
    Case(name: "several tiles", rows: 300, inputs: 600, outputs: 300),
  ]

  @Test(arguments: cases)
  func agreesWithTwoPassesInDouble(_ given: Case) throws {
    var layer = SampleLayer(given.outputs, given.inputs, rows: given.rows, seed: 7)
    layer.values = layer.values.map { $0 + given.offset }
    layer.targets = layer.targets.map { $0 - given.offset }
    let moments = try layer.statistics(jobs: 2).moments()
    let expected = TwoPass(layer)
    for i in 0..<given.inputs {
      #expect(abs(moments.inputMeans[i] - expected.inputMeans[i]) < 1e-4)
      for j in 0..<given.inputs {
        let scale = (expected.covariance(i, i) * expected.covariance(j, j)).squareRoot()
        let difference = abs(moments.covariance(i, j) - expected.covariance(i, j))
        #expect(difference <= 2e-5 * scale + 1e-9, "\(i), \(j)")
      }
    }
    for o in 0..<given.outputs {
      #expect(abs(moments.outputMeans[o] - expected.outputMeans[o]) < 1e-4)
      for i in 0..<given.inputs {
        let scale = (expected.covariance(i, i) * expected.outputVariances[o]).squareRoot()
        let difference = abs(moments.crossCovariance(o, i) - expected.cross(o, i))
        #expect(difference <= 2e-5 * scale + 1e-9, "\(o), \(i)")
      }
    }
  }

  @Test func doesNotDependOnBatchesOrThreads() throws {
    let layer = SampleLayer(300, 280, rows: 2300, seed: 3)
    let whole = try layer.statistics(jobs: 1).moments()
    var parts = LayerStatistics(inputs: 280, outputs: 300, jobs: 4)
    for start in stride(from: 0, to: 2300, by: 77) {
      let end = min(start + 77, 2300)
      try parts.add(
        Array(layer.values[start * 280..<end * 280]),
        Array(layer.targets[start * 300..<end * 300]), Array(layer.rowWeights[start..<end]))
    }
    let other = try parts.moments()
    #expect(parts.rowCount == 2300)
    #expect(whole.inputMeans == other.inputMeans)
    #expect(whole.outputMeans == other.outputMeans)
    for i in 0..<280 {
      for j in 0...i { #expect(whole.covariance(i, j) == other.covariance(i, j)) }
      for o in 0..<300 { #expect(whole.crossCovariance(o, i) == other.crossCovariance(o, i)) }
    }
  }

  @Test func momentsCanBeReadBetweenBatches() throws {
    let layer = SampleLayer(3, 4, rows: 40, seed: 5)
    var statistics = try layer.statistics()
    let first = try statistics.moments()
    #expect(try statistics.moments().inputMeans == first.inputMeans)
    try statistics.add(layer.values, layer.targets, layer.rowWeights)
    let twice = try statistics.moments()
    #expect(abs(twice.weight - 2 * first.weight) < 1e-9)
    #expect(abs(twice.covariance(1, 2) - first.covariance(1, 2)) < 1e-5)
  }

  @Test func rowsWithoutWeightDoNotCount() throws {
    var statistics = LayerStatistics(inputs: 1, outputs: 1)
    try statistics.add([1, 1000, 3], [5, -7, 9], [1, 0, 1])
    let moments = try statistics.moments()
    #expect(moments.inputMeans == [2])
    #expect(moments.outputMeans == [7])
    #expect(moments.variance(0) == 1)
  }

  struct Fault: CustomTestStringConvertible {
    let name: String
    var inputs: [Float] = [1, 2, 3, 4]
    var targets: [Float] = [1, 2]
    var weights: [Float] = [1, 1]
    let error: String
    var testDescription: String { name }
  }

  static let faults = [
    Fault(
      name: "NaN", inputs: [1, 2, 3, .nan],
      error: "inputs: the number in row 1, column 1 is not finite"),
    Fault(
      name: "infinite output", targets: [-.infinity, 2],
      error: "outputs: the number in row 0, column 0 is not finite"),
    Fault(
      name: "negative weight", weights: [1, -1],
      error: "the weight of row 1 is no finite number from 0 on"),
    Fault(
      name: "NaN weight", weights: [.nan, 1],
      error: "the weight of row 0 is no finite number from 0 on"),
    Fault(name: "few inputs", inputs: [1], error: "inputs: 1 number, the shape needs 4"),
    Fault(name: "few outputs", targets: [], error: "outputs: 0 numbers, the shape needs 2"),
  ]

  @Test(arguments: faults)
  func refuses(_ fault: Fault) {
    var statistics = LayerStatistics(inputs: 2, outputs: 1)
    let error = #expect(throws: GPTQError.self) {
      try statistics.add(fault.inputs, fault.targets, fault.weights)
    }
    #expect(error?.description == fault.error)
  }

  @Test func squaresThatOverflowAreRefused() throws {
    var statistics = LayerStatistics(inputs: 1, outputs: 1)
    try statistics.add([-3e38, 3e38], [0, 0], [1, 1])
    #expect(throws: GPTQError.overflow) { try statistics.moments() }
  }
}

/// Moments computed plainly.
private struct TwoPass {
  var inputMeans: [Double]
  var outputMeans: [Double]
  var outputVariances: [Double]
  private var inputs: Int
  private var covariances: [Double]
  private var crossings: [Double]

  init(_ layer: SampleLayer) {
    let (n, m) = (layer.inputs, layer.outputs)
    inputs = n
    inputMeans = Array(repeating: 0, count: n)
    outputMeans = Array(repeating: 0, count: m)
    outputVariances = outputMeans
    covariances = Array(repeating: 0, count: n * n)
    crossings = Array(repeating: 0, count: n * m)
    let total = layer.rowWeights.reduce(0) { $0 + Double($1) }
    for row in 0..<layer.rows {
      let weight = Double(layer.rowWeights[row]) / total
      for i in 0..<n { inputMeans[i] += weight * Double(layer.values[row * n + i]) }
      for o in 0..<m { outputMeans[o] += weight * Double(layer.targets[row * m + o]) }
    }
    for row in 0..<layer.rows {
      let weight = Double(layer.rowWeights[row]) / total
      let x = (0..<n).map { Double(layer.values[row * n + $0]) - inputMeans[$0] }
      let y = (0..<m).map { Double(layer.targets[row * m + $0]) - outputMeans[$0] }
      for i in 0..<n {
        for j in 0..<n { covariances[i * n + j] += weight * x[i] * x[j] }
        for o in 0..<m { crossings[o * n + i] += weight * y[o] * x[i] }
      }
      for o in 0..<m { outputVariances[o] += weight * y[o] * y[o] }
    }
  }

  func covariance(_ i: Int, _ j: Int) -> Double { covariances[i * inputs + j] }
  func cross(_ output: Int, _ input: Int) -> Double { crossings[output * inputs + input] }
}
