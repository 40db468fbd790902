import Graph
import TestSupport
import Testing
import WeightCompression
import Weights

@testable import Calibration

@Suite struct GPTQCompensationTests {
  @Test(arguments: Schemes.all)
  func losesNoMoreThanPlainRounding(_ scheme: Scheme) throws {
    for seed in 0..<6 as Range<UInt64> {
      let layer = SampleLayer(16, 24, rows: 200, seed: seed)
      let result = try layer.compressed(scheme)
      let measure = try LossMeasure(layer)
      let loss = measure.loss(try result.values(layer.reference))
      #expect(result.shortfall == nil)
      #expect(abs(loss - result.loss) <= 1e-3 * loss + 1e-9)
      #expect(loss <= result.roundingLoss * 1.0001 + 1e-12)
      #expect(loss <= measure.plainLoss(scheme) * 1.0001 + 1e-12, "seed \(seed)")
    }
  }

  @Test(arguments: Schemes.all)
  func outputsAreNearerThanOfPlainRounding(_ scheme: Scheme) throws {
    var (ours, plain) = (0.0, 0.0)
    for seed in 10..<16 as Range<UInt64> {
      let layer = SampleLayer(16, 24, rows: 300, seed: seed)
      let result = try layer.compressed(scheme)
      ours += layer.error(try result.values(layer.reference), result.bias)
      let rounded = try LossMeasure.plainValues(layer.weights, layer.reference, scheme)
      plain += layer.error(rounded, layer.bias)
    }
    #expect(ours < plain)
  }

  @Test(arguments: [2, 4])
  func improvesOnRoundingByFar(_ bits: Int) throws {
    let layer = SampleLayer(32, 60, rows: 500, seed: 2)
    let result = try layer.compressed(.palette(bits: bits, .perGroup(size: 16)))
    #expect(result.loss < 0.5 * result.roundingLoss)
  }

  @Test(arguments: Schemes.all)
  func doesNotDependOnThreads(_ scheme: Scheme) throws {
    let layer = SampleLayer(160, 132, rows: 300, seed: 4)
    let one = try layer.compressed(scheme, jobs: 1)
    let four = try layer.compressed(scheme, jobs: 4)
    #expect(one.content == four.content)
    #expect(one.bias == four.bias)
    #expect(one.loss == four.loss)
  }

  @Test(arguments: Schemes.all)
  func scalesWithTheWeights(_ scheme: Scheme) throws {
    var layer = SampleLayer(16, 24, rows: 100, seed: 8)
    let first = try layer.compressed(scheme)
    layer.weights = layer.weights.map { $0 * 8 }
    layer.targets = layer.targets.map { $0 * 8 }
    let second = try layer.compressed(scheme)
    let values = try first.values(layer.reference).map { $0 * 8 }
    let scaled = try second.values(layer.reference)
    // Subnormal float16 values have fewer bits.
    #expect(zip(values, scaled).allSatisfy { abs($0 - $1) <= 8 * 0x1p-24 })
    #expect(second.bias == first.bias.map { $0 * 8 })
  }

  @Test func rowsOfAGroupMayChangePlaces() throws {
    let layer = SampleLayer(12, 15, rows: 90, seed: 6)
    let order = [3, 1, 0, 2, 7, 6, 5, 4, 8, 9, 11, 10]
    let (n, m) = (layer.inputs, layer.outputs)
    var other = layer
    other.weights = order.flatMap { layer.weights[$0 * n..<($0 + 1) * n] }
    other.bias = order.map { layer.bias[$0] }
    other.targets = (0..<layer.rows).flatMap { row in
      order.map { layer.targets[row * m + $0] }
    }
    let scheme = Scheme.palette(bits: 3, .perGroup(size: 4))
    let first = try layer.compressed(scheme)
    let second = try other.compressed(scheme)
    let values = try first.values(layer.reference)
    let moved: [Float] = order.flatMap { values[$0 * n..<($0 + 1) * n] }
    let found = try second.values(layer.reference)
    #expect(zip(moved, found).allSatisfy { abs($0 - $1) < 1e-3 })
    #expect(abs(first.loss - second.loss) < 0.02 * first.loss)
  }

