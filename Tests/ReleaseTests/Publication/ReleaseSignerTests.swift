import Files
import Foundation
import Packaging
import Project
import ProjectFixtures
import Signatures
import TestSupport
import Testing
import Weights

@testable import Project
@testable import Release

private let hasKeyMaker = FileManager.default.isExecutableFile(atPath: "/usr/bin/ssh-keygen")

/// A key signs the bytes that were compared, whoever else writes to the output folder.
@Suite(.enabled(if: hasKeyMaker, "needs ssh-keygen")) struct ReleaseSignerTests {
  private let project: SmallProject

  init() throws {
    project = try SmallProject()
    let made = try Program.run(
      ["-q", "-t", "ed25519", "-N", "", "-f", project.scratch.path("key")],
      program: "/usr/bin/ssh-keygen")
    try #require(made.status == 0)
    try sign(true)
  }

  private func sign(_ isSigned: Bool) throws {
    let end = "archive: tar.zst\n"
    try project.scratch.write(
      "ingot.yaml",
      SmallProject.contract.replacing(end, with: isSigned ? end + "  sign: key\n" : end))
  }

  /// Whether a file's signature is one of that file.
  private func isSigned(_ path: String) -> Bool {
    guard let signature = try? SSHSignature(path: path + SSHSignature.suffix),
      let file = try? MappedFile(path: path)
    else { return false }
    return signature.isMade(of: file, for: SignatureNamespace.package)
  }

  /// The archive is compared, and another one lies there when it is to be signed.
  @Test func anArchiveThatIsSwappedAfterItWasComparedIsNotSigned() throws {
    let paths = try project.build().packages.map(\.path)
    for suffix in [SSHSignature.suffix, AttestedSubjects.suffix] {
      try Folder.remove(paths[0] + suffix)
    }
    let other = try MappedFile.contents(of: paths[1], limit: 1 << 20)
    let compared = ContentDigest(of: try MappedFile(path: paths[0]))
    let report = try project.build { event in
      guard case .packed = event else { return }
      try? Folder.remove(paths[0])
      try? AtomicFile.write(other, to: paths[0])
    }
    #expect(!isSigned(paths[0]))
    #expect(report.refused.map(\.cause) == [.output])
    #expect(
      report.refused.first?.reasons == [
        "\(paths[0]): has sha256 \(ContentDigest(of: other)), compared was \(compared): it was changed "
          + "during this build; look who else writes there, and build again"
      ])
    #expect(report.packages.map(\.path) == Array(paths.dropFirst()))
  }

  @Test func nothingButWhatWasVerifiedIsSigned() throws {
    let paths = try project.build().packages.map(\.path)
    let (contract, _, _) = try ProjectValidator.plan(project.scratch.path)
    let signer = try #require(try ReleaseSigner(contract))
    let package = try PackageVerifier.verify(paths[0])
    #expect(try signer.attestations(for: package, named: "a", [:]).count == 2)
    let other = try MappedFile.contents(of: paths[1], limit: 1 << 20)
    try AtomicFile.write(other, to: paths[0])
    #expect(
      throws: SignatureError.changed(
        path: paths[0], found: ContentDigest(of: other).hex, expected: package.sha256.hex)
    ) { try signer.attestations(for: package, named: "a", [:]) }
  }

  /// What the provenance says of the project is said of the bytes that were followed.
  @Test func aProjectThatIsReplacedWhileItIsBuiltIsNotTheOneThatIsSigned() throws {
    let path = try #require(try project.build().packages.first?.path)
    let (contract, _, _) = try ProjectValidator.plan(project.scratch.path)
    let file = project.scratch.path("ingot.yaml")
    let followed = ContentDigest(of: try MappedFile(path: file))
    try AtomicFile.write(
      try MappedFile.contents(of: file, limit: 1 << 20) + Array("# \n".utf8), to: file)
    let key = try SigningKey.open(project.scratch.path("key"))
    let attestations = try #require(try ReleaseSigner(contract)).attestations(
      for: try PackageVerifier.verify(path), named: "a", [:])
    let envelope = project.scratch.path("envelope")
    try AtomicFile.write(try #require(attestations.last).bytes, to: envelope)
    let statement = try #require(try Envelope(path: envelope).payload(signedBy: key.publicKey))
    #expect(String(decoding: statement, as: UTF8.self).contains(followed.hex))
  }

  /// Signs another statement of an archive with the project's key.
  private func restate(_ path: String, _ change: (String) -> String) throws -> [UInt8] {
    let place = path + AttestedSubjects.suffix
    let key = try SigningKey.open(project.scratch.path("key"))
    let payload = try #require(try Envelope(path: place).payload(signedBy: key.publicKey))
    let changed = change(String(decoding: payload, as: UTF8.self))
    try #require(changed != String(decoding: payload, as: UTF8.self))
    let envelope = try Envelope(
      payload: Array(changed.utf8), type: AttestedSubjects.payloadType, origin: place, by: key)
    try Folder.remove(place)
    try AtomicFile.write(envelope.json, to: place)
    return envelope.json
  }

  /// The signature is one of the archive, and not of what the statement says of it.
  @Test func aSignatureIsHeldAgainstTheDigestThatTheStatementNames() throws {
    let path = try project.build().packages[0].path
    let before = try project.files()
    let zeros = String(repeating: "0", count: 128)
    _ = try restate(path) {
      $0.replacing(/"sha512":"[0-9a-f]{128}"/, with: "\"sha512\":\"\(zeros)\"")
    }
    #expect(try project.build().packages.map(\.isReused) == [true, true, true])
    #expect(try project.files() == before)
  }

  /// A package of many files has a provenance of more than a mebibyte; it is compared like any other.
  @Test func aLongStatementIsTakenAndStays() throws {
    let path = try project.build().packages[0].path
    let words = String(repeating: "word ", count: 300_000)
    let long = try restate(path) {
      $0.replacing("\"predicate\":{", with: "\"predicate\":{\"note\":\"\(words)\",")
    }
    #expect(long.count > 1 << 20)
    for _ in 0..<2 {
      #expect(try project.build().packages.map(\.isReused) == [true, true, true])
      #expect(try MappedFile.contents(of: path + AttestedSubjects.suffix, limit: 4 << 20) == long)
    }
  }

  /// Older statements do not say what the signature is made over; then the archive is hashed for it.
  @Test func aStatementOfBeforeIsTaken() throws {
    let path = try project.build().packages[0].path
    let place = path + AttestedSubjects.suffix
    let older = try restate(path) { $0.replacing(/,"sha512":"[0-9a-f]{128}"/, with: "") }
    #expect(try project.build().packages.map(\.isReused) == [true, true, true])
    #expect(try MappedFile.contents(of: place, limit: 1 << 20) == older)
    let others = try project.build().packages[1].path + SSHSignature.suffix
    let signature = try MappedFile.contents(of: others, limit: 1 << 20)
    try Folder.remove(path + SSHSignature.suffix)
    try AtomicFile.write(signature, to: path + SSHSignature.suffix)
    #expect(try project.build().packages.map(\.isReused) == [true, true, true])
    #expect(isSigned(path))
  }

  /// What lies where a signature belongs is the trouble of one customer, not of all.
  @Test(arguments: [SSHSignature.suffix, AttestedSubjects.suffix], [true, false])
  func aFolderForASignatureIsOneCustomersTrouble(_ suffix: String, _ isBuilt: Bool) throws {
    let app = SmallProject.apps[0]
    if isBuilt { _ = try project.build() }
    let place = project.scratch.path("out/\(app)/\(app)-1.4.0.tar.zst\(suffix)")
    try Folder.remove(place)
    try Folder.create(place)
    let report = try project.build()
    #expect(report.refused.map(\.customer) == [app])
    #expect(report.refused.map(\.cause) == [.output])
    #expect(report.refused.map(\.reasons) == [["\(place): is a folder, expected a regular file"]])
    #expect(report.packages.map(\.customer) == Array(SmallProject.apps.dropFirst()))
    #expect(report.packages.allSatisfy { isSigned($0.path) })
  }

  /// A signature that lies elsewhere is there only as long as somebody else likes.
  @Test(arguments: ["", SSHSignature.suffix, AttestedSubjects.suffix])
  func aLinkIsNotUnchanged(_ suffix: String) throws {
    let place = try project.build().packages[0].path + suffix
    let other = project.scratch.path("elsewhere")
    try FileManager.default.moveItem(atPath: place, toPath: other)
    try FileManager.default.createSymbolicLink(atPath: place, withDestinationPath: other)
    let report = try project.build()
    #expect(
      report.refused.map(\.reasons) == [["\(place): is a symbolic link, expected a regular file"]])
    #expect(report.refused.map(\.cause) == [.output])
  }

  /// What was built without a key is signed when a project gets one; another version of libzstd may
  /// have packed it.
  @Test func anArchiveOfTheSameContentIsSignedAsItLies() throws {
    try sign(false)
    let path = try project.build().packages[0].path
    try sign(true)
    var request = try project.request()
    request.acceptsIndex = true
    #expect(try Builder.build(request).packages.map(\.isReused) == [true, true, true])
    #expect(isSigned(path))
    #expect(try project.build().packages.map(\.isReused) == [true, true, true])
  }
}
