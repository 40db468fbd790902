import Formats
import Foundation
import Graph
import Inputs
import TestSupport
import Testing
import WeightCompression
import Weights

/// Packages as today's transformers and coremltools convert them, with −∞ in their masks.
@Suite(
  .enabled(if: Oracle.maskedPackages != nil, "no oracle environment or packages: run scripts/test"))
struct MaskedPackagesInteropTests {
  private let folder: TemporaryFolder
  private let source: String
  private let files: ModelFiles

  init() throws {
    folder = try TemporaryFolder()
    source = try #require(Oracle.maskedPackages)
    files = ModelFiles(folder: source)
  }

  private var inputs: [Input] {
    get throws { try InputLines.read("\(source)/sentences.jsonl").inputs }
  }

  /// Packages whose names pass a test, sorted.
  private func names(_ isMeant: (String) -> Bool) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: source).sorted()
      .filter { $0.hasSuffix(".mlpackage") && isMeant($0) }
  }

  /// The least cosine to PyTorch's embeddings.
  private func minCosine(_ ours: OutputMatrix, _ name: String) throws -> Double {
    let encoder = name.prefix { $0 != "-" }
    let tensor = try #require(try WeightCollection.open("\(source)/\(encoder).npz")["embedding"])
    let theirs = OutputMatrix(
      rowCount: tensor.shape[0], width: tensor.shape[1], values: try tensor.floats())
    #expect(ours.rowCount == theirs.rowCount && ours.width == theirs.width)
    return (0..<theirs.rowCount).map { cosine(ours[$0], theirs[$0]) }.min() ?? 0
  }

  private func tolerance(_ name: String) -> Double {
    name.contains("FLOAT32") ? 0.99999 : name.contains("FLOAT16.") ? 0.9999 : 0.998
  }

  @Test func runsAsPyTorchDoes() throws {
    let names = try names { !$0.hasPrefix("refused") }
    #expect(names.count == 14)
    for name in names {
      let model = try ModelLoader.open("\(source)/\(name)", files: files)
      let ours = try ModelRunner(model: model, jobs: 2).outputs(for: try inputs)
      #expect(try minCosine(ours, name) >= tolerance(name), "\(name)")
    }
  }

  /// A text's own length is enough for those that hide padding.
  @Test func paddingIsProvenToBeHidden() throws {
    for name in try names({ _ in true }) {
      let model = try ModelLoader.open("\(source)/\(name)", files: files)
      guard case .single(let lengths) = model.architecture.shapes, let length = lengths.last else {
        Issue.record("\(name) has no length")
        continue
      }
      let graph = try model.graph(batch: 1, length: length)
      let proof = try LengthProof(graph, weights: model.weights)
      #expect((proof != nil) == !name.hasPrefix("refused"), "\(name)")
    }
  }

  /// What is written from them has finite masks, and numpy computes the same with it, also where
  /// every value is rounded to float16.
  @Test func compressesAgain() throws {
    let names = try names { !$0.hasPrefix("refused") }
    let inputs = try inputs
    var packages: [(name: String, package: RunPackage)] = []
    for name in names {
      let model = try ModelLoader.open("\(source)/\(name)", files: files)
      let weights = try WeightCompressor.compress(
        weights: try model.usedWeights(), from: model.weights,
        options: try CompressionOptions(scheme: nil, floats: .float16), jobs: 2)
      let path = folder.path(name)
      _ = try CoreMLPackage().writeUnproven(weights, of: model, recipe: "none", to: path)
      let package = try RunPackage(
        path, files: files, inputs: inputs, roundings: ["fp32", "fp16"], in: folder)
      packages.append((name, package))
    }
    let reports = try PackageJob.judge(packages.map(\.package.job), in: folder)
    #expect(reports.count == packages.count)
    for (report, (name, package)) in zip(reports, packages) {
      #expect(report.nonFinite.isEmpty && report.facts.nan == 0, "\(name)")
      let ours = try package.outputs()
      #expect(try minCosine(ours, name) >= min(0.9999, tolerance(name)), "\(name)")
      #expect(try package.figures(ours, "fp32").cosine >= 0.99999, "\(name)")
      #expect(try package.figures(ours, "fp16").cosine >= 0.999, "\(name)")
    }
  }

  /// Eager attention converted to float16 multiplies by −∞, which is NaN on a device too.
  @Test func namesWhatNothingCanBeMadeOf() throws {
    let path = "\(source)/refused-eager-iOS16-FLOAT16.mlpackage"
    let model = try ModelLoader.open(path, files: files)
    #expect {
      try CoreMLOptions().target(of: model, [])
    } throws: { error in
      let text = "\(error)"
      return text.hasPrefix("\(path): no package can be made of its program: the constant '")
        && text.contains("is -inf, read by mul 'attention_mask_cast_fp16', and 0 · -inf is NaN")
    }
    let inspection = try CoreMLPackage.inspect(path, files: files)
    #expect(inspection.oddNumbers.count == 1)
    #expect(inspection.mendedMasks.isEmpty)
  }
}
