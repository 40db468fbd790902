import Files
import Formats
import Graph
import Inputs
import TestSupport
import Testing
import WeightCompression
import Weights

/// Image files and texts, as a user has them, against transformers and OpenCLIP in PyTorch.
@Suite(.enabled(if: ClipModels.isAvailable, "no oracle environment: run scripts/test"))
struct ClipEncoderInteropTests {
  static let cases = ClipModels.names.flatMap { name in
    EncoderKind.allCases.map { (name, $0) }
  }

  /// The inputs of a kind, in the order of the file.
  private func inputs(_ name: String, _ encoder: EncoderKind) throws -> [Input] {
    let lines = try InputLines.read("\(ClipModels.path(name))/inputs.jsonl")
    let kind: InputKind = encoder == .image ? .image : .text
    return lines.inputs.filter { $0.kind == kind }
  }

  @Test(arguments: cases)
  func embeddingsEqualPyTorch(name: String, encoder: EncoderKind) throws {
    let model = try ModelLoader.open(ClipModels.path(name), encoder: encoder)
    let inputs = try inputs(name, encoder)
    let ours = try ModelRunner(model: model, jobs: 2).outputs(
      for: inputs, images: ImageFiles(folder: ClipModels.path(name)))
    let theirs = try ClipExpectation(name).rows(
      encoder == .image ? "image_embedding" : "text_embedding")
    #expect(ours.rowCount == theirs.count)
    #expect(ours.rowCount >= 20)
    for row in 0..<min(ours.rowCount, theirs.count) {
      let near = cosine(ours[row], theirs[row][...])
      #expect(near >= 0.99999, "\(inputs[row].label): \(near)")
    }
  }

  /// A package prepares its inputs as the model does, by the files that lie beside it.
  @Test(arguments: ["hf-gelu", "openclip-mask"], EncoderKind.allCases)
  func packagesPrepareTheSame(name: String, encoder: EncoderKind) throws {
    let folder = try TemporaryFolder()
    let model = try ModelLoader.open(ClipModels.path(name), encoder: encoder)
    let path = folder.path("X.mlpackage")
    let emitted = try CoreMLPackage().writeUnproven(
      try CompressedOnce.weights(of: model, nil), of: model, recipe: "none", to: path)
    for (file, bytes) in emitted.companions {
      var output = try AtomicFile(path: folder.path(file))
      try output.write(bytes)
      try output.commit()
    }
    let inputs = Array(try inputs(name, encoder).prefix(8))
    let images = ImageFiles(folder: ClipModels.path(name))
    let whole = try ModelRunner(model: model, jobs: 2).outputs(for: inputs, images: images)
    let packed = try ModelRunner(model: try ModelLoader.open(path), jobs: 2).outputs(
      for: inputs, images: images)
    for row in 0..<inputs.count {
      #expect(cosine(whole[row], packed[row]) >= 0.9999, "\(inputs[row].label)")
    }
  }
}
