import Files
import Foundation
import ProjectFixtures
import StrictJSON
import TestSupport
import Testing

@testable import Project
@testable import Release

// What was released before, and the key that signs.
extension PartialProjectTests {
  @Test func versionsThatAreThereStandInTheWay() throws {
    let project = try SmallProject()
    let app = SmallProject.apps[0]
    _ = try project.build()
    func faults(_ contract: String = SmallProject.contract) throws -> [String] {
      try project.scratch.write("ingot.yaml", contract)
      return lines(
        ProjectValidator.validate(
          project.scratch.path, output: project.scratch.path("out")))
    }
    let mend =
      "; no version is written twice [raise 'version' in "
      + "\(project.scratch.path("ingot.yaml"))]"
    #expect(try faults() == [])
    let zip = try faults(
      SmallProject.contract.replacingOccurrences(of: "archive: tar.zst", with: "archive: zip"))
    #expect(zip.count == 3)
    #expect(
      zip.first == "1:2: version 1.4.0 of app '\(app)' was built with other bundle identifiers, "
        + "SDK versions, license or archive" + mend)
    let older = try faults(
      SmallProject.contract.replacingOccurrences(of: "version: 1.4.0", with: "version: 1.3.9"))
    #expect(
      older.first == "1:2: app '\(app)' has version 1.4.0, this release is 1.3.9 "
        + "[raise 'version' beyond 1.4.0]")
    #expect(
      try faults(
        SmallProject.contract.replacingOccurrences(of: "version: 1.4.0", with: "version: 1.4.1"))
        == [])
    try project.model("flows/churn/v1", [-0.125, 0.25])
    #expect(
      try faults() == [
        "3:2: version 1.4.0 of app '\(SmallProject.apps[1])' was built from other "
          + "weights, references or options of the model 'churn'" + mend
      ])
  }

  @Test func aDamagedIndexIsAFault() throws {
    let project = try SmallProject()
    try project.scratch.write("out/index.jsonl", "{}\n")
    let found = ProjectValidator.validate(
      project.scratch.path, output: project.scratch.path("out"))
    #expect(found.faults.map(\.rule) == [.damagedIndex])
    #expect(found.faults.first?.place.line == 1)
  }

  struct KeyCase: Sendable, CustomTestStringConvertible {
    let name: String
    var mode = 0o600
    let text: String?
    let fault: String?
    var testDescription: String { name }
  }

  /// A public key; tests hold no secrets.
  private static let publicKey =
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f x\n"

  @Test(arguments: [
    KeyCase(name: "keys/release.pub", mode: 0o644, text: publicKey, fault: nil),
    KeyCase(
      name: "keys/relase", text: nil,
      fault: "the signing key 'keys/relase' is not there [did you mean 'release'?]"),
    KeyCase(
      name: "secret", text: nil,
      fault: "the signing key 'secret' is not there "
        + "[make one: ssh-keygen -t ed25519 -f secret]"),
    KeyCase(
      name: "keys/release", mode: 0o640, text: "-----BEGIN OPENSSH PRIVATE KEY-----\n",
      fault: "the signing key 'keys/release' has mode 0640, others can use it "
        + "[chmod 600 keys/release]"),
  ])
  func theSigningKeyIsLookedAt(_ test: KeyCase) throws {
    #expect(try keyFaults(test) == (test.fault.map { ["ingot.yaml:19:9: \($0)"] } ?? []))
  }

  /// Each in the words of the reader of keys.
  @Test(arguments: [
    KeyCase(name: "keys/release", text: "-----BEGIN RSA PRIVATE KEY-----\n", fault: nil),
    KeyCase(name: "keys/release.pub", text: "ssh-rsa AAAA x\n", fault: nil),
    KeyCase(name: "keys", text: nil, fault: nil),
  ])
  func whatIsNoKeyIsRefused(_ test: KeyCase) throws {
    let found = try keyFaults(test)
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("ingot.yaml:19:9: \(test.name): ") == true, "\(found)")
  }

  private func keyFaults(_ test: KeyCase) throws -> [String] {
    try faults([("archive: tar.zst", "sign: \(test.name)")]) { project in
      try project.scratch.write("keys/release", "")
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o700], ofItemAtPath: project.scratch.path("keys"))
      guard let text = test.text else { return }
      let path = try project.scratch.write(test.name, text)
      try FileManager.default.setAttributes([.posixPermissions: test.mode], ofItemAtPath: path)
    }
  }

}
