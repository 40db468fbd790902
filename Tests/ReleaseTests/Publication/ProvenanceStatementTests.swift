import Files
import Packaging
import ProjectFixtures
import StrictJSON
import TestSupport
import Testing
import Weights

@testable import Release

/// The statement that is signed about an archive.
@Suite struct ProvenanceStatementTests {
  private static let project = ContentDigest(of: Array("project".utf8))

  private func statement(_ project: SmallProject, of index: Int = 1) throws -> (
    report: BuildReport.Package, object: JSONObject, text: String
  ) {
    let package = try project.build().packages[index]
    let statement = try ProvenanceStatement(archive: package.path, project: Self.project)
    return (
      package, try JSONParser.parseObject(statement.bytes, origin: "s"),
      String(decoding: statement.bytes, as: UTF8.self)
    )
  }

  @Test func namesTheArchiveAndTheTarInside() throws {
    let project = try SmallProject()
    let (package, object, _) = try statement(project)
    #expect(try object.string("_type") == "https://in-toto.io/Statement/v1")
    #expect(try object.string("predicateType") == "https://slsa.dev/provenance/v1")
    let subjects = try object.array("subject").compactMap(\.object)
    let name = Folder.name(of: package.path)
    #expect(try subjects.map { try $0.string("name") } == [name, "\(name): tar stream"])
    let verified = try PackageVerifier.verify(package.path)
    #expect(
      try subjects.map { try $0.object("digest").string("sha256") } == [
        verified.sha256.hex, try #require(verified.tarSHA256).hex,
      ])
    // What the signature of the archive is made over.
    let sum = try Program.run(["sha512sum", package.path], program: "/usr/bin/env")
    #expect(try subjects[0].object("digest").string("sha512") == sum.output.prefix(128))
    #expect(try !subjects[1].object("digest").has("sha512"))
  }

  @Test func namesEveryInputAndEveryFile() throws {
    let project = try SmallProject()
    let (package, object, _) = try statement(project)
    let predicate = try object.object("predicate")
    let inputs = try predicate.object("buildDefinition").array("resolvedDependencies")
      .compactMap(\.object)
    #expect(
      try inputs.map { try $0.string("name") } == [
        "churn/model", "churn/model/model.json", "churn/references", "ranker/model",
        "ranker/model/model.json", "ranker/references", "upsell/model", "upsell/model/model.json",
        "upsell/references",
      ])
    let weights = try ContentDigest(
      of: MappedFile(path: project.scratch.path("models/ranker/w.npy")))
    #expect(try inputs[3].object("digest").string("sha256") == weights.hex)
    let manifest = try PackageReader.manifest(of: package.path)
    let products = try predicate.object("runDetails").array("byproducts").compactMap(\.object)
    #expect(
      try products.map { try $0.string("name") }
        == ["manifest.json"] + manifest.files.map(\.path.string))
    let receipt = try #require(products.first { $0["annotations"] != nil }).object("annotations")
    #expect(try receipt.object("metrics").object("outputDrift")["max"]?.string != nil)
    for key in ["baseline", "candidate", "references"] {
      #expect(try receipt.string(key).utf8.count == 64)
    }
  }

  @Test func saysWhatWasAskedFor() throws {
    let project = try SmallProject()
    let (_, object, _) = try statement(project)
    let definition = try object.object("predicate").object("buildDefinition")
    let external = try definition.object("externalParameters")
    #expect(
      try external.object("project").object("digest").string("sha256") == Self.project.hex)
    #expect(try external.string("archive") == "tar.zst")
    #expect(try external.object("package").string("version") == "1.4.0")
    let churn = try definition.object("internalParameters").object("models").object("churn")
    #expect(try churn.object("options").string("scheme") == "int8")
    #expect(try churn.object("limits").string("similarityDriftMax") == "0.1")
    #expect(try churn.string("threshold") == "0.5")
    let builder = try object.object("predicate").object("runDetails").object("builder")
    #expect(
      try builder.object("version").members.map(\.key) == ["ingot", "libarchive", "libzstd"])
  }

  /// The same build gives the same bytes, in whatever folder; they hold no time and no path.
  @Test func isTheSameOnEveryMachine() throws {
    let projects = (try SmallProject(), try SmallProject())
    let text = try statement(projects.0).text
    #expect(try statement(projects.1).text == text)
    #expect(!text.contains(projects.0.scratch.path))
    #expect(text.utf8.allSatisfy { (0x20..<0x7F).contains($0) })
    for word in ["startedOn", "finishedOn", "invocationId"] { #expect(!text.contains(word)) }
  }
}
