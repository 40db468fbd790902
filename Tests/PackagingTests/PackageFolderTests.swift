import Files
import Formats
import StrictJSON
import TestSupport
import Testing
import Weights

@testable import Packaging

/// Models that are folders.
@Suite struct PackageFolderTests {
  static let folder = "models/encoder/model.mlpackage"
  static let sound = Result { try ProvenFolder().archive() }

  @Test func packsEveryFileAndTheTokenizer() throws {
    let proven = try ProvenFolder()
    let bytes = try proven.archive()
    let scratch = try TemporaryFolder()
    let package = try PackageVerifier.verify(try scratch.write("a", bytes))
    let manifest = package.manifest
    #expect(
      manifest.files.map { "\($0.path) \($0.role)" } == [
        "\(Self.folder)/Data/com.apple.CoreML/model.mlmodel model",
        "\(Self.folder)/Data/com.apple.CoreML/weights/weight.bin model",
        "\(Self.folder)/Manifest.json model", "models/encoder/tokenizer.json tokenizer",
        "receipts/encoder.json receipt", "sbom.cdx.json sbom",
      ])
    let model = try #require(manifest.models.first)
    #expect(model.path.string == Self.folder)
    #expect(model.format == .mlpackage)
    #expect(model.compression.bytes == proven.emitted.byteCount)
    #expect(try Manifest(manifest.bytes, origin: "m") == manifest)
    #expect(try ProvenFolder().archive() == bytes)
    let parts = try LooseParts(of: bytes).parts
    #expect(parts[3].bytes == ProvenFolder.tokenizer)
  }

  @Test func packsAFolderWithoutATokenizer() throws {
    let archive = try ProvenFolder(tokenizer: nil).archive()
    #expect(try LooseParts(of: archive).parts.count == 4)
  }

  @Test func packsSingleFilesAsBefore() throws {
    let manifest = try Tarball().manifest
    #expect(manifest.files.map(\.role) == [.model, .model, .receipt, .receipt, .sbom])
    for model in manifest.models {
      let file = try #require(manifest.files.first { $0.path == model.path })
      let json = String(decoding: CanonicalJSON.bytes(of: file.json), as: UTF8.self)
      #expect(
        json == #"{"path":"models/\#(model.identity.name)/model.safetensors","role":"model","#
          + #""sha256":"\#(file.sha256)","size":\#(model.compression.bytes)}"#)
      #expect(model.json["format"] == "safetensors")
    }
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let fault: String
    let edit: @Sendable (inout LooseParts) throws -> Void
    var testDescription: String { name }

    init(
      _ name: String, _ fault: String, _ edit: @escaping @Sendable (inout LooseParts) throws -> Void
    ) {
      self.name = name
      self.fault = fault
      self.edit = edit
    }
  }

  private static let otherFolder =
    "receipt 'receipts/encoder.json' has candidate #, the files of '\(folder)' make #"

  static let contents = [
    Case("changed weights", otherFolder) {
      try $0.replace(ProvenFolder.weightsPath, [UInt8](repeating: 1, count: 200))
    },
    Case("added file", otherFolder) { $0.add("\(folder)/Data/extra", .model) },
    Case("missing file", otherFolder) { parts in
      parts.parts.removeAll { $0.path == ProvenFolder.weightsPath }
    },
    Case("renamed file", otherFolder) { $0.parts[2].path = "\(folder)/Manifest.jsom" },
    Case("another model", otherFolder) {
      try $0.replace(ProvenFolder.modelPath, [8, 8])
    },
    Case(
      "another receipt named",
      "model '\(folder)' names the receipt 00ff, 'receipts/encoder.json' has sha256 #"
    ) {
      try $0.replace(ProvenFolder.modelPath, try ProvenFolder.model(naming: "00ff"))
    },
    Case(
      "a hostile receipt named",
      "model '\(folder)' names the receipt \\u001b[2J, 'receipts/encoder.json' has sha256 #"
    ) {
      try $0.replace(ProvenFolder.modelPath, try ProvenFolder.model(naming: "\u{1B}[2J"))
    },
    Case(
      "no receipt named",
      "model '\(folder)' names the receipt nothing, 'receipts/encoder.json' has sha256 #"
    ) {
      try $0.replace(ProvenFolder.modelPath, try ProvenFolder.model(naming: nil))
    },
    Case(
      "no message",
      "model '\(ProvenFolder.modelPath)' is not sound: its message cannot be read"
    ) { try $0.replace(ProvenFolder.modelPath, [0xFF, 0xFF]) },
    Case(
      "changed tokenizer",
      "receipt 'receipts/encoder.json' has tokenizer.json #, the manifest says #"
    ) { try $0.replace("models/encoder/tokenizer.json", [0x7B, 0x7D]) },
    Case(
      "no tokenizer",
      "receipt 'receipts/encoder.json' has tokenizer.json #, the manifest says nothing"
    ) { $0.parts.removeAll { $0.role == .tokenizer } },
  ]

  @Test(arguments: contents)
  func refusesWhatTheReceiptDoesNotProve(_ item: Case) throws {
    var parts = try LooseParts(of: try Self.sound.get())
    try item.edit(&parts)
    try expect(item.fault, parts)
  }

  @Test func refusesATokenizerThatDidNotRun() throws {
    var parts = try LooseParts(of: try ProvenFolder(tokenizer: nil).archive())
    parts.add("models/encoder/tokenizer.json", .tokenizer)
    try expect(
      "receipt 'receipts/encoder.json' has tokenizer.json nothing, the manifest says #", parts)
  }

  func expect(_ fault: String, _ parts: LooseParts) throws {
    let scratch = try TemporaryFolder()
    let path = try scratch.write("a", try parts.archive())
    let found = message { _ = try PackageVerifier.verify(path) } ?? "no error"
    #expect(withoutDigests(found) == "\(path): \(fault)", "\(found)")
  }

  /// Digests as `#`.
  private func withoutDigests(_ text: String) -> String {
    text.replacing(/[0-9a-f]{64}/) { _ in "#" }
  }

  @Test func streamsEveryEntry() throws {
    var tar = try Tarball(of: try Self.sound.get())
    let missing = tar.entries.remove(at: 2)
    let scratch = try TemporaryFolder()
    let path = try scratch.write("a", try Tarball.compress(tar.bytes))
    #expect(
      message { _ = try PackageVerifier.verify(path) }
        == "\(path): '\(Tarball.name(of: missing))' is listed in the manifest, but not in the archive"
    )
  }

  @Test func aSingleFileHasNoTokenizer() throws {
    var parts = try LooseParts(of: try ProvenFolder(tokenizer: nil).archive())
    parts.parts.removeAll { $0.role == .model }
    parts.add("models/encoder/model.safetensors", .model)
    parts.add("models/encoder/tokenizer.json", .tokenizer)
    let bytes = try parts.newManifest(format: .safetensors).bytes
    #expect(
      message { _ = try Manifest(bytes, origin: "m") }
        == "m:1:1: file 'models/encoder/tokenizer.json' belongs to no model")
  }

  @Test func refusesCompanionsThatDidNotRun() throws {
    let proven = try ProvenFolder()
    func message(_ companions: [String: [UInt8]], format: ModelFormat = .mlpackage) -> String? {
      let emitted = EmittedModel(
        path: proven.emitted.path, format: format, digest: proven.emitted.digest,
        files: proven.emitted.files, companions: companions)
      return TestSupport.message {
        _ = try PackagedModel(
          emitted, receipt: proven.receipt, identity: .shared(name: "x"), details: proven.details)
      }
    }
    let digest = ContentDigest(of: ProvenFolder.tokenizer)
    #expect(
      message(["tokenizer.json": [1]])
        == "model 'x': the receipt proves 'tokenizer.json' \(digest), "
        + "the file is \(ContentDigest(of: [1]))")
    #expect(
      message([:])
        == "model 'x': the receipt proves 'tokenizer.json' \(digest), the file is nothing")
    #expect(
      message(["words.txt": [1]])
        == "'companions' is 'words.txt', expected tokenizer.json, preprocessor_config.json, "
        + "processor_config.json, open_clip_config.json, tokenizer_config.json, "
        + "special_tokens_map.json, added_tokens.json, vocab.txt, vocab.json, merges.txt, "
        + "spiece.model, sentencepiece.bpe.model, spm.model, tokenizer.model")
    #expect(
      message(["tokenizer.json": [1]], format: .safetensors)
        == "'companions' is 'tokenizer.json', expected none beside a single file")
  }

  @Test func refusesAFolderThatChangedAfterTheGate() throws {
    let proven = try ProvenFolder()
    let model = try proven.packaged()
    let path = Folder.join(proven.emitted.path, "Data/com.apple.CoreML/weights/weight.bin")
    let changed = [UInt8](repeating: 1, count: 200)
    try AtomicFile.write(changed, to: path)
    let target = proven.scratch.path("p")
    #expect(
      message {
        _ = try PackageWriter(workers: 1).write(
          try PackageContents(try Sample.details(), [model]), to: target)
      }
        == "\(path): has changed since it was proven: the receipt proves "
        + "\(ContentDigest(of: Array(0..<200))), found \(ContentDigest(of: changed))")
  }
}
