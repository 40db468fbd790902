import Emission
import Evaluation
import Foundation
import Graph
import Testing
import WeightCompression
import Weights

/// Packages in float32, loaded by coremltools and run in numpy.
@Suite(
  .enabled(if: Oracle.maskedPackages != nil, "no oracle environment or packages: run scripts/test"))
struct FloatPackageInteropTests {
  static let schemes: [Scheme?] = [nil, .int8(.perChannel), .palette(bits: 6, .perTensor)]

  private func write(_ model: Model, _ scheme: Scheme?, to path: String) throws {
    let weights = try WeightCompressor.compress(
      weights: try model.usedWeights(), from: model.weights,
      options: try CompressionOptions(scheme: scheme, floats: .float32), jobs: 2)
    _ = try CoreMLPackage.write(
      weights, of: model, recipe: scheme.label, options: CoreMLOptions(floats: .float32),
      description: CoreMLDescription(), to: path)
  }

  @Test func encoderKeepsItsDigits() throws {
    let folder = try TemporaryFolder()
    let source = try #require(Oracle.maskedPackages)
    let files = ModelFiles(folder: source)
    let inputs = try InputLines.read("\(source)/sentences.jsonl").inputs
    let model = try ModelLoader.open("\(source)/bert-iOS16-FLOAT32.mlpackage", files: files)
    let trained = try Encoder(model: model, jobs: 2).outputs(for: inputs)
    var packages: [RunPackage] = []
    for (index, scheme) in Self.schemes.enumerated() {
      let path = folder.path("\(index).mlpackage")
      try write(model, scheme, to: path)
      packages.append(
        try RunPackage(
          path, files: files, inputs: inputs, roundings: ["fp32", "fp16"], in: folder))
    }
    let reports = try PackageJob.judge(packages.map(\.job), in: folder)
    #expect(reports.count == packages.count)
    for (package, report) in zip(packages, reports) {
      #expect(report.isValid && report.disagreements.isEmpty && report.nonFinite.isEmpty)
      #expect(report.specificationVersion == 7)
      try package.compareConstants(with: report)
      let ours = try package.outputs()
      // Rounding what is declared as float16 rounds nothing.
      for rounding in ["fp32", "fp16"] {
        #expect(try package.figures(ours, rounding).difference <= 1e-5, "\(report.package)")
      }
    }
    let kept = try packages[0].outputs()
    let greatest = zip(kept.values, trained.values).map { ($0 - $1).magnitude }.max() ?? .infinity
    #expect(greatest <= 1e-6)
  }
}
