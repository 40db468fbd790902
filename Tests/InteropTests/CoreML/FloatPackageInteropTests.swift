import Formats
import Foundation
import Graph
import Inputs
import TestSupport
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
    _ = try CoreMLPackage(options: CoreMLOptions(floats: .float32)).writeUnproven(
      weights, of: model, recipe: scheme.label, to: path)
  }

  /// A range of lengths, and what a package says of itself, as coremltools reads them.
  @Test func rangesAndMetadata() throws {
    let folder = try TemporaryFolder()
    let model = try #require(Oracle.miniLM).isEmpty ? nil : ModelLoader.open(Oracle.miniLM ?? "")
    let encoder = try #require(model)
    let weights = try WeightCompressor.compress(
      weights: try encoder.usedWeights(), from: encoder.weights,
      options: try CompressionOptions(scheme: .int8(.perChannel), floats: .float16), jobs: 2)
    let path = folder.path("range.mlpackage")
    _ = try CoreMLPackage(
      options: CoreMLOptions(sequenceLengths: [1, 64], isRange: true),
      description: CoreMLDescription(
        summary: "Words", author: "Somebody", license: "MIT", version: "1.2",
        notes: try #require(try TextStatement(of: encoder)).notes(length: 64))
    ).writeUnproven(weights, of: encoder, recipe: "int8", to: path)
    let said = try Oracle.run("read_metadata.py", [path]).split(separator: "\n").map(String.init)
    #expect(
      said == [
        "author Somebody", "license MIT", "shortDescription Words", "versionString 1.2",
        "dev.ingot.maximum-length 64", "dev.ingot.padding-id 0", "dev.ingot.padding-side right",
        "dev.ingot.truncation-side right", "attention_mask 1...1 1...64",
        "input_ids 1...1 1...64",
      ])
    let texts = ["a", "two words", "some more words than before"].map { Input.text($0) }
    let package = try RunPackage(
      path, files: encoder.files, inputs: texts, roundings: ["fp32"], in: folder)
    let reports = try PackageJob.judge([package.job], in: folder)
    #expect(reports.first?.isValid == true && reports.first?.specificationVersion == 7)
    #expect(try package.figures(try package.outputs(), "fp32").cosine >= 0.99999)
  }

  @Test func encoderKeepsItsDigits() throws {
    let folder = try TemporaryFolder()
    let source = try #require(Oracle.maskedPackages)
    let files = ModelFiles(folder: source)
    let inputs = try InputLines.read("\(source)/sentences.jsonl").inputs
    let model = try ModelLoader.open("\(source)/bert-iOS16-FLOAT32.mlpackage", files: files)
    let trained = try ModelRunner(model: model, jobs: 2).outputs(for: inputs)
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
