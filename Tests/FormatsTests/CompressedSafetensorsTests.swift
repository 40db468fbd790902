import Files
import Formats
import Graph
import TestSupport
import Testing
import WeightCompression
import Weights

struct CompressedSafetensorsTests {
  static let schemes: [Scheme] = [
    .int8(.perTensor), .int8(.perChannel), .palette(bits: 1, .perTensor),
    .palette(bits: 3, .perTensor), .palette(bits: 4, .perGroup(size: 2)),
    .palette(bits: 8, .perTensor),
  ]

  @Test(arguments: schemes)
  func readsBackAsAModelWithTheSameValues(_ scheme: Scheme) throws {
    let folder = try TemporaryFolder()
    let model = try SmallModel.make()
    let weights = try SmallModel.compressed(scheme)
    let emitted = try CompressedSafetensors().writeUnproven(
      weights, of: model, recipe: scheme.label, to: folder.path("small.safetensors"))
    let read = try ModelLoader.open(emitted.path)
    #expect(read.digest == emitted.digest)
    #expect(read.digest == ContentDigest(of: try MappedFile(path: emitted.path)))
    #expect(try MappedFile(path: emitted.path).byteCount == emitted.byteCount)
    #expect(read.weights.names == ["b", "w"])
    for tensor in weights.tensors {
      #expect(try read.weights.floats(of: tensor.name) == tensor.dequantized())
    }
    #expect(try read.files.bytes(of: "model.json") == model.files.bytes(of: "model.json"))
  }

  /// A bias that has the name the format gives the weight's scales, or the header's own entry.
  @Test(arguments: ["w:scale", "__metadata__"])
  func namesThatTheFormatNeedsAreRefused(_ name: String) throws {
    let folder = try TemporaryFolder()
    let model = try SmallModel.make(bias: name)
    let weights = try WeightCompressor.compress(
      weights: try model.usedWeights(), from: model.weights,
      options: try CompressionOptions(scheme: .int8(.perTensor)), jobs: 1)
    let text = message {
      _ = try CompressedSafetensors().writeUnproven(
        weights, of: model, recipe: "int8", to: folder.path("small.safetensors"))
    }
    #expect(
      text == "small: the name '\(name)' is needed by the format; rename that tensor")
    #expect(try Folder.names(in: folder.path).isEmpty)
  }

  @Test func givesTheSameBytesTwice() throws {
    let folder = try TemporaryFolder()
    let paths = [folder.path("one"), folder.path("two")]
    for path in paths {
      _ = try CompressedSafetensors().writeUnproven(
        try SmallModel.compressed(.int8(.perChannel)), of: try SmallModel.make(), recipe: "int8",
        to: path)
    }
    let bytes = try paths.map { try MappedFile.contents(of: $0, limit: 1 << 20) }
    #expect(bytes[0] == bytes[1])
  }
}
