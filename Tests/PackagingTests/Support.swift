import Files
import Formats
import Foundation
import Gate
import Graph
import Inputs
import PackageNames
import StrictJSON
import TestSupport
import WeightCompression
import Weights

@testable import Packaging

/// Tiny dense models that really went through the gate.
struct ProvenModel {
  let scratch: TemporaryFolder
  let emitted: EmittedModel
  let receipt: DriftReceipt
  let details: ModelDetails

  static let description = """
    {"architecture": "dense", "inputs": [{"name": "a"}, {"name": "b"}],
     "layers": [{"weight": "w.npy", "activation": "sigmoid"}],
     "output": {"name": "score", "kind": "classifier", "labels": ["no", "yes"]}}
    """

  /// Compresses, writes, reads back and proves a model with the weights `[seed, 1 − seed]`.
  ///
  /// - Parameter limits: what it is held to; `lenient` when nil.
  init(seed: Float = 0.25, limits: Limits? = nil) throws {
    scratch = try TemporaryFolder()
    _ = try scratch.write("model/model.json", Array(ProvenModel.description.utf8))
    var npy = try AtomicFile(path: scratch.path("model/w.npy"))
    try NpyWriter.write([seed, 1 - seed], rows: 1, columns: 2, to: &npy)
    try npy.commit()
    let lines = (0..<12).map { #"{"input": {"values": [\#($0), \#(12 - 2 * $0)]}}"# }
    let references = try scratch.write(
      "references.jsonl", Array((lines.joined(separator: "\n") + "\n").utf8))
    let baseline = try ModelLoader.open(scratch.path("model"))
    let options = try CompressionOptions(scheme: "int8")
    let weights = try WeightCompressor.compress(
      weights: try baseline.usedWeights(), from: baseline.weights, options: options, jobs: 1)
    emitted = try CompressedSafetensors().writeUnproven(
      weights, of: baseline, recipe: "int8", to: scratch.path("small.safetensors"))
    let verdict = try Gate(
      on: ReferenceSet(path: references), limits ?? Limits(profile: .lenient), threshold: nil,
      jobs: 1
    ).judge([ModelLoader.open(emitted.path)], against: [baseline])
    guard let receipt = verdict.receipt else {
      throw PackagingError.badField(
        field: "gate", found: verdict.reasons.joined(), expected: "a pass")
    }
    self.receipt = receipt
    details = ModelDetails(
      inputs: [
        TensorDescription(
          name: "features", dtype: "float32", shape: [-1, 2], features: ["a", "b"])
      ],
      outputs: [
        TensorDescription(
          name: "probabilities", dtype: "float32", shape: [-1, 1], labels: ["no", "yes"])
      ], method: "int8", options: ["scheme": "int8"],
      originalBytes: 8)
  }

  func packaged(as identity: ModelIdentity) throws -> PackagedModel {
    try PackagedModel(emitted, receipt: receipt, identity: identity, details: details)
  }
}

/// One package with two models, made once for all tests.
enum Sample {
  static let encoder = Result { try ProvenModel(seed: 0.25) }
  static let upsell = Result { try ProvenModel(seed: 0.75) }

  static func details(
    id: String = "c2d67cdb-e117-4c3e-acca-2ae7f1a42210", seconds: Int = 1_795_219_200
  ) throws -> PackageDetails {
    PackageDetails(
      app: try AppDetails(id: id, bundleIdentifiers: ["com.customer.app"]),
      version: try version("1.4.0"),
      compatibility: try SDKRange(minimum: try version("3.2.0"), below: try version("5.0.0")),
      toolVersion: try version("0.1.0"), time: try time(seconds))
  }

  static func models() throws -> [PackagedModel] {
    [
      try upsell.get().packaged(as: .flow(id: 8362, name: "onboarding_upsell", modelVersion: 73)),
      try encoder.get().packaged(as: .shared(name: "encoder")),
    ]
  }

  static func version(_ text: String) throws -> SemanticVersion {
    guard let version = SemanticVersion(text) else { throw NotThere(what: text) }
    return version
  }

  static func time(_ seconds: Int) throws -> Timestamp {
    guard let time = Timestamp(seconds: seconds) else { throw NotThere(what: "\(seconds)") }
    return time
  }

  /// The bytes of the package.
  static let archive = Result { try bytes(of: try PackageContents(try details(), try models())) }

  /// The bytes of the package as a zip.
  static let zip = Result {
    try bytes(of: try PackageContents(try details(), try models()), as: .zip)
  }

  static func bytes(of plan: PackageContents, as form: ArchiveForm = .tarZst) throws -> [UInt8] {
    let scratch = try TemporaryFolder()
    let path = scratch.path("package")
    _ = try PackageWriter(workers: 1).write(plan, as: form, to: path)
    return try MappedFile.contents(of: path, limit: 1 << 20)
  }
}

struct NotThere: Error {
  let what: String
}

extension String {
  func replacing(_ old: String, with new: String) -> String {
    var rest = self[...]
    var result = ""
    while let range = rest.firstRange(of: old) {
      result += rest[..<range.lowerBound] + new
      rest = rest[range.upperBound...]
    }
    return result + rest
  }

  func replacingCharacters(in range: Range<Index>, with text: String) -> String {
    String(self[..<range.lowerBound]) + text + String(self[range.upperBound...])
  }
}

/// Whether a text fits a pattern, whose `#` match numbers and digests.
func matches(_ text: String, _ pattern: String) -> Bool {
  var rest = text[...]
  for (index, part) in pattern.split(separator: "#", omittingEmptySubsequences: false).enumerated()
  {
    if index > 0 { rest = rest.drop { $0.isHexDigit } }
    guard rest.hasPrefix(part) else { return false }
    rest = rest.dropFirst(part.count)
  }
  return rest.isEmpty
}

/// Runs a tool.
func run(_ arguments: String...) throws -> (status: Int32, output: String) {
  try run(arguments)
}

/// Runs a tool, its output and errors together.
func run(_ arguments: [String]) throws -> (status: Int32, output: String) {
  let run = try Program.run(
    ["-c", #"exec "$@" 2>&1"#, "bash"] + arguments, program: "/bin/bash")
  return (run.status, run.output)
}
