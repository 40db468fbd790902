import Formats
import Gate
import Graph
import TestSupport
import Testing
import Weights

@testable import Packaging

/// Packages with the encoders of one model.
@Suite struct EncoderPackageTests {
  @Test(arguments: ModelFormat.allCases.filter { !$0.type.holdsTablesAlone })
  func encodersLieInFoldersOfTheirOwn(_ format: ModelFormat) throws {
    let clip = try ProvenClip(format: format)
    let scratch = try TemporaryFolder()
    let path = try scratch.write("a.tar.zst", try clip.archive())
    let package = try PackageVerifier.verify(path)
    #expect(package.manifest.models.map(\.identity.title) == ["clip/image", "clip/text"])
    #expect(
      package.manifest.models.map(\.path.string)
        == ["image", "text"].map { "models/clip/\($0)/model.\(format.name)" })
    #expect(
      package.manifest.models.map(\.gate.receipt.string)
        == ["receipts/clip/image.json", "receipts/clip/text.json"])
    let beside = package.manifest.files.filter { [.tokenizer, .preprocessing].contains($0.role) }
    #expect(
      beside.map { "\($0.role) \($0.path)" }
        == (format.companions.isEmpty
          ? []
          : [
            "preprocessing models/clip/image/preprocessor_config.json",
            "tokenizer models/clip/text/tokenizer.json",
          ]))
  }

  @Test func anEncoderNeedsTheOneItWasJudgedWith() throws {
    let clip = try ProvenClip()
    let other = try ProvenClip(textBits: 8)
    func message(_ models: [PackagedModel]) -> String? {
      TestSupport.message { _ = try PackageContents(try Sample.details(), models) }
    }
    let (image, text) = (try clip.packaged(.image), try clip.packaged(.text))
    #expect(message([image, text]) == nil)
    #expect(
      message([image])
        == "model 'clip/image': was judged together with the text encoder "
        + "\(text.receipt.candidate.weights), the package would hold nothing")
    let foreign = try other.packaged(.text)
    #expect(
      message([image, foreign])
        == "model 'clip/image': was judged together with the text encoder "
        + "\(text.receipt.candidate.weights), the package would hold \(foreign.receipt.candidate.weights)"
    )
    #expect(
      message([image, try clip.packaged(.text, name: "other")])
        == message([image]))
  }

  /// Two sound packages of one release, and the text encoder of the second put into the first.
  @Test(arguments: ModelFormat.allCases.filter { !$0.type.holdsTablesAlone })
  func aSwappedEncoderIsFound(_ format: ModelFormat) throws {
    let clip = try ProvenClip(format: format), other = try ProvenClip(format: format, textBits: 8)
    #expect(clip.parts[0].receipt.candidate == other.parts[0].receipt.candidate)
    let archive = try mixed(try clip.archive(), try other.archive())
    #expect(
      try verify(archive)
        == "a.tar.zst: receipt 'receipts/clip/image.json' was written beside the text encoder "
        + "\(clip.parts[1].receipt.candidate.weights), the package holds "
        + "\(other.parts[1].receipt.candidate.weights)")
  }

  @Test func anEncoderThatIsMissingIsFound() throws {
    let clip = try ProvenClip()
    let archive = try mixed(try clip.archive(), nil)
    #expect(
      try verify(archive)
        == "a.tar.zst: receipt 'receipts/clip/image.json' was written beside the text encoder "
        + "\(clip.parts[1].receipt.candidate.weights), the package holds nothing")
  }

  @Test func aChangedCompanionIsFound() throws {
    var tarball = try Tarball(of: try ProvenClip(format: .mlpackage).archive())
    try tarball.replace("models/clip/image/preprocessor_config.json", [0x7B, 0x7D])
    let manifest = try tarball.manifest
    try tarball.replace("sbom.cdx.json", BillOfMaterials(manifest).bytes)
    let found = try #require(try verify(try Tarball.compress(tarball.bytes)))
    #expect(
      matches(
        found,
        "a.tar.zst: receipt 'receipts/clip/image.json' has preprocessor_config.json #, "
          + "the manifest says #"), "\(found)")
  }

  private func verify(_ archive: [UInt8]) throws -> String? {
    let scratch = try TemporaryFolder()
    let path = try scratch.write("a.tar.zst", archive)
    return message { _ = try PackageVerifier.verify(path) }?
      .replacing("\(scratch.path)/", with: "")
  }

  /// The image encoder of one archive beside the text encoder of another, or alone, with a manifest
  /// that fits.
  private func mixed(_ left: [UInt8], _ right: [UInt8]?) throws -> [UInt8] {
    var models: [ModelEntry] = []
    var parts: [(entry: FileEntry, bytes: [UInt8])] = []
    for (archive, encoder) in [(left, EncoderKind.image), (right, .text)] {
      guard let archive else { continue }
      let tar = try Tarball(of: archive)
      let manifest = try tar.manifest
      models += manifest.models.filter { $0.identity.encoder == encoder }
      parts += zip(manifest.files, tar.entries.dropFirst().map(\.content)).filter {
        $0.0.path.string.contains("clip/\(encoder.rawValue)")
      }.map { ($0.0, $0.1) }
    }
    parts.sort { $0.entry.path < $1.entry.path }
    let first = try Tarball(of: left).manifest
    let build = BuildFacts(
      toolVersion: first.build.toolVersion, inputs: Manifest.inputs(of: models),
      time: first.build.time)
    let listed = Manifest(
      app: first.app, name: first.name, version: first.version,
      compatibility: first.compatibility, models: models, files: parts.map(\.entry),
      licenses: first.licenses, build: build)
    let bill = BillOfMaterials(listed).bytes
    let manifest = listed.listing(
      parts.map(\.entry) + [
        FileEntry(
          path: try PackagePath(BillOfMaterials.entryName), size: bill.count,
          sha256: ContentDigest(of: bill), role: .sbom)
      ])
    let entries =
      try [Tarball.Entry("manifest.json", manifest.bytes, time: build.time)]
      + parts.map { try Tarball.Entry($0.entry.path.string, $0.bytes, time: build.time) }
      + [Tarball.Entry("sbom.cdx.json", bill, time: build.time)]
    return try Tarball.compress(
      entries.flatMap(\.bytes) + [UInt8](repeating: 0, count: Tar.endByteCount))
  }

  struct NameCase: CustomTestStringConvertible, Sendable {
    let identities: [ModelIdentity]
    let clash: String?
    var testDescription: String { identities.map(\.title).joined(separator: " ") }
  }

  static let names = [
    NameCase(
      identities: [
        .shared(name: "a", encoder: .image), .shared(name: "a", encoder: .text),
        .shared(name: "b"), .flow(id: 1, name: "c", modelVersion: 1, encoder: .text),
      ], clash: nil),
    NameCase(identities: [.shared(name: "a"), .shared(name: "A")], clash: "A"),
    NameCase(
      identities: [.shared(name: "a"), .shared(name: "a", encoder: .text)], clash: "a/text"),
    NameCase(
      identities: [.shared(name: "a", encoder: .text), .shared(name: "a")], clash: "a"),
    NameCase(
      identities: [.shared(name: "a", encoder: .text), .shared(name: "a", encoder: .text)],
      clash: "a/text"),
    NameCase(
      identities: [.shared(name: "a", encoder: .text), .shared(name: "A", encoder: .image)],
      clash: "A/image"),
    NameCase(
      identities: [
        .shared(name: "a", encoder: .text),
        .flow(id: 1, name: "a", modelVersion: 1, encoder: .image),
      ], clash: "a/image"),
  ]

  @Test(arguments: names)
  func onlyEncodersOfOneModelShareAName(_ test: NameCase) {
    #expect(test.identities.firstClash?.title == test.clash)
  }

  struct ManifestCase: CustomTestStringConvertible, Sendable {
    let name: String
    let old: String
    let new: String
    let fault: String
    var testDescription: String { name }
  }

  @Test(arguments: [
    ManifestCase(
      name: "unknown encoder", old: #""encoder":"image""#, new: #""encoder":"sound""#,
      fault: "'encoder' is 'sound', expected image or text"),
    ManifestCase(
      name: "other encoder", old: #""encoder":"image""#, new: #""encoder":"text""#,
      fault: "the paths of model 'clip/text' are not those of its name"),
    ManifestCase(
      name: "no encoder", old: #""encoder":"image","#, new: "",
      fault: "the paths of model 'clip' are not those of its name"),
    ManifestCase(
      name: "other role", old: #""role":"preprocessing""#, new: #""role":"tokenizer""#,
      fault: "'models/clip/image/preprocessor_config.json' is not a file of its own with role "
        + "'preprocessing'"),
  ])
  func manifestsAreHeldToEncoders(_ test: ManifestCase) throws {
    let tarball = try Tarball(of: try ProvenClip(format: .mlpackage).archive())
    let text = String(decoding: tarball.entries[0].content, as: UTF8.self)
    #expect(text.contains(test.old))
    let edited = text.replacing(test.old, with: test.new)
    let found = message { _ = try Manifest(Array(edited.utf8), origin: "m") }
    #expect(found?.hasSuffix(test.fault) == true, "\(found ?? "nothing")")
  }
}
