import Formats
import Foundation
import Graph
import Inputs
import TestSupport
import Testing
import WeightCompression
import Weights

/// ViT-B/32 as OpenCLIP trains it, with random weights and a persistent infinite mask: what a
/// published app could not bring below INT8.
@Suite(
  .serialized,
  .enabled(if: ClipModels.isRealAvailable, "no model of the real shapes: run scripts/test"))
struct ClipRealShapesTests {
  /// The same weights, with a persistent infinite mask in the checkpoint and without.
  static let names = ["openclip-vit-b-32", "openclip-vit-b-32-mask"]

  struct Case: Sendable, CustomTestStringConvertible {
    let model: String
    let encoder: EncoderKind
    let scheme: Scheme
    /// Of the whole package, in MiB, as published of an app, and as coremltools makes them.
    let mebibytes: Double
    var testDescription: String { "\(model) \(encoder.rawValue), \(scheme.label)" }
  }

  private static let sizes: [(scheme: Scheme, text: Double, image: Double)] = [
    (.int8(.perChannel), 61, 85), (.palette(bits: 6, .perTensor), 46, 64),
    (.palette(bits: 4, .perTensor), 31, 43),
  ]

  /// Every scheme, or the fewest and the most bits of the checkpoint with the mask.
  static let cases =
    Thoroughness.isExhaustive
    ? all
    : all.filter {
      $0.model == names[1] && $0.scheme != .palette(bits: 6, .perTensor)
    }

  private static let all =
    sizes.flatMap { size in
      names.map { Case(model: $0, encoder: .text, scheme: size.scheme, mebibytes: size.text) }
    }
    + sizes.map {
      Case(model: names[1], encoder: .image, scheme: $0.scheme, mebibytes: $0.image)
    }

  @Test(arguments: EncoderKind.allCases)
  func embeddingsEqualPyTorch(encoder: EncoderKind) throws {
    let path = ClipModels.realPath(Self.names[1])
    let model = try ModelLoader.open(path, encoder: encoder)
    let lines = try InputLines.read("\(path)/inputs.jsonl")
    let kind: InputKind = encoder == .image ? .image : .text
    let ours = try ModelRunner(model: model, jobs: 2).outputs(
      for: lines.inputs.filter { $0.kind == kind }, images: lines.images)
    let theirs = try ClipExpectation(path: path).rows(
      encoder == .image ? "image_embedding" : "text_embedding")
    #expect(ours.rowCount == theirs.count)
    for row in 0..<min(ours.rowCount, theirs.count) {
      #expect(cosine(ours[row], theirs[row][...]) >= 0.99999, "row \(row)")
    }
  }

  @Test(arguments: cases)
  func packagesHaveTheSizeAndLoad(_ test: Case) throws {
    let folder = try TemporaryFolder()
    let model = try ModelLoader.open(ClipModels.realPath(test.model), encoder: test.encoder)
    let weights = try WeightCompressor.compress(
      weights: try model.usedWeights(), from: model.weights,
      options: try CompressionOptions(scheme: test.scheme, floats: .float16), jobs: 2)
    let path = folder.path("X.mlpackage")
    let emitted = try CoreMLPackage().writeUnproven(
      weights, of: model, recipe: test.scheme.label, to: path)
    let mebibytes = Double(emitted.byteCount) / Double(1 << 20)
    #expect(abs(mebibytes / test.mebibytes - 1) <= 0.02, "\(mebibytes) MiB")
    #expect(!weights.tensors.map(\.name).contains("attn_mask"))
    let report = try #require(
      try PackageJob.judge(
        [
          PackageJob(
            package: path, samples: [try sample(of: model, test)], roundings: ["fp16"],
            outputs: folder.path("out.npz"))
        ], in: folder
      ).first)
    #expect(report.isValid && report.decompresses)
    #expect(report.nonFinite == [] && report.disagreements == [])
    #expect(report.facts.nan == 0 && report.facts.overflows == [:])
  }

  /// One input as an app hands it over.
  private func sample(of model: Model, _ test: Case) throws -> [String: [Float]] {
    let expected = try ClipExpectation(path: ClipModels.realPath(test.model))
    let isImage = model.architecture.encoder == .image
    let row = try #require(try expected.rows(isImage ? "pixels" : "input_ids").first)
    return [isImage ? "image" : "input_ids": row]
  }
}
