import Files
import Formats
import Gate
import Graph
import Inputs
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
    let floats: FloatWidth = format == .mlpackage ? .float16 : .float32
    let int8 = try CompressionOptions(scheme: "int8", floats: floats)
    let text = try textBits.map {
      try CompressionOptions(scheme: "palettize", bits: $0, floats: floats)
    }
    var judged: Judgement?
    var candidates: [Model] = []
    var texts: EmittedModel?
    func receipt(_ index: Int) -> ContentDigest? {
      judged.flatMap { $0.isPassed ? ContentDigest(of: $0.receipts[index].packedBytes) : nil }
    }
    let image = try ProvenClip.write(
      baselines[0], int8, format, scratch.path("image.\(format.rawValue)")
    ) { candidate in
      candidates.append(candidate)
      texts = try ProvenClip.write(
        baselines[1], text ?? int8, format, scratch.path("text.\(format.rawValue)")
      ) { candidate in
        candidates.append(candidate)
        judged = try Gate.judge(
          baseline: .models(baselines), candidate: .models(candidates),
          references: try ReferenceSet(path: pairs), limits: try Limits(profile: .lenient), jobs: 1)
        return receipt(1)
      }
      return receipt(0)
    }
    guard let judged, judged.isPassed, let texts else {
      throw NotThere(what: "pass: \(judged?.reasons ?? [])")
    }
    parts = [(image, judged.receipts[0]), (texts, judged.receipts[1])]
  }

  private static func write(
    _ model: Model, _ options: CompressionOptions, _ format: ModelFormat, _ path: String,
    proving prove: (Model) throws -> ContentDigest?
  ) throws -> EmittedModel {
    let weights = try WeightCompressor.compress(
      weights: try model.usedWeights(), from: model.weights, options: options, jobs: 1)
    guard format == .mlpackage else {
      return try CompressedSafetensors.write(weights, of: model, recipe: "x", to: path) {
        _ = try prove($0)
      }
    }
    return try CoreMLPackage.write(
      weights, of: model, recipe: "x", options: CoreMLOptions(),
      description: CoreMLDescription(), to: path, proving: prove)
  }

  /// Packages one of the two.
  func packaged(_ encoder: EncoderKind, name: String = "clip") throws -> PackagedModel {
    let part = parts[encoder == .image ? 0 : 1]
    return try PackagedModel(
      part.emitted, receipt: part.receipt, identity: .shared(name: name, encoder: encoder),
      terms: try ModelTerms(
        baselines[encoder == .image ? 0 : 1], as: part.emitted.format, method: "x"))
  }

  /// The archive of both.
  func archive() throws -> [UInt8] {
    try Sample.bytes(
      of: try PackagePlan(
        try Sample.terms(), [try packaged(.image), try packaged(.text)]))
  }
}

extension ModelTerms {
  /// What a build would say of a model in a format.
  init(
    _ model: Model, as format: String, method: String, options: [String: String] = [:]
  ) throws {
    let carrier: ModelInterface.Carrier =
      format == ModelFormat.safetensors.rawValue
      ? .safetensors
      : .mlpackage(
        outputNames: CoreMLPackage.outputNames(of: model.architecture),
        lengths: try CoreMLOptions().lengths(of: model), embedding: .float32)
    let interface = try ModelInterface(of: model.architecture, in: carrier)
    guard let bytes = try model.plainByteCount() else { throw NotThere(what: "bytes") }
    self.init(
      inputs: interface.inputs, outputs: interface.outputs, prompt: interface.prompt,
      method: method, options: options, originalBytes: bytes)
  }
}
