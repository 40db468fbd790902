import Graph
import TestSupport
import Testing
import WeightCompression
import Weights

@testable import Calibration

/// Convolutions in groups: each group of outputs is fitted to inputs of its own.
@Suite struct GroupedCompensationTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let groups: Int
    /// Of a group.
    let outputs: Int
    let scheme: Scheme
    var testDescription: String { name }
  }

  static let cases = [
    Case(name: "groups, INT8 tensor", groups: 4, outputs: 3, scheme: .int8(.perTensor)),
    Case(name: "groups, palette", groups: 4, outputs: 3, scheme: .palette(bits: 3, .perTensor)),
    Case(
      name: "a palette of rows of two groups", groups: 3, outputs: 2,
      scheme: .palette(bits: 2, .perGroup(size: 3))),
    Case(name: "depthwise, palette", groups: 16, outputs: 1, scheme: .palette(bits: 3, .perTensor)),
    Case(
      name: "depthwise, INT4", groups: 16, outputs: 1,
      scheme: .linear(LinearScheme(.int4, granularity: .perChannel))),
    Case(
      name: "many groups", groups: 60, outputs: 1, scheme: .palette(bits: 4, .perGroup(size: 4))),
  ]

  /// Groups of nine inputs each, those of each group of another size.
  private static func layers(_ test: Case) -> [SampleLayer] {
    (0..<test.groups).map { group in
      var layer = SampleLayer(test.outputs, 9, rows: 80, seed: UInt64(group + 1))
      layer.values = layer.values.map { $0 * Float(1 + group % 3) }
      layer.targets = layer.product(layer.weights, layer.bias)
      return layer
    }
  }

  @Test(arguments: cases) func losesLessThanRounding(_ test: Case) throws {
    let layers = Self.layers(test)
    let reference = WeightReference(
      "w", [test.groups * test.outputs, 1, 3, 3], role: .matrix(outputAxis: 0))
    let weights = layers.flatMap(\.weights)
    let fitted = try Self.compress(test, layers, reference, jobs: 2)
    let values = try fitted.values(reference)
    let plain = try LossMeasure.plainValues(weights, reference, test.scheme)
    #expect(fitted.shortfall == nil)
    #expect(Self.error(layers, values, fitted.bias) < Self.error(layers, plain, nil))
    let again = try Self.compress(test, layers, reference, jobs: 1)
    #expect(again.content == fitted.content && again.bias == fitted.bias)
  }

  @Test func aGroupWithoutSignalIsRounded() throws {
    let test = Case(
      name: "", groups: 3, outputs: 2,
      scheme: .linear(LinearScheme(.int8, granularity: .perChannel)))
    var layers = Self.layers(test)
    layers[1].values = layers[1].values.map { _ in 0 }
    layers[1].targets = layers[1].product(layers[1].weights, layers[1].bias)
    let reference = WeightReference("w", [6, 1, 3, 3], role: .matrix(outputAxis: 0))
    let values = try Self.compress(test, layers, reference, jobs: 1).values(reference)
    let own = Array(values[18..<36])
    let largest = layers[1].weights.map(\.magnitude).max() ?? 0
    #expect(zip(own, layers[1].weights).allSatisfy { abs($0 - $1) <= largest / 127 })
  }

  private static func compress(
    _ test: Case, _ layers: [SampleLayer], _ reference: WeightReference, jobs: Int
  ) throws -> CompensatedWeight {
    try GPTQCompensation.compress(
      layers.flatMap(\.weights), reference: reference,
      moments: layers.map { try $0.statistics().moments() },
      scheme: test.scheme, floats: .float16, jobs: jobs)
  }

  /// The mean squared error of the groups' outputs, from plain loops over their inputs.
  private static func error(
    _ layers: [SampleLayer], _ values: [Float], _ bias: [Float]?
  ) -> Double {
    layers.enumerated().reduce(0) { sum, item in
      let (group, layer) = item
      let count = layer.outputs * layer.inputs
      let own = Array(values[group * count..<(group + 1) * count])
      let outputs = group * layer.outputs..<(group + 1) * layer.outputs
      return sum + layer.error(own, bias.map { Array($0[outputs]) } ?? layer.bias)
    }
  }
}
