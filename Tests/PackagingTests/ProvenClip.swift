import Files
import Formats
import Gate
import Graph
import Inputs
import Proving
import TestSupport
import WeightCompression
import Weights

@testable import Packaging

/// The two encoders of a tiny CLIP model, compressed and judged together.
struct ProvenClip {
  let scratch: TemporaryFolder
  /// As trained, in the order image, text.
  let baselines: [Model]
  /// In the same order.
  let parts: [(emitted: EmittedModel, receipt: DriftReceipt)]

  /// - Parameter bits: of the text encoder's palettes; nil for INT8.
  init(format: ModelFormat = .safetensors, textBits: Int? = nil) throws {
    let scratch = try TemporaryFolder()
    self.scratch = scratch
    try TinyClip.write(to: scratch.path("clip"))
    let pairs = try TinyClip.writePairs(to: scratch.path)
    let baselines = try ModelLoader.encoders(of: scratch.path("clip"))
    self.baselines = baselines
    let value = format.with(FormatChoices())
    let int8 = try CompressionOptions(scheme: "int8", floats: value.floats)
    let text = try textBits.map {
      try CompressionOptions(scheme: "palettize", bits: $0, floats: value.floats)
    }
    let gate = Gate(
      on: try ReferenceSet(path: pairs), try Limits(profile: .lenient), threshold: nil, jobs: 1)
    func stage(_ place: Int, _ options: CompressionOptions) throws -> StagedModel {
      let (model, name) = (baselines[place], ["image", "text"][place])
      let weights = try WeightCompressor.compress(
        weights: try model.usedWeights(), from: model.weights, options: options, jobs: 1)
      return try value.stage(
        weights, of: model, recipe: "x", at: ModelPlace(scratch.path("\(name).\(format)")))
    }
    var staged = StagedModels()
    staged.append(try stage(0, int8))
    staged.append(try stage(1, text ?? int8))
    let verdict = try gate.judge(staged.models, against: baselines)
    guard verdict.isPassed else { throw NotThere(what: "pass") }
    parts = zip(try staged.commit(verdict.receipts), verdict.receipts).map { ($0, $1) }
  }

  /// Packages one of the two.
  func packaged(_ encoder: EncoderKind, name: String = "clip") throws -> PackagedModel {
    let part = parts[encoder == .image ? 0 : 1]
    return try PackagedModel(
      part.emitted, receipt: part.receipt, identity: .shared(name: name, encoder: encoder),
      details: try ModelDetails(
        baselines[encoder == .image ? 0 : 1], as: part.emitted.format, method: "x"))
  }

  /// The archive of both.
  func archive() throws -> [UInt8] {
    try Sample.bytes(
      of: try PackageContents(
        try Sample.details(), [try packaged(.image), try packaged(.text)]))
  }
}

extension ModelDetails {
  /// The facts that a build would state of a model in a format.
  init(
    _ model: Model, as format: ModelFormat, method: String, options: [String: String] = [:]
  ) throws {
    let interface = try ModelInterface(
      of: model.architecture, in: try format.with(FormatChoices()).carrier(of: model))
    guard let bytes = try model.plainByteCount() else { throw NotThere(what: "bytes") }
    self.init(
      inputs: interface.inputs, outputs: interface.outputs, prompt: interface.prompt,
      method: method, options: options, originalBytes: bytes)
  }
}
