import Files
import Graph
import ModelFixtures
import TestSupport
import Testing
import WeightCompression
import Weights

@testable import Formats

/// Tied weights are stored once, in either format.
struct SharedWeightsTests {
  private static let description = """
    {"architecture": "dense", "inputs": [{"name": "a"}, {"name": "b"}, {"name": "c"}, {"name": "d"}],
     "layers": [{"weight": "v"}, {"weight": "w"}, {"weight": "x"}], "output": {"kind": "embedding"}}
    """

  /// `v` and `w` are equal, `x` has one other value.
  private func model() throws -> Model {
    let values = (0..<16).map { Float($0 * $0) * 0.0371 - 1.3 }
    var others = values
    others[15] += 1
    let weights = MemoryWeights(tensors: [
      "v": ([4, 4], values), "w": ([4, 4], values), "x": ([4, 4], others),
    ])
    let files = ModelFiles(
      carriedBy: "tied", texts: ["model.json": Array(Self.description.utf8)])
    return try Model(
      origin: "tied", architecture: try Architectures.recognise(files, weights: weights),
      files: files, weights: weights)
  }

  private func stream(_ model: Model, _ floats: FloatType) throws -> CompressionStream {
    try WeightCompressor.stream(
      weights: try model.usedWeights(), from: model.weights,
      options: try CompressionOptions(scheme: .int8(.perChannel), floats: floats), jobs: 2)
  }

  @Test func aPlanCountsThemOnce() throws {
    let model = try model()
    let stream = try stream(model, .float32)
    #expect(stream.planned.map(\.byteCount) == [32, 0, 32])
    #expect(
      stream.planned.map(\.schemeLabel)
        == ["int8 per channel", "same as 'v'", "int8 per channel"])
    #expect(
      try CoreMLOptions().storedBytes(of: try self.stream(model, .float16).planned, model)
        == [28, 0, 28])
  }

  @Test func safetensorsHoldThemOnce() throws {
    let folder = try TemporaryFolder()
    let model = try model()
    let emitted = try CompressedSafetensors().writeUnproven(
      try stream(model, .float32), of: model, recipe: "int8", to: folder.path("x"))
    #expect(emitted.weightBytes == [32, 0, 32])
    let file = try WeightCollection.open(emitted.path)
    #expect(file.tensors.map(\.name) == ["v", "v:scale", "x", "x:scale"])
    let read = try ModelLoader.open(emitted.path).weights
    #expect(read.names == ["v", "w", "x"])
    #expect(try read.floats(of: "w") == read.floats(of: "v"))
    #expect(try read.floats(of: "w") != read.floats(of: "x"))
    // What was in memory as a whole gives the same file.
    let whole = try WeightCompressor.compress(
      weights: try model.usedWeights(), from: model.weights,
      options: try CompressionOptions(scheme: .int8(.perChannel)), jobs: 1)
    let again = try CompressedSafetensors().writeUnproven(
      whole, of: model, recipe: "int8", to: folder.path("y"))
    #expect(again.digest == emitted.digest)
  }

  @Test func packagesHoldThemOnce() throws {
    let folder = try TemporaryFolder()
    let model = try model()
    let emitted = try CoreMLPackage().writeUnproven(
      try stream(model, .float16), of: model, recipe: "int8", to: folder.path("X.mlpackage"))
    #expect(emitted.weightBytes == [28, 0, 28])
    let read = try CoreMLPackage.model(
      of: emitted.path, files: ModelFiles(carriedBy: "x", texts: [:]))
    #expect(try read.weights.floats(of: "w") == read.weights.floats(of: "v"))
    #expect(try read.weights.floats(of: "w") != read.weights.floats(of: "x"))
  }

  /// Entries that lead nowhere.
  @Test(arguments: [
    (#"{"scheme":"same","shape":[4,4],"as":"absent"}"#, "absent"),
    (#"{"scheme":"same","shape":[4,5],"as":"v"}"#, "v"),
  ])
  func refusesWhatIsNotThere(_ entry: String, _ first: String) throws {
    let text = try refusal([#""v":{"scheme":"kept","shape":[4,4]}"#, #""w":\#(entry)"#])
    #expect(
      text.hasSuffix(
        "tensor 'w' is stored with '\(first)', which is not there in its shape"))
  }

  @Test func refusesChains() throws {
    let text = try refusal([
      #""v":{"scheme":"kept","shape":[4,4]}"#, #""w":{"scheme":"same","shape":[4,4],"as":"v"}"#,
      #""x":{"scheme":"same","shape":[4,4],"as":"w"}"#,
    ])
    #expect(text.hasSuffix("tensor 'x' is stored with 'w', which is stored with another"))
  }

  private func refusal(_ entries: [String]) throws -> String {
    let folder = try TemporaryFolder()
    var file = try StagedFile(path: folder.path("x"))
    _ = try SafetensorsWriter.reserve(
      [("v", .f32, [4, 4], 64)],
      metadata: ["ingot.format": "1", "ingot.tensors": "{\(entries.joined(separator: ","))}"],
      in: &file)
    try file.commit()
    return message { _ = try ModelLoader.open(folder.path("x")) } ?? ""
  }
}
