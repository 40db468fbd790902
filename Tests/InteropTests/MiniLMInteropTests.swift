import Files
import Formats
import Foundation
import Gate
import Graph
import Inputs
import TestSupport
import Testing
import WeightCompression
import Weights

/// The real sentence encoder against PyTorch, and what the gate says of it compressed.
@Suite(.enabled(if: Oracle.hasMiniLM, "no oracle environment or model: run scripts/test"))
struct MiniLMInteropTests {
  private let pairs = "\(Oracle.repository)/specs/examples/minilm/pairs.jsonl"

  private func model() throws -> Model { try ModelLoader.open(try #require(Oracle.miniLM)) }

  @Test func embeddingsEqualPyTorch() throws {
    let folder = try TemporaryFolder()
    let sentences = Oracle.fixture("sentences.jsonl")
    _ = try Oracle.run(
      "embed_torch.py", [try #require(Oracle.miniLM), sentences, folder.path("torch.npy")])
    let theirs = try OutputMatrix(npy: folder.path("torch.npy"))
    let inputs = try InputLines.read(sentences)
    let ours = try ModelRunner(model: try model(), jobs: 2).outputs(for: inputs)
    #expect(ours.rowCount >= 200)
    #expect(ours.rowCount == theirs.rowCount)
    for row in 0..<min(ours.rowCount, theirs.rowCount) {
      let difference = zip(ours[row], theirs[row]).map { ($0 - $1).magnitude }.max() ?? .infinity
      #expect(difference <= 1e-5, "row \(row)")
      #expect(cosine(ours[row], theirs[row]) >= 0.999999, "row \(row)")
    }
  }

  @Test func rowsDoNotDependOnBatchesOrThreads() throws {
    let model = try model()
    let inputs = Array(try InputLines.read(Oracle.fixture("sentences.jsonl")).inputs.prefix(60))
    let together = try ModelRunner(model: model, jobs: 2).outputs(for: inputs)
    let backwards = try ModelRunner(model: model, jobs: 1).outputs(for: inputs.reversed())
    let alone = try inputs.map { try ModelRunner(model: model, jobs: 1).outputs(for: [$0]) }
    for row in inputs.indices {
      for other in [backwards[inputs.count - 1 - row], alone[row][0]] {
        let difference = zip(together[row], other).map { ($0 - $1).magnitude }.max() ?? .infinity
        #expect(difference <= 1e-6, "row \(row)")
      }
    }
  }

  @Test func int8PassesStrict() throws {
    let verdict = try judge(try CompressionOptions(scheme: .int8(.perChannel)), .strict)
    #expect(verdict.reasons == [])
    #expect(verdict.receipt != nil)
  }

  @Test(arguments: Limits.Profile.allCases)
  func threeBitsArePastEveryProfile(_ profile: Limits.Profile) throws {
    let verdict = try judge(
      try CompressionOptions(scheme: .palette(bits: 3, .perTensor)), profile)
    #expect(!verdict.isPassed)
    #expect(verdict.reasons.contains { $0.hasPrefix("cosine mean ") })
  }

  private func judge(
    _ options: CompressionOptions, _ profile: Limits.Profile
  ) throws -> Verdict {
    let folder = try TemporaryFolder()
    let model = try model()
    let weights = try WeightCompressor.compress(
      weights: try model.usedWeights(), from: model.weights, options: options, jobs: 2)
    let emitted = try CompressedSafetensors().writeUnproven(
      weights, of: model, recipe: options.label, to: folder.path("small.safetensors"))
    let references = try ReferenceSet(path: pairs)
    #expect(references.content.count >= 200)
    return try Gate(on: references, Limits(profile: profile), threshold: nil, jobs: 2).judge(
      [ModelLoader.open(emitted.path)], against: [model])
  }

  private func cosine(_ left: ArraySlice<Float>, _ right: ArraySlice<Float>) -> Double {
    func dot(_ a: ArraySlice<Float>, _ b: ArraySlice<Float>) -> Double {
      zip(a, b).reduce(0) { $0 + Double($1.0) * Double($1.1) }
    }
    return dot(left, right) / (dot(left, left) * dot(right, right)).squareRoot()
  }
}
