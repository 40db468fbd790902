import Graph
import TestSupport
import Testing
import WeightCompression
import Weights

@testable import Calibration

/// Wanted outputs that are known by other inputs.
@Suite struct LayerMomentsTests {
  /// The moments of y = W v + b from those of v are those of the rows y.
  @Test(arguments: [0, 100]) func mappedOutputsHaveTheMomentsOfTheirRows(_ offset: Float) throws {
    var layer = SampleLayer(7, 12, rows: 1500, seed: 11)
    layer.values = layer.values.map { $0 + offset }
    // Other inputs, which the wanted outputs are made of.
    var other = SampleLayer(7, 12, rows: 1500, seed: 12)
    other.values = zip(layer.values, other.values).map { $0 + 0.1 * $1 }
    layer.targets = other.product(other.weights, other.bias)
    let direct = try layer.statistics().moments()
    var statistics = LayerStatistics(inputs: 12, outputs: 12)
    try statistics.add(layer.values, other.values, layer.rowWeights)
    let mapped = try statistics.moments().mapped(
      by: Matrix(rows: 7, columns: 12, other.weights), bias: other.bias, jobs: 3)
    #expect(mapped.inputs == 12 && mapped.outputs == 7 && mapped.weight == direct.weight)
    #expect(mapped.inputMeans == direct.inputMeans)
    for output in 0..<7 {
      #expect(abs(mapped.outputMeans[output] - direct.outputMeans[output]) < 1e-4)
      for input in 0..<12 {
        let difference =
          mapped.crossCovariance(output, input) - direct.crossCovariance(output, input)
        #expect(abs(difference) < 1e-3 * direct.variance(input).squareRoot())
      }
    }
    for (i, j) in [(0, 0), (3, 11), (11, 3)] {
      #expect(mapped.covariance(i, j) == direct.covariance(i, j))
    }
  }

  /// Queries, keys and values of one input, and a layer of more outputs than inputs.
  @Test func layersAreFittedByTheirInputsWhereThoseAreFewer() throws {
    let model = try TinyBert.model()
    let graph = try model.architecture.smallestGraph()
    let layers = CalibratedLayer.all(in: graph) { _ in .int8(.perChannel) }
    #expect(layers.prefix(6).map(\.isFittedByInputs) == [true, true, true, false, true, false])
    let options = try CompressionOptions(scheme: .int8(.perChannel), floats: .float16)
    let settings = CalibrationSettings()
    let sample = try CalibrationSample(
      try TinyBert.sentences(40), for: model, settings: settings,
      shapes: InputShapes(layers, in: graph))
    var pass = try CalibrationPass(
      model: model, layers: layers, sample: sample,
      plan: PlannedWeights(
        try WeightCompressor.plan(
          weights: graph.weights, from: model.weights, options: options)),
      gradients: GradientMoments(), memory: CalibrationMemory(), settings: settings, jobs: 2
    ) { _ in }
    for place in [0, 1, 2, 4] {
      let layer = layers[place]
      let moments = try #require(try pass.moments(ofLayer: place).first)
      let weights = Matrix(
        channelsOf: layer.weight, try model.weights.floats(of: layer.weight.name))
      let bias = try model.weights.floats(of: try #require(layer.bias).name)
      // Nothing is compressed yet: both models have the same inputs.
      for output in 0..<weights.rows {
        let mean = (0..<weights.columns).reduce(Double(bias[output])) {
          $0 + Double(weights[output, $1]) * moments.inputMeans[$1]
        }
        #expect(abs(moments.outputMeans[output] - mean) < 1e-5)
        let shared = (0..<weights.columns).reduce(0.0) {
          $0 + Double(weights[output, $1]) * moments.covariance($1, 0)
        }
        #expect(abs(moments.crossCovariance(output, 0) - shared) < 1e-5)
      }
    }
  }

  /// A weight that is used again is fitted by the outputs of all its uses.
  @Test func aWeightOfSeveralUsesIsFittedByItsOutputs() throws {
    let weight = WeightReference("w", [6, 6], role: .matrix(outputAxis: 0))
    let other = WeightReference("v", [6, 6], role: .matrix(outputAxis: 0))
    var builder = GraphBuilder()
    let x = builder.input("x", ValueType(.float32, [1, 6]))
    let first = try builder.append("first", Linear(x, weight: .weight(weight), bias: nil))
    let beside = try builder.append("beside", Linear(x, weight: .weight(other), bias: nil))
    let sum = try builder.append("sum", ElementwiseBinary(.mul, first, beside))
    let result = try builder.append("result", Linear(sum, weight: .weight(weight), bias: nil))
    let layers = CalibratedLayer.all(in: try builder.finish(output: result)) { _ in
      .int8(.perChannel)
    }
    #expect(layers.map(\.weight.name) == ["w", "v"])
    #expect(layers.map(\.isFittedByInputs) == [false, true])
    #expect(layers[0].laterUses.map(\.isFittedByInputs) == [false])
  }
}
