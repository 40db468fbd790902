import Files
import Foundation
import Gate
import Packaging
import Release
import StrictJSON
import TestSupport
import Testing
import Weights

/// What packages say of themselves, judged by validators of JSON Schema, CycloneDX and in-toto.
@Suite(.enabled(if: Oracle.isAvailable, "no oracle environment: run scripts/test"))
struct ProvenanceInteropTests {
  /// Archives of the quickstart: sentence encoders and classifiers as safetensors and for Core ML.
  final class Archives {
    let folder: TemporaryFolder
    let paths: [String]

    init() throws {
      folder = try TemporaryFolder()
      let project = folder.path("project")
      try FileManager.default.copyItem(
        atPath: "\(Oracle.repository)/specs/examples/quickstart", toPath: project)
      let plain = try Archives.build(project, to: folder.path("plain"))
      let contract = try String(contentsOfFile: "\(project)/ingot.yaml", encoding: .utf8)
      try contract.replacing("formats: [safetensors]", with: "formats: [mlpackage]")
        .replacing("compress: {scheme: int8}\n  gate", with: "compress: {scheme: none}\n  gate")
        .replacing(#"references.jsonl"}"#, with: #"references.jsonl", threshold: 0.5}"#)
        .replacing("archive: tar.zst", with: "license: Apache-2.0\n  sign: key")
        .write(toFile: "\(project)/ingot.yaml", atomically: true, encoding: .utf8)
      try Archives.key(in: folder, "project/key")
      paths =
        try Archives.clip(in: folder) + plain
        + Archives.build(project, to: folder.path("coreml"))
    }

    /// Archives of a model with two encoders, in both formats.
    private static func clip(in folder: TemporaryFolder) throws -> [String] {
      let project = folder.path("clip")
      try TinyClip.write(to: "\(project)/model")
      try TinyClip.writePairs(to: project)
      try
        #"[{"bundle_identifiers": ["com.a.b"], "app_id": "c2d67cdb-e117-4c3e-acca-2ae7f1a42210"}]"#
        .write(toFile: "\(project)/customers.json", atomically: true, encoding: .utf8)
      return try ["mlpackage", "safetensors"].flatMap { format in
        try """
        ingot: 1
        models:
          clip:
            source: model
            compress: {scheme: int8}
            gate: {references: pairs.jsonl, limits: lenient}
            formats: [\(format)]
        customers: customers.json
        release: {version: 1.0.0, sdk: ">=1.0.0"}

        """.write(toFile: "\(project)/ingot.yaml", atomically: true, encoding: .utf8)
        return try build(project, to: folder.path("clip-\(format)"))
      }
    }

    /// Makes a key for signing and returns its path.
    @discardableResult
    static func key(in folder: TemporaryFolder, _ name: String) throws -> String {
      let path = folder.path(name)
      _ = try Oracle.run(
        program: "/usr/bin/env",
        ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", path])
      return path
    }

    private static func build(_ project: String, to output: String) throws -> [String] {
      let ingot = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appending(path: "ingot").path
      // The gate refuses one model of the quickstart, and its customer gets no package.
      let script = #""$0" build "$1" --output "$2" --quiet --json || [ $? = 3 ]"#
      let text = try Oracle.run(program: "/bin/bash", ["-c", script, ingot, project, output])
      let report = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
      return (report?["packages"] as? [[String: Any]] ?? []).compactMap { $0["path"] as? String }
    }

    /// The bytes of every file whose path is wanted, of all archives.
    func texts(where isWanted: (PackagePath) -> Bool) throws -> [String] {
      try paths.flatMap { path in
        let contents = try PackageReader.contents(of: path, where: isWanted).contents
        return contents.sorted { $0.key < $1.key }.map { String(decoding: $0.value, as: UTF8.self) }
      }
    }
  }

  /// A document, and who judges it.
  struct Job: Encodable {
    let by: String
    let document: String
  }

  static func schema(_ name: String) -> String {
    "\(Oracle.repository)/specs/schemas/\(name).schema.json"
  }

  func judge(_ jobs: [Job]) throws -> [String] {
    let folder = try TemporaryFolder()
    let lines = try jobs.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
    try (lines.joined(separator: "\n") + "\n").write(
      toFile: folder.path("jobs"), atomically: true, encoding: .utf8)
    let text = try Oracle.run("validate_documents.py", [folder.path("jobs")])
    return text.split(separator: "\n").map(String.init)
  }

  /// Everything that is written is accepted, and broken forms of it are not.
  @Test func everyValidatorAcceptsWhatIsWritten() throws {
    let archives = try Archives()
    #expect(archives.paths.count == 7)
    let manifests = try archives.texts { $0.string == "manifest.json" }
    let receipts = try archives.texts { $0.string.hasPrefix("receipts/") }
    let bills = try archives.texts { $0.string == "sbom.cdx.json" }
    let project = ContentDigest(of: [])
    let statements = try archives.paths.map {
      String(
        decoding: try ProvenanceStatement(archive: $0, project: project).bytes, as: UTF8.self)
    }
    #expect((manifests.count, receipts.count) == (7, 21))
    let jobs =
      manifests.map { Job(by: Self.schema("manifest"), document: $0) }
      + receipts.map { Job(by: Self.schema("receipt"), document: $0) }
      + bills.map { Job(by: "cyclonedx", document: $0) }
      + statements.map { Job(by: "in-toto", document: $0) }
    for (job, verdict) in zip(jobs, try judge(jobs)) {
      #expect(verdict == "accepted", "\(job.by): \(job.document)")
    }
    let bill = try #require(bills.first)
    let statement = try #require(statements.first)
    let broken = [
      Job(by: "cyclonedx", document: bill.replacing(#""SHA-256""#, with: #""SHA-255""#)),
      Job(by: "cyclonedx", document: bill.replacing(#""specVersion":"1.6""#, with: #""x":"1.6""#)),
      Job(by: "cyclonedx", document: bill.replacing("urn:uuid:", with: "urn:uuid:0")),
      Job(by: "in-toto", document: statement.replacing("Statement/v1", with: "Statement/v0")),
      Job(by: "in-toto", document: statement.replacing(#""builder":"#, with: #""builders":"#)),
      Job(by: "in-toto", document: statement.replacing(#""subject":"#, with: #""subjects":"#)),
    ]
    for (job, verdict) in zip(broken, try judge(broken)) {
      #expect(verdict.hasPrefix("refused: "), "\(job.document)")
    }
  }

  /// The statement as it is signed, read and verified by securesystemslib.
  @Test func envelopesAreVerifiedByOthers() throws {
    let archives = try Archives()
    let archive = try #require(archives.paths.last)
    let (envelope, key) = (archive + ".intoto.jsonl", archives.folder.path("project/key.pub"))
    let payload = try Oracle.run("verify_envelope.py", [envelope, key])
    let statement = try JSONParser.parseObject(Array(payload.utf8), origin: "payload")
    let subject = try #require(try statement.array("subject").first?.object)
    let digest = try PackageVerifier.verify(archive).sha256.hex
    #expect(try subject.object("digest").string("sha256") == digest)
    let sum = try Oracle.run(program: "/usr/bin/env", ["sha512sum", archive])
    #expect(try subject.object("digest").string("sha512") == sum.prefix(128))
    let contract = try MappedFile(path: archives.folder.path("project/ingot.yaml"))
    let again = try ProvenanceStatement(archive: archive, project: ContentDigest(of: contract))
    #expect(payload == String(decoding: again.bytes, as: UTF8.self) + "\n")
    // Another payload of the same length, and another key.
    let text = try String(contentsOfFile: envelope, encoding: .utf8)
    let changed = archives.folder.path("changed")
    let broken = text.replacing(#""payload":"ey"#, with: #""payload":"ez"#)
    #expect(broken != text)
    try broken.write(toFile: changed, atomically: true, encoding: .utf8)
    #expect(throws: OracleError.self) { try Oracle.run("verify_envelope.py", [changed, key]) }
    let other = try Archives.key(in: archives.folder, "other")
    #expect(throws: OracleError.self) {
      try Oracle.run("verify_envelope.py", [envelope, other + ".pub"])
    }
  }

  /// Every licence that a manifest may name is one that CycloneDX knows by this identifier.
  @Test func licencesAreThoseOfTheList() throws {
    let component: [String: JSONValue] = [
      "type": "data", "name": "x",
      "licenses": .array(License.known.sorted().map { ["license": ["id": .string($0)]] }),
    ]
    let bill: JSONValue = [
      "bomFormat": "CycloneDX", "specVersion": "1.6", "components": [.object(component)],
    ]
    #expect(try judge([Job(by: "cyclonedx", document: bill.compact)]) == ["accepted"])
  }
}
