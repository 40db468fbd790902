import Files
import Gate
import Graph
import Inputs
import TestSupport
import Weights

@testable import Formats
@testable import Packaging

/// An architecture that a tokenizer describes, too.
private struct Described: Architecture {
  static let name = "dense"
  let base: any Architecture
  let describingFiles: [String]

  var input: ModelInput { base.input }
  var output: ModelOutput { base.output }
  let outputName = "probabilities"
  func graph(batch: Int, length: Int) throws(GraphError) -> ModelGraph {
    try base.graph(batch: batch, length: length)
  }
}

/// Weights under the digest of a folder.
private struct FolderWeights: WeightFile {
  let base: any WeightFile
  let own: ContentDigest

  var names: [TensorName] { base.names }
  var files: [String] { base.files }
  func shape(of name: TensorName) -> [Int]? { base.shape(of: name) }
  func floats(of name: TensorName) throws -> [Float] { try base.floats(of: name) }
  func digest() -> ContentDigest { own }
}

/// A folder put together by hand, with a receipt that the gate made for it.
struct ProvenFolder {
  static let modelPath = "models/encoder/model.mlpackage/\(CoreMLDigest.modelPath)"
  static let weightsPath =
    "models/encoder/model.mlpackage/Data/com.apple.CoreML/weights/weight.bin"
  static let tokenizer = Array(#"{"version": "1.0"}"#.utf8)

  let scratch: TemporaryFolder
  let emitted: EmittedModel
  let receipt: DriftReceipt
  let details: ModelDetails

  /// The bytes of a model file that names a receipt.
  static func model(naming receipt: String?) throws -> [UInt8] {
    var model = SpecModel()
    model.specificationVersion = 7
    model.description_p.metadata.userDefined = ["dev.ingot.recipe": "int8", "a": "b"]
    model.description_p.metadata.userDefined[CoreMLDigest.receiptKey] = receipt
    return try model.deterministicBytes()
  }

  init(tokenizer: [UInt8]? = ProvenFolder.tokenizer) throws {
    scratch = try TemporaryFolder()
    let source = try Sample.encoder.get()
    var files: [String: [UInt8]] = [
      CoreMLDigest.modelPath: try ProvenFolder.model(naming: nil),
      "Data/com.apple.CoreML/weights/weight.bin": Array(0..<200), "Manifest.json": Array("{}".utf8),
    ]
    func listed() -> [EmittedModel.File] {
      files.sorted { $0.key < $1.key }.map {
        EmittedModel.File(
          path: $0.key, byteCount: $0.value.count, digest: ContentDigest(of: $0.value))
      }
    }
    let digest = try CoreMLDigest.digest(
      of: listed().map { ($0.path, $0.digest) }, model: files[CoreMLDigest.modelPath] ?? [])
    receipt = try ProvenFolder.prove(source, digest, tokenizer)
    files[CoreMLDigest.modelPath] = try ProvenFolder.model(
      naming: ContentDigest(of: receipt.packedBytes).hex)
    for (path, bytes) in files { _ = try scratch.write("a.mlpackage/\(path)", bytes) }
    emitted = EmittedModel(
      path: scratch.path("a.mlpackage"), format: .mlpackage, digest: digest, files: listed(),
      companions: tokenizer.map { ["tokenizer.json": $0] } ?? [:])
    details = source.details
  }

  private static func prove(
    _ source: ProvenModel, _ digest: ContentDigest, _ tokenizer: [UInt8]?
  ) throws -> DriftReceipt {
    let plain = try ModelLoader.open(source.scratch.path("model"))
    let architecture = Described(
      base: plain.architecture, describingFiles: tokenizer == nil ? [] : ["tokenizer.json"])
    let files = ModelFiles(
      carriedBy: "x", texts: tokenizer.map { ["tokenizer.json": $0] } ?? [:])
    let verdict = try Gate(
      on: ReferenceSet(path: source.scratch.path("references.jsonl")), Limits(profile: .lenient),
      threshold: nil, jobs: 1
    ).judge(
      [
        Model(
          origin: "b", architecture: architecture, files: files,
          weights: FolderWeights(base: plain.weights, own: digest))
      ],
      against: [
        Model(
          origin: "a", architecture: architecture, files: files, weights: plain.weights)
      ])
    guard let receipt = verdict.receipt else { throw NotThere(what: "receipt") }
    return receipt
  }

  func packaged() throws -> PackagedModel {
    try PackagedModel(
      emitted, receipt: receipt, identity: .shared(name: "encoder"), details: details)
  }

  /// The archive of a package with this model alone.
  func archive() throws -> [UInt8] {
    try Sample.bytes(of: try PackageContents(try Sample.details(), [try packaged()]))
  }
}

/// A package taken apart, to be put together with a manifest that fits.
struct LooseParts {
  struct Part {
    var path: String
    var role: FileEntry.Role
    var bytes: [UInt8]
  }

