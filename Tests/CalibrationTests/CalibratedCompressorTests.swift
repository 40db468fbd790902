import Foundation
import Graph
import Inputs
import Files
import TestSupport
import Testing
import WeightCompression
import Weights

@testable import Calibration

@Suite struct CalibratedCompressorTests {
  private static let fourBits = Scheme.palette(bits: 4, .perGroup(size: 8))

  private func compress(
    _ model: Model, _ scheme: Scheme?, _ set: CalibrationSet, jobs: Int = 2,
    floats: FloatType = .float16
  ) throws -> CompressedWeights {
    try CalibratedCompressor.compress(
      model: model, options: try CompressionOptions(scheme: scheme, floats: floats),
      calibration: set, jobs: jobs)
  }

  /// Mean squared difference of the outputs for other inputs than those of the calibration.
  private func error(_ model: Model, _ weights: CompressedWeights, _ inputs: [Input]) throws
    -> Double
  {
    let before = try ModelRunner(model: model, jobs: 1).outputs(for: inputs).values
    let after = try ModelRunner(model: model, weights: weights, jobs: 1).outputs(for: inputs).values
    return zip(before, after).reduce(0) { $0 + Double(($1.0 - $1.1) * ($1.0 - $1.1)) }
      / Double(before.count)
  }

  @Test(arguments: [Scheme.int8(.perChannel), fourBits]) func doesNotDependOnThreads(
    _ scheme: Scheme
  ) throws {
    let model = try TinyBert.model()
    let set = try TinyBert.sentences(40)
    let all = try [1, 2, 3].map { try compress(model, scheme, set, jobs: $0) }
    for other in all.dropFirst() {
      #expect(other.tensors.map(\.name) == all[0].tensors.map(\.name))
      #expect(other.tensors.map(\.content) == all[0].tensors.map(\.content))
      #expect(other.tensors.map(\.relativeError) == all[0].tensors.map(\.relativeError))
    }
  }

  @Test func aTableInTwoPartsIsFitted() throws {
    let model = try TinyBert.model()
    let split = SplitScheme(
      rows: 8, first: .palette(bits: 4, .perTensor), rest: .palette(bits: 2, .perGroup(size: 8)))
    let recipe = Recipe(
      rules: [RecipeRule(RecipeRule.Match(roles: [.tokenTable]), .split(split))],
      keepsOthers: true)
    let options = try CompressionOptions(recipe: recipe, floats: .float16)
    let found = try CalibratedCompressor.compress(
      model: model, options: options, calibration: try TinyBert.sentences(20), jobs: 2)
    let plain = try WeightCompressor.compress(
      weights: model.usedWeights(), from: model.weights, options: options, jobs: 1)
    let name: TensorName = "embeddings.word_embeddings.weight"
    let table = try #require(found.tensor(named: name))
    #expect(table.scheme == .split(split))
    #expect(table.content != plain.tensor(named: name)?.content)
  }

  @Test func givesTheTensorsThatPlainCompressionGives() throws {
    let model = try TinyBert.model()
    let options = try CompressionOptions(scheme: Self.fourBits, floats: .float16)
    let plain = try WeightCompressor.compress(
      weights: model.usedWeights(), from: model.weights, options: options, jobs: 1)
    let found = try compress(model, Self.fourBits, try TinyBert.sentences(20))
    #expect(found.tensors.map(\.name) == plain.tensors.map(\.name))
    #expect(found.tensors.map(\.byteCount) == plain.tensors.map(\.byteCount))
    #expect(found.tensors.map(\.scheme) == plain.tensors.map(\.scheme))
    #expect(found.unused == plain.unused)
    // Norms and tables of positions are not fitted; biases of layers and tables of tokens are.
    for (own, other) in zip(found.tensors, plain.tensors) {
      let isOfLayer = own.name.text.contains(".layer.") && !own.name.text.contains("LayerNorm")
      let isFitted = isOfLayer || own.name == "embeddings.word_embeddings.weight"
      #expect((own.content == other.content) == !isFitted, "\(own.name)")
    }
  }

  @Test(arguments: [fourBits, .palette(bits: 2, .perTensor), .int8(.perTensor)])
  func losesLessThanPlainCompression(_ scheme: Scheme) throws {
    let model = try TinyBert.model()
    let plain = try WeightCompressor.compress(
      weights: model.usedWeights(), from: model.weights,
      options: try CompressionOptions(scheme: scheme, floats: .float16), jobs: 1)
    let fitted = try compress(model, scheme, try TinyBert.sentences(300))
    let others = try TinyBert.sentences(100, seed: 77).inputs
    #expect(try error(model, fitted, others) < error(model, plain, others))
  }

