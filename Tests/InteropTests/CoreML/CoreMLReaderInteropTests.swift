import Formats
import Foundation
import Graph
import Inputs
import TestSupport
import Testing
import Weights

/// Packages that coremltools made of the real encoder, run by Ingot.
@Suite(
  .enabled(
    if: Oracle.hasPackages, "no oracle environment, model or packages: run scripts/test"))
struct CoreMLReaderInteropTests {
  /// Half of the packages each, which one process judges.
  @Test(arguments: ["ios16", "ios18"])
  func coremltoolsPackages(_ target: String) throws {
    let folder = try TemporaryFolder()
    let source = try #require(Oracle.packages)
    let files = ModelFiles(folder: try #require(Oracle.miniLM))
    let inputs = try InputLines.read("\(source)/sentences.jsonl").inputs
    #expect(inputs.count >= 24)
    let names = try FileManager.default.contentsOfDirectory(atPath: source).sorted()
      .filter { $0.hasPrefix(target) && $0.hasSuffix(".mlpackage") }
    #expect(names.count >= 6)
    let packages = try names.map {
      try RunPackage(
        "\(source)/\($0)", files: files, inputs: inputs, roundings: ["fp32"], in: folder)
    }
    let reports = try PackageJob.judge(packages.map(\.job), in: folder)
    #expect(reports.count == packages.count)
    for (package, report) in zip(packages, reports) {
      try package.compareConstants(with: report)
      let ours = try package.outputs()
      let figures = try package.figures(ours, "fp32")
      #expect(figures.cosine >= 0.99999, "\(report.package): \(figures)")
      // Weights that were not compressed are those of the model.
      if report.package.contains("-fp") {
        #expect(try minCosine(ours, "\(source)/expected.npz") >= 0.9999, "\(report.package)")
      }
    }
  }

  /// To what PyTorch computes.
  private func minCosine(_ ours: OutputMatrix, _ expected: String) throws -> Double {
    let tensor = try #require(try WeightCollection.open(expected)["embedding"])
    let theirs = OutputMatrix(
      rowCount: tensor.shape[0], width: tensor.shape[1], values: try tensor.floats())
    #expect(ours.rowCount == theirs.rowCount && ours.width == theirs.width)
    return (0..<theirs.rowCount).map { cosine(ours[$0], theirs[$0]) }.min() ?? 0
  }

  /// The command for a package without a tokenizer beside it.
  @Test func embedCommandTakesATokenizer() throws {
    let folder = try TemporaryFolder()
    let source = try #require(Oracle.packages)
    let model = try #require(Oracle.miniLM)
    let output = folder.path("embeddings.npy")
    _ = try Oracle.run(
      program: Program.path,
      [
        "embed", "\(source)/ios16-fp16.mlpackage", "--tokenizer", model, "--inputs",
        "\(source)/sentences.jsonl", "--output", output, "--quiet",
      ])
    let ours = try OutputMatrix(npy: output)
    #expect(try minCosine(ours, "\(source)/expected.npz") >= 0.9999)
  }
}
