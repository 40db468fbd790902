import Graph
import TestSupport
import Testing
import WeightCompression
import Weights

@testable import Calibration

/// What errors of tables and layers cost, from gradients.
@Suite struct GradientMomentsTests {
  @Test func everyTableAndLayerHasThem() throws {
    let model = try TinyBert.model()
    let losses = try OutputLosses(of: model, on: try TinyBert.sentences(60), jobs: 2)
    let moments = try losses.gradientMoments()
    for weight in try model.architecture.smallestGraph().weights where weight.role.isCompressible {
      if weight.role == .tokenTable {
        #expect(moments[rowsOf: weight.name]?.inputs == weight.shape[1], "\(weight.name)")
      } else {
        let found = moments[outputsOf: weight.name]
        #expect(found?.rows == weight.channels && found?.columns == weight.channels)
      }
    }
    #expect(moments[rowsOf: "embeddings.position_embeddings.weight"] == nil)
  }

  @Test func doNotDependOnThreads() throws {
    let model = try TinyBert.model()
    let all = try [1, 3].map { jobs in
      try OutputLosses(of: model, on: try TinyBert.sentences(60), jobs: jobs).gradientMoments()
    }
    let name: TensorName = "encoder.layer.0.intermediate.dense.weight"
    let found = try all.map { try #require($0[outputsOf: name]).values }
    #expect(found[0] == found[1] && found[0].contains { $0 != 0 })
  }

  /// ½ eᵀ F e for each lookup is the loss of a table whose rows err in one direction each.
  @Test func giveTheLossOfATable() throws {
    let model = try TinyBert.model()
    var settings = LossSettings()
    (settings.probes, settings.mostMomentProbes) = (48, 48)
    let losses = try OutputLosses(
      of: model, on: try TinyBert.sentences(200), settings: settings, jobs: 2)
    let name: TensorName = "embeddings.word_embeddings.weight"
    let reference = try #require(
      try model.architecture.smallestGraph().weights.first { $0.name == name })
    let trained = try model.weights.floats(of: name)
    // Errors of different rows are independent, so that their products cancel in the mean.
    var numbers = SeededGenerator(seed: 3)
    let noisy = trained.map { $0 + 0.01 * numbers.normal() }
    let tensor = try CompressedTensor(
      reference, .uncompressed(noisy), floats: .float32, relativeError: 0)
    let predicted = try #require(try losses.losses(of: [name: [tensor]])[name]?.first)
    let moments = try #require(try losses.gradientMoments()[rowsOf: name])
    let perToken = (0..<moments.inputs).reduce(0.0) { sum, i in
      sum + 1e-4 * (moments.covariance(i, i) + moments.inputMeans[i] * moments.inputMeans[i])
    }
    let tokens = Double(losses.batches.reduce(0) { $0 + ($1.graph.inputs[0].type.elementCount) })
    let expected = 0.5 * perToken * tokens / Double(losses.inputCount)
    #expect((0.6...1.6).contains(predicted / expected), "\(predicted) for \(expected)")
  }
}