  @Test func followsARecipe() throws {
    let model = try TinyBert.model()
    let recipe = Recipe(rules: [
      RecipeRule(RecipeRule.Match(roles: [.tokenTable]), .int8(.perChannel)),
      RecipeRule(RecipeRule.Match(names: [NameGlob("*.query.weight")]), nil),
      RecipeRule(
        RecipeRule.Match(roles: [.matrix]), .palette(bits: 3, .perGroup(size: 5)),
        fallbacks: [.palette(bits: 3, .perGroup(size: 4))]),
    ])
    let options = try CompressionOptions(recipe: recipe, floats: .float16)
    let plan = try WeightCompressor.plan(
      weights: model.usedWeights(), from: model.weights, options: options)
    let found = try CalibratedCompressor.compress(
      model: model, options: options, calibration: try TinyBert.sentences(10), jobs: 2)
    #expect(found.tensors.map(\.name) == plan.map(\.name))
    #expect(found.tensors.map(\.scheme) == plan.map(\.scheme))
    #expect(found.tensors.map(\.byteCount) == plan.map(\.byteCount))
    let set = try TinyBert.sentences(10)
    #expect(found.calibration == CalibrationRecord(digest: set.digest, inputs: set.inputs.count))
  }

  @Test func keepsEverythingWithoutAScheme() throws {
    let model = try TinyBert.model()
    let found = try compress(model, nil, try TinyBert.sentences(5), floats: .float32)
    for tensor in found.tensors {
      #expect(tensor.content == .uncompressed(try model.weights.floats(of: tensor.name)))
    }
  }

  @Test func fitsModelsOfFeatures() throws {
    let model = try denseModel()
    let scheme = Scheme.palette(bits: 2, .perTensor)
    let found = try compress(model, scheme, try calibration(rows(200)))
    #expect(found.tensors.map(\.name) == ["first", "shift", "second"])
    let plain = try WeightCompressor.compress(
      weights: model.usedWeights(), from: model.weights,
      options: try CompressionOptions(scheme: scheme, floats: .float16), jobs: 1)
    let others = try calibration(rows(200, seed: 99)).inputs
    #expect(try error(model, found, others) < error(model, plain, others))
  }

  @Test func fitsBothEncodersOfClipWithOneSet() throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "clip-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try TinyClip.write(to: folder)
    let set = try CalibrationSet(path: try TinyClip.writePairs(to: folder))
    let fourBits = Scheme.palette(bits: 4, .perTensor)
    for model in try clipModels(folder) {
      let found = try compress(model, fourBits, set)
      let plain = try WeightCompressor.compress(
        weights: model.usedWeights(), from: model.weights,
        options: try CompressionOptions(scheme: fourBits, floats: .float16), jobs: 1)
      #expect(found.tensors.map(\.name) == plain.tensors.map(\.name))
      #expect(found.tensors.map(\.content) != plain.tensors.map(\.content))
      #expect(found.tensors.map(\.byteCount) == plain.tensors.map(\.byteCount))
    }
    let values = try calibration([#"{"values": [1]}"#])
    let texts = try calibration([#""red""#])
    let encoders = try clipModels(folder)
    #expect(
      refusal { _ = try compress(encoders[0], fourBits, values) }
        == "lines.jsonl:1: [1.0]: is a list of values, the model takes an image")
    #expect(
      refusal { _ = try compress(encoders[0], fourBits, texts) }
        == "lines.jsonl: holds no input the model could be calibrated with, it takes an image")
  }

  @Test func namesTheLayerWhoseInputsAreNotFinite() throws {
    // Finite weights whose products are not.
    let model = try TinyBert.model { tensors in
      let name: TensorName = "encoder.layer.0.intermediate.dense.weight"
      tensors[name]?.values = Array(repeating: 3e38, count: 32 * 16)
    }
    let found = refusal {
      _ = try compress(model, .int8(.perChannel), try TinyBert.sentences(10), floats: .float32)
    }
    #expect(
      found == "layer 'encoder.layer.0.intermediate.dense.weight': its outputs in the original "
        + "model are not finite")
  }

  @Test func namesEveryTensorThatMustBeRefused() throws {
    let names: [TensorName] = [
      "embeddings.word_embeddings.weight", "encoder.layer.0.attention.self.query.weight",
      "encoder.layer.1.output.dense.bias",
    ]
    let model = try TinyBert.model { tensors in
      for name in names { tensors[name]?.values[1] = .nan }
    }
    let found = refusal { _ = try compress(model, .int8(.perChannel), try TinyBert.sentences(3)) }
    #expect(
      found
        == names.map { "tensor '\($0)': 1 value is not finite, the first at flat index 1" }
        .joined(separator: "\n"))
  }

  @Test func tellsEveryTensor() throws {
    let names = Names()
    let shares = Mutex<[Double]>([])
    let model = try TinyBert.model()
    let found = try CalibratedCompressor.compress(
      model: model, options: try CompressionOptions(scheme: .int8(.perChannel)),
      calibration: try TinyBert.sentences(3), jobs: 2
    ) {
      switch $0 {
      case .compressed(let name, _), .fitted(let name, _, _): names.add(name)
      case .tookGradients(let done, let total):
        shares.withLock { $0.append(Double(done) / Double(total)) }
      }
    }
    #expect(names.all.sorted() == found.tensors.map(\.name).sorted())
    let told = shares.withLock(\.self)
    #expect(told.last == 1 && told == told.sorted())
  }
}

/// Names in the order they were told.
private final class Names: @unchecked Sendable {
  private let lock = NSLock()
  private var names: [TensorName] = []
  var all: [TensorName] { lock.withLock { names } }
  func add(_ name: TensorName) { lock.withLock { names.append(name) } }
}
