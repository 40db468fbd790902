import Execution
import Formats
import Foundation
import Graph
import TestSupport
import Testing
import WeightCompression
import Weights

/// Packages of both encoders, judged by Apple's loader and run in numpy.
@Suite(.enabled(if: ClipModels.isAvailable, "no oracle environment: run scripts/test"))
struct ClipPackageInteropTests {
  /// An encoder of a model, and what is asked of its packages.
  struct Case: Sendable, CustomTestStringConvertible {
    let model: String
    let encoder: EncoderKind
    var testDescription: String { "\(model) \(encoder.rawValue)" }
  }

  static let cases = ["hf-quick", "openclip-mask"].flatMap { model in
    EncoderKind.allCases.map { Case(model: model, encoder: $0) }
  }

  static let forms: [(scheme: Scheme?, target: DeploymentTarget?)] = [
    (nil, nil), (.int8(.perChannel), nil), (.int8(.perTensor), .iOS17),
    (.int8(.perChannel), .iOS18), (.palette(bits: 6, .perTensor), nil),
    (.palette(bits: 4, .perTensor), nil), (.palette(bits: 4, .perTensor), .iOS18),
    (.palette(bits: 4, .perGroup(size: 4)), nil), (.palette(bits: 3, .perTensor), nil),
  ]

  @Test(arguments: cases)
  func isSoundAndComputesTheSame(_ test: Case) throws {
    let folder = try TemporaryFolder()
    let model = try ModelLoader.open(ClipModels.path(test.model), encoder: test.encoder)
    let isImage = test.encoder == .image
    let rows = try ClipExpectation(test.model).rows(isImage ? "pixels" : "input_ids").prefix(6)
    let name = isImage ? "image" : "input_ids"
    let paths = try Self.forms.enumerated().map { (place, form) in
      let path = folder.path("\(place).mlpackage")
      _ = try CoreMLPackage(options: CoreMLOptions(target: form.target)).writeUnproven(
        try CompressedOnce.weights(of: model, form.scheme), of: model, recipe: form.scheme.label,
        to: path)
      return path
    }
    let reports = try PackageJob.judge(
      paths.map {
        PackageJob(
          package: $0, samples: rows.map { [name: $0] }, roundings: ["fp32", "fp16"],
          outputs: "\($0).npz")
      }, in: folder)
    for ((form, path), report) in zip(zip(Self.forms, paths), reports) {
      let what = Comment(rawValue: "\(test.testDescription), \(form.scheme.label)")
      expectSound(report, what)
      expectInterface(report, model)
      let read = try ModelLoader.open(path, files: model.files)
      #expect(read.architecture.input == model.architecture.input)
      #expect(read.architecture.describingFiles == model.architecture.preparation)
      try expectConstants(report, read)
      if isImage { try expectScaledInside(path, model) }
      for row in 0..<rows.count {
        let ours = try embedding(read, rows[row], name)
        for (rounding, minimum) in [("fp32", 0.999999), ("fp16", 0.999)] {
          let all = try WeightCollection.open("\(path).npz")
          let theirs = try #require(all[TensorName(rounding)]).floats()
          let width = ours.count
          let near = cosine(ours[...], theirs[row * width..<(row + 1) * width])
          #expect(near >= minimum, "\(what) \(rounding) row \(row): \(near)")
        }
      }
    }
  }

  /// The package holds scale and bias for each plane, before anything is cast to float16.
  private func expectScaledInside(_ path: String, _ model: Model) throws {
    let constants = try CoreMLPackage.inspect(path, files: model.files).constants
      .filter { $0.shape == [1, 3, 1, 1] }
    #expect(constants.map(\.storage) == ["fp32", "fp32"])
    let read = try ModelLoader.open(path, files: model.files)
    let stored = try constants.map { try read.weights.floats(of: $0.name) }
    let meant = try model.architecture.smallestGraph().nodes.prefix(2).map {
      $0.operation.operands[1].operand
    }
    #expect(
      Set(stored.map { Operand.literal(.floats($0, shape: [1, 3, 1, 1])) }) == Set(meant))
  }

  private func embedding(_ model: Model, _ row: [Float], _ name: String) throws -> [Float] {
    let length = model.architecture.encoder == .text ? row.count : 1
    guard case .single(let lengths) = model.architecture.shapes else { return [] }
    let graph = try model.architecture.graph(batch: 1, length: lengths.last ?? length)
    let isIDs = graph.inputs[0].type.scalar == .int32
    return try Executor(weights: model.weights, jobs: 2).run(
      graph, inputs: [name: isIDs ? .integers(row.map { Int32($0) }) : .floats(row)])
  }

  private func expectSound(_ report: PackageReport, _ what: Comment) {
    #expect(report.isValid, what)
    #expect(report.decompressError == nil && report.decompresses, what)
    #expect(report.nonFinite == [] && report.disagreements == [], what)
    #expect(report.badIdentifiers == [], what)
    #expect(report.facts.nan == 0 && report.facts.overflows == [:], what)
  }

  private func expectInterface(_ report: PackageReport, _ model: Model) {
    switch model.architecture.input {
    case .image(let width, let height):
      #expect(report.inputs.map(\.words) == ["RGB \(width) x \(height)"])
      #expect(report.inputs.map(\.name) == ["image"])
    case .tokens(let length, _):
      #expect(report.inputs.map(\.words) == ["INT32 [1, \(length)]"])
      #expect(report.inputs.map(\.name) == ["input_ids"])
    case .features: Issue.record("features are no input of CLIP")
    }
    #expect(report.outputs.map(\.words) == ["FLOAT32 [1, \(model.architecture.output.width)]"])
    #expect((report.inputs + report.outputs).allSatisfy { !$0.description.isEmpty })
  }

  /// Every dequantised constant is bit for bit what Ingot's executor gets.
  private func expectConstants(_ report: PackageReport, _ model: Model) throws {
    #expect(report.weights.count > 20)
    for weight in report.weights {
      // Where a product has no bias, coremltools puts zeros.
      let name = TensorName(weight.name)
      let isDefault = model.weights.shape(of: name) == nil
      let values =
        isDefault
        ? [Float](repeating: 0, count: weight.shape.reduce(1, *))
        : try model.weights.floats(of: name)
      let digest = ContentDigest(of: values.withUnsafeBytes { Array($0) })
      #expect(digest.hex == weight.sha256, "\(report.package): \(weight.name)")
    }
  }
}

extension Architecture {
  /// The files that prepare inputs, of those that describe the model.
  fileprivate var preparation: [String] {
    CoreMLPackage.companionFiles.filter(describingFiles.contains)
  }
}