  let manifest: Manifest
  /// All but the bill of materials, which follows from the others.
  var parts: [Part]

  init(of archive: [UInt8]) throws {
    let tar = try Tarball(of: archive)
    let manifest = try tar.manifest
    self.manifest = manifest
    parts = zip(manifest.files, tar.entries.dropFirst()).filter { $0.0.role != .sbom }.map {
      Part(path: $0.path.string, role: $0.role, bytes: $1.content)
    }
  }

  mutating func replace(_ path: String, _ bytes: [UInt8]) throws {
    guard let index = parts.firstIndex(where: { $0.path == path }) else {
      throw NotThere(what: path)
    }
    parts[index].bytes = bytes
  }

  mutating func add(_ path: String, _ role: FileEntry.Role, _ bytes: [UInt8] = [1]) {
    parts.append(Part(path: path, role: role, bytes: bytes))
    parts.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
  }

  /// A manifest of these parts, consistent in sizes and digests.
  func newManifest(format: ModelFormat? = nil) throws -> Manifest {
    let model = manifest.models[0]
    let path = try model.identity.path(format: format ?? model.format)
    let own = try parts.filter { try PackagePath($0.path).ofModel == path.string }
    let bytes = own.filter { $0.role == .model }.reduce(0) { $0 + $1.bytes.count }
    let entry = ModelEntry(
      identity: model.identity, path: path,
      format: format ?? model.format, architecture: model.architecture, inputs: model.inputs,
      outputs: model.outputs, prompt: nil, threshold: model.threshold,
      cacheKey: model.cacheKey, inputConfiguration: model.inputConfiguration,
      selfTest: model.selfTest,
      compression: CompressionFacts(
        method: model.compression.method, options: model.compression.options,
        originalBytes: model.compression.originalBytes, bytes: bytes), gate: model.gate)
    let files = try parts.map { try LooseParts.entry($0.path, $0.bytes, $0.role) }
    let listed = Manifest(
      app: manifest.app, name: manifest.name, version: manifest.version,
      compatibility: manifest.compatibility, models: [entry], files: files,
      licenses: manifest.licenses, build: manifest.build)
    let bill = BillOfMaterials(listed).bytes
    return listed.listing(
      files + [try LooseParts.entry(BillOfMaterials.entryName, bill, .sbom)])
  }

  private static func entry(
    _ path: String, _ bytes: [UInt8], _ role: FileEntry.Role
  ) throws -> FileEntry {
    FileEntry(
      path: try PackagePath(path), size: bytes.count, sha256: ContentDigest(of: bytes), role: role)
  }

  /// The archive of these parts.
  func archive() throws -> [UInt8] {
    let time = manifest.build.time
    let manifest = try newManifest()
    let entries =
      try [Tarball.Entry("manifest.json", manifest.bytes, time: time)]
      + parts.map { try Tarball.Entry($0.path, $0.bytes, time: time) }
      + [Tarball.Entry("sbom.cdx.json", BillOfMaterials(manifest).bytes, time: time)]
    let end = [UInt8](repeating: 0, count: Tar.endByteCount)
    return try Tarball.compress(entries.flatMap(\.bytes) + end)
  }
}
