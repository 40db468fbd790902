import Graph
import Inputs
import Testing
import WeightCompression
import Weights

@testable import Calibration

/// Predicted losses against outputs that are measured with each weight swapped.
struct OutputLossesTests {
  private static let schemes: [Scheme] = [
    .int8(.perTensor), .palette(bits: 6, .perTensor), .palette(bits: 4, .perTensor),
  ]

  private static func candidates(_ model: Model) throws -> [TensorName: [CompressedTensor]] {
    var found: [TensorName: [CompressedTensor]] = [:]
    for scheme in schemes {
      let compressed = try WeightCompressor.compress(
        weights: try model.usedWeights(), from: model.weights,
        options: CompressionOptions(scheme: scheme), jobs: 1)
      for tensor in compressed.tensors where tensor.scheme != nil {
        found[tensor.name, default: []].append(tensor)
      }
    }
    return found
  }

  /// Many directions, so that chance is small beside what is tested.
  private static var settings: LossSettings {
    var settings = LossSettings()
    settings.probes = 48
    return settings
  }

  @Test func predictsWhatSwappingEachWeightCosts() throws {
    let model = try TinyBert.model()
    let set = try TinyBert.sentences(200)
    let losses = try OutputLosses(of: model, on: set, settings: Self.settings, jobs: 2)
    let candidates = try Self.candidates(model)
    let predicted = try losses.losses(of: candidates)
    #expect(Set(predicted.keys) == Set(candidates.keys))
    for (name, tensors) in candidates {
      for (place, tensor) in tensors.enumerated() {
        let measured = try measuredLoss(of: [tensor], in: model, set.inputs)
        let ratio = try #require(predicted[name]?[place]) / measured
        // Four bits are no longer a small error.
        let range = place < 2 ? 0.75...1.3 : 0.5...1.7
        #expect(range.contains(ratio), "\(name), \(Self.schemes[place].label): \(ratio)")
      }
    }
  }

  @Test func lossesOfSeveralWeightsAddUp() throws {
    let model = try TinyBert.model()
    let set = try TinyBert.sentences(200)
    let candidates = try Self.candidates(model).mapValues { [$0[1]] }
    let losses = try OutputLosses(of: model, on: set, settings: Self.settings, jobs: 2)
    let sum = try losses.losses(of: candidates).values.reduce(0) { $0 + $1[0] }
    let measured = try measuredLoss(of: candidates.values.map { $0[0] }, in: model, set.inputs)
    #expect((0.75...1.3).contains(sum / measured), "\(sum) for \(measured)")
  }

  @Test(arguments: [1, 3, 8]) func doesNotDependOnThreads(_ jobs: Int) throws {
    let model = try TinyBert.model()
    let set = try TinyBert.sentences(60)
    let candidates = try Self.candidates(model)
    var settings = LossSettings()
    settings.byteLimit = 1 << 16
    let first = try OutputLosses(of: model, on: set, settings: settings, jobs: 2)
    let other = try OutputLosses(of: model, on: set, settings: settings, jobs: jobs)
    #expect(try first.losses(of: candidates) == other.losses(of: candidates))
  }

  /// As many inputs as a number of products allows, and one at least.
  @Test(arguments: [(100_000_000, 50..<61), (300_000, 2..<20), (1, 1..<2)])
  func theProductsThatAreAllowedBoundTheInputs(_ most: Int, _ inputs: Range<Int>) throws {
    var settings = LossSettings()
    settings.maxProducts = most
    let losses = try OutputLosses(
      of: try TinyBert.model(), on: try TinyBert.sentences(60), settings: settings, jobs: 2)
    #expect(inputs.contains(losses.inputCount), "\(losses.inputCount)")
  }

  @Test func aModelOfFeaturesIsPredictedToo() throws {
    let model = try denseModel()
    let lines = (0..<300).map { line in
      let values = (0..<3).map { Double((line * 7 + $0 * 13) % 41) / 20 - 1 }
      return "{\"values\": \(values)}"
    }
    let set = try calibration(lines, origin: "features.jsonl")
    let losses = try OutputLosses(of: model, on: set, settings: Self.settings, jobs: 1)
    let candidates = try Self.candidates(model).mapValues { [$0[0]] }
    let predicted = try losses.losses(of: candidates)
    for (name, tensors) in candidates {
      let measured = try measuredLoss(of: tensors, in: model, set.inputs)
      let ratio = try #require(predicted[name]?[0]) / measured
      #expect((0.75...1.3).contains(ratio), "\(name): \(ratio)")
    }
  }

  /// Errors of a table's first rows make the loss of the first part alone.
  @Test func partsOfATableArePredictedApart() throws {
    let model = try TinyBert.model()
    let losses = try OutputLosses(of: model, on: try TinyBert.sentences(60), jobs: 2)
    let name: TensorName = "embeddings.word_embeddings.weight"
    let table = try #require(try model.usedWeights().first { $0.name == name })
    let trained = try model.weights.floats(of: name)
    let place = 20, width = table.shape[1]
    func wrong(_ isWrong: (Int) -> Bool) throws -> CompressedTensor {
      let values = trained.indices.map { trained[$0] + (isWrong($0 / width) ? 0.01 : 0) }
      return try CompressedTensor(
        table, .uncompressed(values), floats: .float32, relativeError: 0)
    }
    let candidates = try [wrong { $0 < place }, wrong { $0 >= place }, wrong { _ in true }]
    let found = try losses.partLosses(of: [name: candidates], splitting: [name: place])
    let parts = try #require(found[name])
    #expect(parts[0][0] > 0 && parts[0][1] == 0)
    #expect(parts[1][0] == 0 && parts[1][1] > 0)
    #expect(parts[2] == [parts[0][0], parts[1][1]])
    #expect(try losses.partLosses(of: [name: candidates])[name]?.map(\.count) == [1, 1, 1])
  }

  @Test func countsTheLookupsOfATable() throws {
    let model = try TinyBert.model()
    let losses = try OutputLosses(of: model, on: try TinyBert.sentences(60), jobs: 2)
    let counts = try #require(losses.lookups(of: "embeddings.word_embeddings.weight"))
    let tokens = losses.batches.reduce(0) { $0 + $1.graph.inputs[0].type.elementCount }
    #expect(counts.reduce(0, +) == tokens && counts.count { $0 > 0 } > 10)
    #expect(losses.lookups(of: "encoder.layer.0.attention.self.query.weight") == nil)
  }
}
