import Graph
import Testing
import WeightCompression
import Weights

@testable import Calibration

@Suite struct GPTQCompensationEdgeTests {
  static let sizes = [[1, 1], [1, 8], [8, 1], [4, 4], [49, 4], [96, 132]]

  @Test(arguments: sizes)
  func takesAnySize(_ size: [Int]) throws {
    for rows in [1, 2, 30] {
      let layer = SampleLayer(size[0], size[1], rows: rows, seed: 21)
      for scheme in [
        Scheme.palette(bits: 2, .perTensor), .int8(.perChannel),
        .palette(bits: 8, .perGroup(size: size[0])),
        .linear(LinearScheme(.uint4, mode: .asymmetric, granularity: .perTensor)),
      ] {
        let result = try layer.compressed(scheme)
        let values = try result.values(layer.reference)
        #expect(values.allSatisfy { $0.isFinite } && result.bias.allSatisfy { $0.isFinite })
        #expect(result.loss <= result.roundingLoss * 1.0001 + 1e-12)
      }
    }
  }

  @Test(arguments: Schemes.all)
  func inputsOfZeroFallBackToPlainCompression(_ scheme: Scheme) throws {
    var layer = SampleLayer(8, 8, rows: 20, seed: 22)
    layer.values = layer.values.map { _ in 0 }
    layer.targets = layer.product(layer.weights, layer.bias)
    let result = try layer.compressed(scheme)
    #expect(result.shortfall == .noSignal)
    let plain = try LossMeasure.plainValues(layer.weights, layer.reference, scheme)
    #expect(try result.values(layer.reference) == plain)
    let biases = Array(zip(result.bias, layer.bias))
    #expect(biases.count == 8 && biases.allSatisfy { abs($0 - $1) < 1e-5 })
  }

  @Test func noRowsFallBackToPlainCompression() throws {
    var layer = SampleLayer(4, 4, rows: 0, seed: 23)
    layer.rowWeights = []
    let result = try layer.compressed(.palette(bits: 2, .perTensor))
    #expect(result.shortfall == .noSignal)
    #expect(result.bias == [0, 0, 0, 0])
  }

  @Test(arguments: [
    Scheme.unique, .palette(PaletteScheme(bits: 4, granularity: .perTensor, width: 2)),
  ])
  func schemesThatCannotBeCompensatedSaySo(_ scheme: Scheme) throws {
    var layer = SampleLayer(4, 4, rows: 10, seed: 24)
    layer.weights = layer.weights.map { ($0 * 64).rounded() / 64 }
    let result = try layer.compressed(scheme)
    #expect(result.shortfall == .scheme)
    #expect(result.bias.allSatisfy { $0.isFinite })
  }

  @Test func biasIsRightForAnyLayout() throws {
    // [2, 3, 2] with channels along the middle axis: the inputs are those of the axes around it.
    let layer = SampleLayer(3, 4, rows: 20, seed: 31)
    var stored = layer.weights
    for o in 0..<3 {
      for i in 0..<4 { stored[(i / 2 * 3 + o) * 2 + i % 2] = layer.weights[o * 4 + i] }
    }
    let reference = WeightReference("w", [2, 3, 2], role: .matrix(outputAxis: 1))
    let result = try GPTQCompensation.compress(
      stored, reference: reference, statistics: layer.statistics(), scheme: .int8(.perTensor),
      floats: .float32, jobs: 1)
    #expect(result.shortfall == .scheme)
    #expect(zip(result.bias, layer.bias).allSatisfy { abs($0 - $1) < 0.01 })
  }

