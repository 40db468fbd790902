import Formats
import Foundation
import Graph
import IngotFeatures
import Inputs
import Files
import TestSupport
import Testing
import WeightCompression
import Weights

// What is written and compared.
extension CoreMLWriterInteropTests {
  /// How near numpy must come.
  enum Bounds {
    case embedding, scores
  }

  @discardableResult
  func judge(
    _ path: String, _ cases: [Case], _ inputs: [Input], bounds: Bounds
  ) throws -> [PackageReport] {
    let folder = try TemporaryFolder()
    let model = try ModelLoader.open(path)
    var packages: [RunPackage] = []
    for each in cases {
      let weights = try CompressedOnce.weights(of: model, each.scheme)
      let package = folder.path(each.name + ".mlpackage")
      let options = CoreMLOptions(
        target: each.target, sequenceLengths: each.lengths, outputType: each.outputType)
      _ = try CoreMLPackage(options: options).writeUnproven(
        weights, of: model, recipe: each.scheme.label, to: package)
      packages.append(
        try RunPackage(
          package, files: model.files, inputs: inputs, roundings: ["fp32", "fp16"], in: folder))
    }
    let reports = try PackageJob.judge(packages.map(\.job), in: folder)
    #expect(reports.count == cases.count)
    for ((each, package), report) in zip(zip(cases, packages), reports) {
      expectSound(report, each)
      expectInterface(report, of: model, each)
      let weights = try CompressedOnce.weights(of: model, each.scheme)
      expectListed(report, weights, positions: package.positions)
      try package.compareConstants(with: report)
      try expectNear(report, package, bounds)
    }
    return reports
  }

  /// Checks what Apple's loader accepts and what it does not look at.
  private func expectSound(_ report: PackageReport, _ test: Case) {
    let name = Comment(rawValue: report.package)
    #expect(report.isValid, name)
    #expect(report.decompressError == nil && report.decompresses, name)
    #expect(report.nonFinite == [], name)
    #expect(report.disagreements == [], name)
    #expect(report.badIdentifiers == [], name)
    #expect(report.specificationVersion == test.expected.specificationVersion, name)
    #expect(report.opset == test.expected.opset, name)
  }

  /// Inputs and outputs are what the model takes and gives.
  private func expectInterface(_ report: PackageReport, of model: Model, _ test: Case) {
    let inputs: [String]
    switch model.architecture.input {
    case .tokens(let maximum, _):
      let lengths = test.lengths.isEmpty ? [maximum] : test.lengths.sorted(by: >)
      let words = (["INT32"] + lengths.map { "[1, \($0)]" }).joined(separator: " ")
      inputs = ["input_ids \(words)", "attention_mask \(words)"]
    case .features(let schema): inputs = ["features FLOAT32 [1, \(schema.columnCount)]"]
    case .image(let width, let height): inputs = ["image RGB \(width) x \(height)"]
    }
    let output = model.architecture.outputName
    let outputs: [String]
    switch model.architecture.output {
    case .embedding(let width):
      outputs = ["\(output) \(test.outputType.rawValue.uppercased()) [1, \(width)]"]
    case .numbers(let width): outputs = ["\(output) FLOAT32 [1, \(width)]"]
    case .classes(let labels, _, let scale):
      let each = "\(output)_\(scale == .probabilities ? "probability" : "score")"
      outputs = ["\(output) \(labels.dtype)", "\(each) \(labels.dtype)Dictionary"]
    case .tokenClasses(let labels, let tokens):
      let length = test.lengths.max() ?? tokens
      outputs = ["\(output) FLOAT32 [1, \(length), \(labels.count)]"]
    }
    #expect(report.inputs.map { "\($0.name) \($0.words)" } == inputs)
    #expect(report.outputs.map { "\($0.name) \($0.words)" } == outputs)
    #expect((report.inputs + report.outputs).allSatisfy { !$0.description.isEmpty })
    let isEmbedding = report.outputs.count == 1 && report.predictedFeatureName.isEmpty
    #expect(isEmbedding || report.predictedFeatureName == output)
    if case .classes = model.architecture.output {
      #expect(report.predictedProbabilitiesName == report.outputs.last?.name)
    }
  }

  /// `get_weights_metadata` lists every weight under the name, shape and width that Ingot says.
  private func expectListed(
    _ report: PackageReport, _ weights: CompressedWeights, positions: Int
  ) {
    let listed = Dictionary(report.weights.map { ($0.name, $0) }) { first, _ in first }
    let names = Identifier.distinct(for: weights.tensors.map(\.name.text))
    for (tensor, name) in zip(weights.tensors, names) {
      var shape = tensor.shape
      // Of segments the first is there; of positions those that an input of the one length has.
      if tensor.role == .positionTable { shape[0] = shape[0] == 2 ? 1 : min(shape[0], positions) }
      guard let weight = listed[name] else {
        #expect(shape.reduce(1, *) == 1, "\(report.package): \(name)")
        continue
      }
      #expect(weight.listed, "\(report.package): \(name)")
      #expect(weight.shape == shape, "\(report.package): \(name)")
      #expect(weight.nbits == tensor.bits, "\(report.package): \(name)")
    }
  }

  /// Numpy computes what Ingot does, in half precision too.
  private func expectNear(
    _ report: PackageReport, _ package: RunPackage, _ bounds: Bounds
  ) throws {
    let ours = try package.outputs()
    let fp32 = try package.figures(ours, "fp32"), fp16 = try package.figures(ours, "fp16")
    let name = Comment(rawValue: "\(report.package): \(fp32), \(fp16), \(report.facts)")
    #expect(fp32.difference <= 1e-4, name)
    #expect(package.labels(ours) == report.labels["fp32"] ?? [], name)
    #expect(report.facts.nan == 0, name)
    #expect(report.facts.overflows == [:], name)
    if bounds == .embedding {
      // Measured: at least 0.999999999998 and 0.9999987, whatever the scheme.
      #expect(fp32.cosine >= 0.99999, name)
      #expect(fp16.cosine >= 0.999, name)
    } else {
      // What is made of features is float32 throughout.
      #expect(fp16.difference <= 1e-4, name)
    }
  }
}
