import Formats
import Gate
import Graph
import Inputs
import TestSupport
import Testing
import WeightCompression

/// Both encoders of a model judged together, as they ship.
@Suite(.enabled(if: ClipModels.isAvailable, "no oracle environment: run scripts/test"))
struct ClipGateInteropTests {
  /// Both encoders at INT8 at once pass, and each receipt names the other's bytes.
  @Test(arguments: ["openclip-mask", "openclip-custom"])
  func soundCompressionPasses(model: String) throws {
    let folder = try TemporaryFolder()
    let baseline = try ModelLoader.encoders(of: ClipModels.path(model))
    let candidates = try baseline.map { model in
      let path = folder.path("\(model.architecture.encoder?.rawValue ?? "").safetensors")
      let weights = try WeightCompressor.compress(
        weights: try model.usedWeights(), from: model.weights,
        options: try CompressionOptions(scheme: .int8(.perChannel)), jobs: 2)
      _ = try CompressedSafetensors().writeUnproven(weights, of: model, recipe: "int8", to: path)
      return try ModelLoader.open(path)
    }
    let verdict = try Gate(
      on: ReferenceSet(path: "\(ClipModels.path(model))/pairs.jsonl"), Limits(profile: .lenient),
      threshold: nil, jobs: 2
    ).judge(.models(candidates), against: .models(baseline))
    #expect(verdict.reasons == [])
    #expect(verdict.receipts.map(\.encoder) == [.image, .text])
    #expect(verdict.receipts.map(\.candidate.weights) == candidates.map(\.digest))
    #expect(
      verdict.receipts.map(\.partner?.candidate.weights) == candidates.reversed().map(\.digest))
  }
}