  @Test(arguments: Schemes.all)
  func deadInputsDoNoHarm(_ scheme: Scheme) throws {
    var layer = SampleLayer(8, 12, rows: 50, seed: 25)
    for row in 0..<layer.rows {
      // One is always zero, one constant, and two are the same.
      layer.values[row * 12 + 3] = 0
      layer.values[row * 12 + 5] = 2
      layer.values[row * 12 + 7] = layer.values[row * 12 + 6]
    }
    layer.targets = layer.product(layer.weights, layer.bias)
    let result = try layer.compressed(scheme)
    let values = try result.values(layer.reference)
    #expect(values.allSatisfy { $0.isFinite })
    #expect(result.loss <= result.roundingLoss * 1.0001)
    // Values nothing is known of stay near what they were.
    let largest = layer.weights.reduce(0) { max($0, $1.magnitude) }
    #expect((0..<8).allSatisfy { values[$0 * 12 + 3].magnitude <= 1.5 * largest })
  }

  @Test func momentsWithoutDampingMayBeSingular() throws {
    var layer = SampleLayer(6, 20, rows: 3, seed: 26)
    layer.targets = layer.product(layer.weights, layer.bias)
    let options = GPTQOptions(damping: 0, ridge: 0, meanWeight: 0)
    let result = try layer.compressed(.palette(bits: 3, .perTensor), options: options)
    #expect(try result.values(layer.reference).allSatisfy { $0.isFinite })
  }

  @Test(arguments: Schemes.all)
  func weightsOfZeroStayZero(_ scheme: Scheme) throws {
    var layer = SampleLayer(8, 8, rows: 40, seed: 27)
    layer.weights = layer.weights.map { _ in 0 }
    layer.targets = layer.product(layer.weights, layer.bias)
    let result = try layer.compressed(scheme)
    #expect(try result.values(layer.reference).allSatisfy { $0.magnitude < 1e-6 })
    #expect(zip(result.bias, layer.bias).allSatisfy { abs($0 - $1) < 1e-4 })
  }

  struct Size: CustomTestStringConvertible {
    let name: String
    let factor: Float
    var testDescription: String { name }
  }

  @Test(arguments: [
    Size(name: "weights near the largest half", factor: 65504 / 0.25),
    Size(name: "weights among subnormal halves", factor: 1e-6),
    Size(name: "weights below all halves", factor: 1e-12),
  ])
  func extremeWeightsStayFinite(_ size: Size) throws {
    var layer = SampleLayer(8, 8, rows: 40, seed: 28)
    layer.weights = layer.weights.map { max(-65504, min(65504, $0 * size.factor)) }
    layer.targets = layer.product(layer.weights, layer.bias)
    for scheme in Schemes.all {
      let result = try layer.compressed(scheme)
      #expect(try result.values(layer.reference).allSatisfy { $0.isFinite }, "\(scheme)")
    }
  }

  @Test func oneInputOutshiningAllOthersDoesNoHarm() throws {
    var layer = SampleLayer(8, 30, rows: 100, seed: 29)
    for row in 0..<layer.rows { layer.values[row * 30 + 11] *= 1e4 }
    layer.targets = layer.product(layer.weights, layer.bias)
    let result = try layer.compressed(.palette(bits: 4, .perTensor))
    #expect(result.loss <= result.roundingLoss * 1.0001)
    #expect(try result.values(layer.reference).allSatisfy { $0.isFinite })
  }

  @Test func refusesWhatDoesNotFit() throws {
    let layer = SampleLayer(4, 6, rows: 10, seed: 30)
    func error(
      _ weights: [Float], _ shape: [Int], outputs: Range<Int>? = nil
    ) -> String? {
      let error = #expect(throws: GPTQError.self) {
        try GPTQCompensation.compress(
          weights, reference: WeightReference("w", shape, role: .matrix(outputAxis: 0)),
          statistics: layer.statistics(), scheme: .int8(.perTensor), floats: .float16,
          outputs: outputs, jobs: 1)
      }
      return error?.description
    }
    #expect(error([], [4, 6]) == "weights: 0 numbers, the shape needs 24")
    #expect(error(layer.weights, [6, 4]) == "inputs: 6 numbers, the shape needs 4")
    #expect(
      error(layer.weights, [4, 6], outputs: 0..<3) == "outputs: 3 numbers, the shape needs 4")
    var bad = layer.weights
    bad[13] = .infinity
    #expect(error(bad, [4, 6]) == "weights: the number in row 2, column 1 is not finite")
  }
}