  @Test(arguments: [FloatType.float16, .float32])
  func findsWeightsThatLieOnTheGrid(_ floats: FloatType) throws {
    var generator = SeededGenerator(seed: 9)
    var layer = SampleLayer(8, 12, rows: 80, seed: 9)
    let grid: [Float] = [-0.5, -0.25, 0.125, 1]
    layer.weights = (0..<96).map { _ in grid.randomElement(using: &generator) ?? 0 }
    layer.targets = layer.product(layer.weights, layer.bias)
    let result = try layer.compressed(.palette(bits: 2, .perTensor), floats: floats)
    let found = try result.values(layer.reference, floats)
    #expect(zip(found, layer.weights).allSatisfy { abs($0 - $1) < 1e-3 })
    #expect(zip(result.bias, layer.bias).allSatisfy { abs($0 - $1) < 5e-3 })
  }

  @Test func findsIntegersOnTheGrid() throws {
    var layer = SampleLayer(8, 12, rows: 80, seed: 11)
    layer.weights = (0..<96).map { place in Float(place % 15 - 7) * 0.25 }
    layer.targets = layer.product(layer.weights, layer.bias)
    let scheme = Scheme.linear(LinearScheme(.int4, granularity: .perTensor))
    let result = try layer.compressed(scheme)
    #expect(try result.values(layer.reference) == layer.weights)
  }

  @Test func biasMakesTheMeansRight() throws {
    let layer = SampleLayer(9, 14, rows: 130, seed: 12)
    let result = try layer.compressed(.palette(bits: 2, .perTensor))
    let outputs = layer.product(try result.values(layer.reference), result.bias)
    for o in 0..<9 {
      var sum = 0.0
      for row in 0..<layer.rows {
        let place = row * 9 + o
        sum += Double(layer.rowWeights[row]) * Double(outputs[place] - layer.targets[place])
      }
      let total = layer.rowWeights.reduce(0.0) { sum, weight in sum + Double(weight) }
      #expect(abs(sum / total) < 1e-5)
    }
  }

  @Test func matricesStoredTheOtherWayGiveTheSame() throws {
    let layer = SampleLayer(8, 12, rows: 60, seed: 13)
    var turned = layer.weights
    for (place, value) in layer.weights.enumerated() { turned[place % 12 * 8 + place / 12] = value }
    let reference = WeightReference("layer", [12, 8], role: .matrix(outputAxis: 1))
    for scheme in Schemes.all {
      let expected = try layer.compressed(scheme)
      let result = try GPTQCompensation.compress(
        turned, reference: reference, statistics: layer.statistics(), scheme: scheme,
        floats: .float16, jobs: 1)
      let values = try result.values(reference)
      let wanted = try expected.values(layer.reference)
      let found = wanted.indices.map { values[$0 % 12 * 8 + $0 / 12] }
      #expect(found == wanted, "\(scheme)")
      #expect(result.bias == expected.bias)
    }
  }

  @Test func weightsMayBePartOfTheOutputs() throws {
    let layer = SampleLayer(12, 10, rows: 70, seed: 14)
    let scheme = Scheme.palette(bits: 3, .perGroup(size: 4))
    let whole = try layer.compressed(scheme)
    let part = try GPTQCompensation.compress(
      Array(layer.weights[40..<80]),
      reference: WeightReference("part", [4, 10], role: .matrix(outputAxis: 0)),
      statistics: layer.statistics(), scheme: scheme, floats: .float16, outputs: 4..<8, jobs: 1)
    let values = try whole.values(layer.reference)
    let found = try part.values(
      WeightReference("part", [4, 10], role: .matrix(outputAxis: 0)))
    #expect(zip(found, values[40..<80]).allSatisfy { abs($0 - $1) < 1e-3 })
  }

  @Test func theRidgeLeadsToTheWantedOutputs() throws {
    // The inputs the compressed model sees are others than those the outputs were made of.
    var generator = SeededGenerator(seed: 15)
    var layer = SampleLayer(16, 20, rows: 600, seed: 15)
    layer.values = layer.values.map { $0 * 1.1 + 0.2 * generator.normal() }
    let scheme = Scheme.palette(bits: 4, .perGroup(size: 8))
    let correction = try layer.compressed(scheme)
    let plain = try layer.compressed(scheme, options: GPTQOptions(ridge: nil))
    #expect(
      layer.error(try correction.values(layer.reference), correction.bias)
        < 0.9 * layer.error(try plain.values(layer.reference), plain.bias))
  }
}
